#include "base/pool.hpp"

namespace jimbo {

Pool::Pool(int threads) {
    for (int part = 1; part < threads; ++part) workers_.emplace_back([this, part] { serve(part); });
}

Pool::~Pool() {
    ending_ = true;
    ++turn_;
    turn_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void Pool::run_erased(Call call, void* context) {
    if (workers_.empty()) {
        call(context, 0);
        return;
    }
    call_ = call;
    context_ = context;
    inside_ = 0;
    ++turn_;
    turn_.notify_all();
    call(context, 0);
    inside_ |= shut;
    for (std::uint32_t inside = inside_; inside != shut; inside = inside_) inside_.wait(inside);
}

// Whether there is still work to join.
bool Pool::enter() {
    std::uint32_t inside = inside_;
    while ((inside & shut) == 0) {
        if (inside_.compare_exchange_weak(inside, inside + 1)) return true;
    }
    return false;
}

void Pool::leave() {
    if (--inside_ == shut) inside_.notify_one();
}

void Pool::serve(int part) {
    for (std::uint32_t seen = 0;;) {
        turn_.wait(seen);
        seen = turn_;
        if (ending_) return;
        if (!enter()) continue;
        call_(context_, part);
        leave();
    }
}

}  // namespace jimbo
