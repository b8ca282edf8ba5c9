// Threads that wait for work, for callers that have a little of it very often.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace jimbo {

class Pool {
public:
    // The caller's thread is one of them: Pool(1) starts none.
    explicit Pool(int threads);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int size() const { return static_cast<int>(workers_.size()) + 1; }

    // Calls work(0) in the caller's thread and work(part), 0 < part < size(), in each other thread that wakes up before
    // the caller is done; waits for those that began. A thread that comes too late, because the machine is busy, is not
    // waited for, so work must hand itself out piece by piece. Work must not throw.
    template <typename Work>
    void run(Work& work) {
        run_erased([](void* context, int part) { (*static_cast<Work*>(context))(part); }, &work);
    }

private:
    using Call = void (*)(void* context, int part);

    static constexpr std::uint32_t shut = 1U << 31;

    bool enter();
    void leave();
    void run_erased(Call call, void* context);
    void serve(int part);

    Call call_ = nullptr;
    void* context_ = nullptr;
    std::atomic<std::uint32_t> turn_{0};       // rises with every piece of work
    std::atomic<std::uint32_t> inside_{shut};  // threads at work, and whether others may still begin
    std::atomic<bool> ending_{false};
    std::vector<std::thread> workers_;
};

}  // namespace jimbo
