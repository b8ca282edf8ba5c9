// Rows of a batch go back to where they stood, and start from given runs.
#include <cstring>
#include <string>

#include "batch_bench.hpp"
#include "check.hpp"
#include "play/edits.hpp"
#include "store/state_json.hpp"

namespace {

using namespace jimbo;
using tests::Bench;

template <typename T>
std::string bytes_of(const std::vector<T>& items) {
    return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T)};
}

// All that shows where the rows stand.
std::string shown(const Bench& bench) {
    return bytes_of(bench.observations) + bytes_of(bench.masks) + bytes_of(bench.candidate_ids) +
           bytes_of(bench.candidate_numbers);
}

// All that some random steps write.
std::string told(Bench& bench, int steps) {
    std::string text;
    for (int i = 0; i < steps; ++i) {
        bench.step_randomly(static_cast<std::uint64_t>(i));
        text += shown(bench) + bytes_of(bench.rewards) + bytes_of(bench.terms) + bytes_of(bench.terminated) +
                bytes_of(bench.truncated);
    }
    return text;
}

TEST(restored_rows_go_on_as_they_did) {
    for (Encoding encoding : {Encoding::actions, Encoding::steps, Encoding::candidates}) {
        for (Autoreset autoreset : {Autoreset::next_step, Autoreset::same_step}) {
            BatchOptions options{.rows = 5, .encoding = encoding, .autoreset = autoreset};
            options.rules.max_steps = 30;
            options.threads = 2;
            options.candidates = 20;
            Bench bench(options);
            told(bench, 40);
            const std::string before = shown(bench);
            const std::vector<BatchRow> rows = bench.batch.snapshot();
            const std::string first = told(bench, 50);
            bench.batch.restore(rows);
            CHECK(shown(bench) == before);
            CHECK(told(bench, 50) == first);
        }
    }
}

TEST(a_row_starts_from_a_run_and_goes_on_with_its_own_games) {
    Bench bench({.rows = 2});
    bench.batch.set_seeds(1, {*parse_seed("ONE"), *parse_seed("TWO")});
    RunState run = start_run(*parse_seed("OTHER"), DeckId::ghost, StakeId::gold);
    run.dollars = 77;
    CHECK(bench.batch.start_from(1, run) == EpisodeEnd::running);
    CHECK(state_to_json(bench.batch.episode(1).run()).dump() == state_to_json(run).dump());
    CHECK_EQ(bench.stats[1].money, 77);
    CHECK_EQ(bench.stats[1].length, 0);
    bench.batch.reset();
    CHECK_EQ(bench.batch.episode(1).run().streams.seed().view(), "ONE");
}

TEST(a_run_whose_episode_would_be_over_is_not_taken) {
    Bench bench({.rows = 1});
    const std::string before = shown(bench);
    const RunState fresh = start_run(*parse_seed("OVER"), DeckId::red, StakeId::white);
    RunState lost = fresh, won = fresh, beyond = fresh;
    lost.phase = Phase::game_over;
    lost.end = EndCode::lost;
    won.won = true;
    edits::set_ante(beyond, 9);
    CHECK(bench.batch.start_from(0, lost) == EpisodeEnd::lost);
    CHECK(bench.batch.start_from(0, won) == EpisodeEnd::won);
    CHECK(bench.batch.start_from(0, beyond) == EpisodeEnd::max_ante);
    CHECK(shown(bench) == before);
}

}  // namespace
