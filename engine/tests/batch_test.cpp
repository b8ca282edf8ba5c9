// Batches: rows are independent of each other and of threads, ends and resets come as described, and statistics and
// reward terms tell what happened.
#include "learn/batch.hpp"

#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>

#include "batch_bench.hpp"
#include "check.hpp"
#include "store/state_json.hpp"

namespace {

using namespace jimbo;
using tests::Bench;

constexpr EpisodeRules counting{.weights = {1, 0, 0, 1.0F / 24, 0, 0, 0}};

template <typename T>
bool row_equal(const std::vector<T>& many, std::size_t row, const std::vector<T>& one) {
    if (one.empty()) return many.empty();
    return std::memcmp(many.data() + row * one.size(), one.data(), one.size() * sizeof(T)) == 0;
}

// Threads that come too late are not waited for, but those that began are: no piece is missing when the call returns.
TEST(the_pool_does_every_piece_once_each_time) {
    constexpr int pieces = 50;
    Pool pool(4);
    std::array<std::atomic<int>, 4> parts{};
    int wrong = 0;
    for (int turn = 0; turn < 2000; ++turn) {
        std::atomic<int> next{0};
        std::array<int, pieces> done{};
        auto work = [&](int part) {
            ++parts[static_cast<std::size_t>(part)];
            for (int piece = next++; piece < pieces; piece = next++) ++done[static_cast<std::size_t>(piece)];
        };
        pool.run(work);
        for (int times : done) wrong += times != 1;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(parts[0].load(), 2000);
}

// --- Rows are on their own -----------------------------------------------------------------------------------------

// Row by row, what a batch of one would have written.
std::string compare_with_single_rows(BatchOptions options, int steps) {
    const int rows = options.rows;
    Bench many(options);
    std::vector<std::unique_ptr<Bench>> singles;
    options.rows = options.threads = 1;
    for (int row = 0; row < rows; ++row) {
        auto& one = singles.emplace_back(std::make_unique<Bench>(options));
        one->batch.seed(0, static_cast<std::uint64_t>(row));
        one->batch.reset();
    }
    int ends = 0;
    for (int i = 0; i < steps; ++i) {
        many.step_randomly(static_cast<std::uint64_t>(i));
        for (std::size_t row = 0; row < singles.size(); ++row) {
            Bench& one = *singles[row];
            one.actions[0] = many.actions[row];
            one.ids[0] = many.ids[row];
            if (options.encoding == Encoding::actions) {
                one.batch.step(one.actions.data());
            } else {
                one.batch.step(one.ids.data());
            }
            const bool same =
                row_equal(many.observations, row, one.observations) && row_equal(many.finals, row, one.finals) &&
                row_equal(many.masks, row, one.masks) && row_equal(many.rewards, row, one.rewards) &&
                row_equal(many.terms, row, one.terms) && row_equal(many.terminated, row, one.terminated) &&
                row_equal(many.truncated, row, one.truncated) &&
                row_equal(many.candidate_ids, row, one.candidate_ids) &&
                row_equal(many.candidate_numbers, row, one.candidate_numbers) &&
                many.stats[row].length == one.stats[0].length && many.stats[row].total == one.stats[0].total;
            if (!same) return "row " + std::to_string(row) + " differs in step " + std::to_string(i);
            ends += many.stats[row].finished;
        }
    }
    return ends > 0 ? "" : "no episode ended";
}

TEST(a_row_of_many_is_a_row_of_one) {
    for (Encoding encoding : {Encoding::actions, Encoding::steps}) {
        for (Autoreset autoreset : {Autoreset::next_step, Autoreset::same_step, Autoreset::disabled}) {
            for (int threads : {1, 3}) {
                CHECK_EQ(compare_with_single_rows({.rows = 7,
                                                   .encoding = encoding,
                                                   .autoreset = autoreset,
                                                   .rules = counting,
                                                   .threads = threads},
                                                  encoding == Encoding::steps ? 300 : 60),
                         "");
            }
        }
    }
    CHECK_EQ(compare_with_single_rows(
                 {.rows = 3, .encoding = Encoding::candidates, .rules = counting, .threads = 2, .candidates = 20}, 40),
             "");
}

TEST(the_same_seeds_give_the_same_games) {
    Bench a({.rows = 4});
    Bench b({.rows = 4});
    const auto seed_of = [](const Bench& bench, int row) { return bench.batch.episode(row).run().streams.seed(); };
    for (int row = 0; row < 4; ++row) CHECK(seed_of(a, row) == seed_of(b, row));
    CHECK(seed_of(a, 0) != seed_of(a, 1));
    a.batch.seed(0, 99);
    a.batch.seed(1, 99);
    a.batch.reset();
    CHECK(seed_of(a, 0) == seed_of(a, 1));
    CHECK(seed_of(a, 2) != seed_of(b, 2));  // b was not reset
}

TEST(listed_seeds_are_played_in_turn) {
    Bench bench({.rows = 1});
    bench.batch.set_seeds(0, {*parse_seed("ONE"), *parse_seed("TWO")});
    for (std::string_view seed : {"ONE", "TWO", "ONE"}) {
        bench.batch.reset();
        CHECK_EQ(bench.batch.episode(0).run().streams.seed().view(), seed);
    }
}

TEST(a_new_start_counts_from_the_next_reset_on) {
    Bench bench({.rows = 2});
    bench.batch.set_start(1, {DeckId::blue, StakeId::gold, {}});
    CHECK(bench.batch.episode(1).run().deck == DeckId::red);
    bench.batch.reset();
    CHECK(bench.batch.episode(0).run().deck == DeckId::red);
    CHECK(bench.batch.episode(1).run().deck == DeckId::blue);
    CHECK(bench.batch.episode(1).run().stake == StakeId::gold);
}

// --- Ends ----------------------------------------------------------------------------------------------------------

BatchOptions one_row(Autoreset autoreset, EpisodeRules rules = counting) {
    return {.rows = 1, .encoding = Encoding::actions, .autoreset = autoreset, .rules = rules};
}

// Plays single cards until the run is lost, which one card a hand does not prevent.
int lose(Bench& bench) {
    bench.actions[0] = {ActionKind::select_blind};
    bench.batch.step(bench.actions.data());
    int steps = 1;
    for (bench.actions[0] = {ActionKind::play, 0, 0, 1}; bench.terminated[0] == 0; ++steps) {
        bench.batch.step(bench.actions.data());
    }
    return steps;
}

TEST(next_step_resets_with_the_step_after_the_end) {
    Bench bench(one_row(Autoreset::next_step));
    const Seed first = bench.batch.episode(0).run().streams.seed();
    CHECK_EQ(lose(bench), 5);
    CHECK_EQ(bench.stats[0].finished, 1);
    CHECK(bench.stats[0].end == EpisodeEnd::lost);
    CHECK_EQ(bench.stats[0].length, 5);
    CHECK_EQ(bench.observations[0].phase, 6);
    // The first kind, index and place, and every card left where it is.
    CHECK_EQ(std::accumulate(bench.masks.begin(), bench.masks.end(), 0), 3 + max_hand);
    bench.batch.step(bench.actions.data());
    CHECK_EQ(bench.terminated[0] + bench.stats[0].finished + bench.stats[0].length, 0);
    CHECK_EQ(bench.rewards[0], 0.0F);
    CHECK_EQ(bench.observations[0].phase, 1);
    CHECK(bench.batch.episode(0).run().streams.seed() != first);
}

TEST(same_step_keeps_the_last_observation_aside) {
    Bench bench(one_row(Autoreset::same_step));
    lose(bench);
    CHECK_EQ(bench.observations[0].phase, 1);
    CHECK_EQ(bench.finals[0].phase, 6);
    CHECK_EQ(bench.stats[0].finished, 1);
    CHECK_EQ(bench.stats[0].length, 5);
    bench.actions[0] = {ActionKind::select_blind};
    bench.batch.step(bench.actions.data());
    CHECK_EQ(bench.stats[0].length, 1);
    CHECK_EQ(bench.terminated[0], 0);
}

TEST(disabled_rows_rest_until_they_are_reset) {
    Bench bench(one_row(Autoreset::disabled));
    lose(bench);
    for (int i = 0; i < 2; ++i) {
        bench.batch.step(bench.actions.data());
        CHECK_EQ(bench.terminated[0], 1);
        CHECK_EQ(bench.rewards[0], 0.0F);
        CHECK_EQ(bench.stats[0].length, 5);
        CHECK_EQ(bench.stats[0].finished, 0);
    }
    const std::uint8_t none = 0;
    bench.batch.reset(&none);
    CHECK_EQ(bench.observations[0].phase, 6);
    const std::uint8_t chosen = 1;
    bench.batch.reset(&chosen);
    CHECK_EQ(bench.observations[0].phase, 1);
    CHECK_EQ(bench.terminated[0], 0);
}

TEST(a_limit_of_steps_truncates) {
    EpisodeRules rules = counting;
    rules.max_steps = 3;
    Bench bench(one_row(Autoreset::next_step, rules));
    bench.actions[0] = {ActionKind::cash_out};  // never allowed here: refused steps count, too
    for (int i = 0; i < 3; ++i) {
        CHECK_EQ(bench.truncated[0], 0);
        bench.batch.step(bench.actions.data());
    }
    CHECK_EQ(bench.truncated[0], 1);
    CHECK_EQ(bench.terminated[0], 0);
    CHECK(bench.stats[0].end == EpisodeEnd::max_steps);
    CHECK_EQ(bench.stats[0].illegal, 3);
    CHECK_EQ(bench.stats[0].decisions, 0);
}

TEST(refused_actions_change_nothing_and_cost_the_penalty) {
    EpisodeRules rules = counting;
    rules.illegal_penalty = 0.25F;
    for (Encoding encoding : {Encoding::actions, Encoding::steps, Encoding::candidates}) {
        Bench bench({.rows = 1, .encoding = encoding, .rules = rules});
        const std::string before = save_run(bench.batch.episode(0).run());
        const Observation seen = bench.observations[0];
        for (std::int32_t id : {-1, 64, 376, 1'000'000}) {
            bench.actions[0] = {static_cast<ActionKind>(id & 255), 77, 3, ~std::uint64_t{0}};
            bench.ids[0] = id;
            if (encoding == Encoding::actions) {
                bench.batch.step(bench.actions.data());
            } else {
                bench.batch.step(bench.ids.data());
            }
            CHECK_EQ(bench.rewards[0], -0.25F);
        }
        CHECK_EQ(bench.stats[0].illegal, 4);
        CHECK_EQ(bench.stats[0].total, -1.0F);
        CHECK_EQ(save_run(bench.batch.episode(0).run()), before);
        CHECK(std::memcmp(&seen, &bench.observations[0], sizeof seen) == 0);
    }
}

// --- Episodes ------------------------------------------------------------------------------------------------------

// Plays with the help of edits: beats every blind with one card.
struct Winner {
    Episode episode{};
    EpisodeRules rules{};
    RewardTerms sums{};
    StepReport last{};

    explicit Winner(std::optional<int> max_ante) {
        rules.max_ante = max_ante;
        rules.weights = {1, 1, 1, 1, 1, 1, 1};
        episode.start(*parse_seed("WINNER"), DeckId::red, StakeId::white, {});
    }
    void act(const Action& action) {
        last = episode.take_action(action, rules);
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += last.terms[i];
    }
    void beat_blind() {
        act({ActionKind::select_blind});
        // The state belongs to the episode; the test lowers what has to be reached.
        const_cast<RunState&>(episode.run()).blind.target = 1;
        for (int tries = 0; episode.run().phase == Phase::selecting_hand && tries < 20; ++tries) {
            act({ActionKind::play, 0, 0, tries % 2 == 0 ? 0b11111u : 1u});
        }
        if (episode.over()) return;
        act({ActionKind::cash_out});
        act({ActionKind::leave_shop});
    }
    void play(int blinds) {
        for (int i = 0; i < blinds && !episode.over(); ++i) beat_blind();
    }
    float sum(RewardTerm term) const { return sums[static_cast<std::size_t>(term)]; }
};

TEST(beating_ante_8_wins_and_terminates) {
    Winner winner(8);
    winner.play(30);
    CHECK(winner.last.terminated && !winner.last.truncated);
    CHECK(winner.episode.stats().end == EpisodeEnd::won);
    CHECK_EQ(winner.episode.stats().blinds, 24);
    CHECK_EQ(winner.sum(RewardTerm::win), 1.0F);
    CHECK_EQ(winner.sum(RewardTerm::loss), 0.0F);
    CHECK_EQ(winner.sum(RewardTerm::ante), 8.0F);
    CHECK_EQ(winner.sum(RewardTerm::blind), 24.0F);
    CHECK(std::abs(winner.sum(RewardTerm::score) - 24.0F) < 1e-4);
    CHECK(std::abs(winner.sum(RewardTerm::potential)) < 1e-4);  // back to 0 at the end
    const float money = static_cast<float>(winner.episode.run().dollars - 4) / 10;
    CHECK(std::abs(winner.sum(RewardTerm::money) - money) < 1e-4);
    CHECK_EQ(winner.episode.stats().money, winner.episode.run().dollars);
    CHECK(winner.episode.stats().best_hand > 0);
    const float total = std::accumulate(winner.sums.begin(), winner.sums.end(), 0.0F);
    CHECK(std::abs(winner.episode.stats().total - total) < 1e-2);
}

TEST(other_last_antes_truncate_and_none_goes_on) {
    Winner two(2);
    two.play(30);
    CHECK(two.last.truncated && !two.last.terminated);
    CHECK(two.episode.stats().end == EpisodeEnd::max_ante);
    CHECK_EQ(two.episode.stats().blinds, 6);
    CHECK_EQ(two.sum(RewardTerm::potential), 6.0F / 24);  // kept when cut off
    Winner ten(10);
    ten.play(40);
    CHECK(ten.last.truncated);
    CHECK_EQ(ten.episode.stats().blinds, 30);
    CHECK_EQ(ten.episode.stats().won, 1);
    CHECK_EQ(ten.sum(RewardTerm::win), 1.0F);
    Winner endless({});
    endless.play(26);
    CHECK(!endless.episode.over());
    CHECK_EQ(endless.episode.stats().blinds, 26);
}

TEST(losing_says_so) {
    Bench bench(one_row(Autoreset::next_step));
    lose(bench);
    CHECK_EQ(bench.term(RewardTerm::loss), 1.0F);
    CHECK_EQ(bench.term(RewardTerm::win), 0.0F);
    CHECK(bench.term(RewardTerm::potential) < 0);
    CHECK(bench.term(RewardTerm::score) > 0);
}

}  // namespace
