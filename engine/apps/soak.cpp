// Random runs over all decks, stakes and challenges with everything checked, for as many actions as asked for.
//
//     soak --actions 2000000 --seed 1 --jobs 2
#include <charconv>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>

#include "tests/random_play.hpp"

namespace {

using namespace jimbo;

struct Options {
    long actions = 100'000;
    long seed = 1;
    long jobs = 1;
};

bool read_options(int count, char** texts, Options& options) {
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = texts[i];
        long* number = name == "--actions" ? &options.actions
                       : name == "--seed"  ? &options.seed
                       : name == "--jobs"  ? &options.jobs
                                           : nullptr;
        if (number == nullptr || i + 1 == count) return false;
        const std::string_view text = texts[i + 1];
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
        if (error != std::errc{} || end != text.data() + text.size() || *number < 1) return false;
    }
    return true;
}

// What all jobs have found so far.
class Findings {
public:
    void add(const tests::RandomRun& random, const std::string& fault) {
        const std::lock_guard lock(mutex_);
        const RunState& run = random.run();
        ++runs_;
        ante_ = std::max<int>(ante_, run.ante);
        won_ += run.won ? 1 : 0;
        no_room_ += run.end == EndCode::no_room ? 1 : 0;
        failed_ += fault.empty() ? 0 : 1;
        passed_ += random.steps() - (fault.empty() ? 0 : 1);
        if (!fault.empty()) std::printf("%s\n", fault.c_str());
        show_progress();
    }

    bool report() const {
        std::printf("%ld runs, highest ante %d, %ld won, %ld ran out of room\n", runs_, ante_, won_, no_room_);
        std::printf("%ld passed, %ld failed\n", passed_, failed_);
        return failed_ == 0;
    }

private:
    void show_progress() {
        constexpr long every = 100'000;
        if ((passed_ + failed_) / every == shown_) return;
        shown_ = (passed_ + failed_) / every;
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - began_;
        std::fprintf(stderr, "%ld actions, %ld failed, %.0f s\n", passed_ + failed_, failed_, time.count());
    }

    std::mutex mutex_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    long runs_ = 0;
    long won_ = 0;
    long no_room_ = 0;
    long passed_ = 0;
    long failed_ = 0;
    long shown_ = 0;
    int ante_ = 0;
};

// Goes through all starts again and again.
void play(std::uint64_t seed, long actions, Findings& findings) {
    tests::Dice dice(seed);
    long played = 0;
    while (true) {
        for (const tests::Start& start : tests::all_starts(dice)) {
            if (played >= actions) return;
            tests::PlayOptions options;
            options.max_moves = dice.one_in(4) ? 3000 : 500;
            tests::RandomRun run(start, dice.next(), options);
            const std::string fault = run.play();
            played += run.steps();
            findings.add(run, fault);
        }
    }
}

}  // namespace

int main(int count, char** texts) {
    Options options;
    if (!read_options(count, texts, options)) {
        std::fprintf(stderr, "usage: soak [--actions N] [--seed S] [--jobs J]\n");
        return 2;
    }
    Findings findings;
    std::vector<std::jthread> jobs;
    for (long job = 0; job < options.jobs; ++job) {
        const auto seed = static_cast<std::uint64_t>(options.seed * 1000 + job);
        jobs.emplace_back(play, seed, (options.actions + options.jobs - 1) / options.jobs, std::ref(findings));
    }
    for (std::jthread& job : jobs) job.join();
    return findings.report() ? 0 : 1;
}
