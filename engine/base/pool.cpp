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
    if (!workers_.empty()) {
        call_ = call;
        context_ = context;
        busy_ = static_cast<int>(workers_.size());
        ++turn_;
        turn_.notify_all();
    }
    call(context, 0);
    for (int busy = busy_; busy > 0; busy = busy_) busy_.wait(busy);
}

void Pool::serve(int part) {
    for (std::uint32_t seen = 0;;) {
        turn_.wait(seen);
        seen = turn_;  // no turn is missed: the next begins only after this one's work is done
        if (ending_) return;
        call_(context_, part);
        if (--busy_ == 0) busy_.notify_one();
    }
}

}  // namespace jimbo
