// Random runs over all decks, stakes and challenges with everything checked, for as many actions as asked for.
//
//     soak --actions 2000000 --seed 1
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "tests/random_play.hpp"

namespace {

using namespace jimbo;

struct Options {
    long actions = 100'000;
    std::uint64_t seed = 1;
};

template <typename Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

bool read_options(int count, char** texts, Options& options) {
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = texts[i];
        if (i + 1 == count) return false;
        const bool known = name == "--actions" || name == "--seed";
        if (!known) return false;
        if (!(name == "--actions" ? read_number(texts[i + 1], options.actions)
                                  : read_number(texts[i + 1], options.seed))) {
            return false;
        }
    }
    return true;
}

// How far the runs came.
struct Reach {
    int ante = 0;
    long runs = 0;
    long won = 0;
    long no_room = 0;

    void count(const RunState& run) {
        ante = std::max<int>(ante, run.ante);
        ++runs;
        won += run.won ? 1 : 0;
        no_room += run.end == EndCode::no_room ? 1 : 0;
    }
};

}  // namespace

int main(int count, char** texts) {
    Options options;
    if (!read_options(count, texts, options)) {
        std::fprintf(stderr, "usage: soak [--actions N] [--seed S]\n");
        return 2;
    }
    const auto began = std::chrono::steady_clock::now();
    tests::Dice dice(options.seed);
    Reach reach;
    long passed = 0;
    long failed = 0;
    while (passed + failed < options.actions) {
        for (const tests::Start& start : tests::all_starts(dice)) {
            if (passed + failed >= options.actions) break;
            tests::PlayOptions play;
            play.max_moves = dice.one_in(4) ? 3000 : 500;
            tests::RandomRun run(start, dice.next(), play);
            const std::string fault = run.play();
            passed += run.steps() - (fault.empty() ? 0 : 1);
            if (!fault.empty()) {
                ++failed;
                std::printf("%s\n", fault.c_str());
            }
            reach.count(run.run());
        }
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - began;
        std::fprintf(stderr, "%ld actions, %ld failed, %.0f s\n", passed + failed, failed, time.count());
    }
    std::printf("%ld runs, highest ante %d, %ld won, %ld ran out of room\n", reach.runs, reach.ante, reach.won,
                reach.no_room);
    std::printf("%ld passed, %ld failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
