// Decisions outside of hands as options of a batch: fair, the strategic player's own, shown rightly, paid rightly.
#include "campaign/campaign_source.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "batch_bench.hpp"
#include "check.hpp"
#include "play/determinize.hpp"
#include "play/edits.hpp"
#include "random_net.hpp"
#include "view/public_state.hpp"

using namespace jimbo;

namespace {

constexpr int options = 40;

// A batch with a source, and every array there is.
struct Campaigns {
    Campaigns(int rows, CampaignSettings settings, const ValueNet* net = nullptr, BatchOptions more = {})
        : source(with_options(settings), net), bench(options_of(rows, more)) {
        const auto n = static_cast<std::size_t>(rows);
        constexpr auto k = static_cast<std::size_t>(options);
        kinds.resize(n * k);
        state_indices.resize(n * sparse_width);
        state_values.resize(n * sparse_width);
        option_indices.resize(n * k * sparse_width);
        option_values.resize(n * k * sparse_width);
        state_inputs.resize(n * value_input_count);
        option_inputs.resize(n * k * value_input_count);
        state_summary.resize(n * summary_size);
        option_summary.resize(n * k * summary_size);
        source.bind({.kinds = kinds.data(),
                     .state_indices = state_indices.data(),
                     .state_values = state_values.data(),
                     .option_indices = option_indices.data(),
                     .option_values = option_values.data(),
                     .state_inputs = state_inputs.data(),
                     .option_inputs = option_inputs.data(),
                     .state_summary = state_summary.data(),
                     .option_summary = option_summary.data()});
        bench.batch.reset();
    }

    static CampaignSettings with_options(CampaignSettings settings) {
        settings.options = options;
        return settings;
    }
    BatchOptions options_of(int rows, BatchOptions more) {
        more.rows = rows;
        more.encoding = Encoding::options;
        more.source = &source;
        return more;
    }
    const RunState& run(int row) const { return bench.batch.episode(row).run(); }

    // Whether two rows show the same, to the last bit.
    bool alike(std::size_t a, std::size_t b) const {
        const auto same = [&](const auto& array) {
            const std::size_t width = array.size() / bench.rows;
            return std::memcmp(&array[a * width], &array[b * width], width * sizeof(array[0])) == 0;
        };
        return same(kinds) && same(state_indices) && same(state_values) && same(option_indices) &&
               same(option_values) && same(state_inputs) && same(option_inputs) && same(state_summary) &&
               same(option_summary) && same(bench.masks);
    }

    CampaignSource source;
    tests::Bench bench;
    std::vector<std::uint8_t> kinds;
    std::vector<std::int16_t> state_indices, option_indices;
    std::vector<float> state_values, option_values, state_inputs, option_inputs, state_summary, option_summary;
};

CampaignSettings quick() { return {}; }

std::vector<Action> actions_of(const Option& option) { return {option.actions.begin(), option.actions.end()}; }

// A run that lives long and has much to decide.
RunState rich_run(int number) {
    RunState run = start_run(*parse_seed("RICH" + std::to_string(number)), DeckId::plasma, StakeId::white);
    run.dollars = 60;
    for (HandStats& hand : run.hands) hand.level = 10;
    return run;
}

}  // namespace

TEST(what_is_shown_depends_on_nothing_hidden) {
    const ValueNet& net = tests::random_net();
    for (const int finalists : {0, 2}) {
        Campaigns played(1, quick());
        Campaigns shown(2, {.effort = {.rollouts = 1, .finalists = finalists, .worlds = 1}}, &net);
        std::set<Phase> phases;
        for (int number = 0; number < 3; ++number) {
            played.bench.batch.start_from(0, rich_run(number));
            for (std::uint64_t turn = 0; turn < (finalists > 0 ? 12 : 60); ++turn) {
                if (shown.bench.batch.start_from(0, played.run(0)) != EpisodeEnd::running) break;
                CHECK_EQ(shown.bench.batch.start_from(1, determinize(played.run(0), 99 + turn)), EpisodeEnd::running);
                CHECK(shown.alike(0, 1));
                phases.insert(played.run(0).phase);
                played.bench.step_randomly(turn);
            }
        }
        CHECK(phases.size() >= 3);
    }
}

TEST(it_stops_where_the_strategic_player_chooses) {
    Campaigns played(2, quick());
    OptionList list;
    for (std::uint64_t turn = 0; turn < 400; ++turn) {
        for (int row = 0; row < 2; ++row) {
            const RunState& run = played.run(row);
            if (played.bench.batch.episode(row).over()) continue;
            list.list(imagine(public_state(run), 0));
            CHECK_EQ(played.source.all_options(row), list.size());
            CHECK(list.size() > 1);
            CHECK(run.phase != Phase::round_eval);
            if (run.phase == Phase::selecting_hand) CHECK(!run.consumables.empty() && run.chips <= 0);
            for (int i = 0; i < played.source.count(row); ++i) {
                const auto shown = played.source.actions(row, i);
                CHECK(std::vector<Action>(shown.begin(), shown.end()) == actions_of(list[i]));
                CHECK_EQ(played.kinds[static_cast<std::size_t>(row * options + i)], static_cast<int>(kind_of(list[i])));
            }
        }
        played.bench.step_randomly(turn);
        CHECK_EQ(played.bench.stats[0].illegal, 0);
    }
}

TEST(inputs_are_those_of_the_value_in_every_layout) {
    const ValueNet& net = tests::random_net();
    Campaigns played(1, {.effort = {.rollouts = 1, .finalists = 3, .worlds = 1}}, &net);
    Judge judge(net);
    for (std::uint64_t turn = 0; turn < 60; ++turn) {
        const Episode& episode = played.bench.batch.episode(0);
        if (!episode.over()) {
            const std::uint64_t nonce = SplitMix(static_cast<std::uint64_t>(episode.stats().decisions)).next();
            const RunState view = imagine(public_state(episode.run()), 0);
            for (const JudgedOption& one : judge.judge(view, {.rollouts = 1, .finalists = 3, .worlds = 1}, nonce)) {
                const auto place = static_cast<std::size_t>(one.option);
                if (one.option >= options) continue;
                std::vector<float> dense(value_input_count);
                std::size_t i = 0;
                for (const ValueInput& input : judge.inputs(one)) {
                    dense[input.index] += input.value;
                    CHECK_EQ(played.option_indices[place * sparse_width + i], input.index);
                    CHECK_EQ(played.option_values[place * sparse_width + i], input.value);
                    ++i;
                }
                CHECK(i <= sparse_width);
                for (; i < sparse_width; ++i) CHECK_EQ(played.option_values[place * sparse_width + i], 0.0F);
                CHECK(std::equal(dense.begin(), dense.end(), &played.option_inputs[place * value_input_count]));
            }
            const auto count = static_cast<std::size_t>(played.source.count(0));
            const auto rest = played.option_inputs.begin() + static_cast<std::ptrdiff_t>(count * value_input_count);
            CHECK(std::all_of(rest, played.option_inputs.end(), [](float input) { return input == 0; }));
        }
        played.bench.step_randomly(turn);
    }
}

TEST(shaping_adds_up_to_what_the_end_pays) {
    const ValueNet& net = tests::random_net();
    BatchOptions paid{.autoreset = Autoreset::disabled};
    paid.rules.weights[static_cast<std::size_t>(RewardTerm::win)] = 1;
    paid.rules.weights[static_cast<std::size_t>(RewardTerm::boss)] = 0.25F;
    paid.rules.weights[static_cast<std::size_t>(RewardTerm::blind)] = 0.5F;
    constexpr int rows = 4;
    Campaigns plain(rows, quick(), &net, paid);
    Campaigns shaped(rows, {.shaping = true}, &net, paid);
    std::array<double, rows> expected{}, sums{}, plains{};
    for (int row = 0; row < rows; ++row) {
        ValueInputs inputs;
        write_inputs(imagine(public_state(shaped.run(row)), 0), {}, 1, inputs);
        const auto chances = net.chances({inputs.data(), static_cast<std::size_t>(inputs.size())});
        for (int blind = 0; blind < value_blinds; ++blind) {
            const double chance = chances[static_cast<std::size_t>(blind)];
            expected[static_cast<std::size_t>(row)] += chance * (0.5 + (blind % 3 == 2 ? 0.25 : 0.0));
        }
        expected[static_cast<std::size_t>(row)] += chances.back();
    }
    const auto all_over = [&] {
        return std::all_of(shaped.bench.terminated.begin(), shaped.bench.terminated.end(), [](auto t) { return t; });
    };
    bool differed = false;
    for (std::uint64_t turn = 0; turn < 3000 && !all_over(); ++turn) {
        const auto before = shaped.bench.terminated;
        plain.bench.step_randomly(turn);
        shaped.bench.step_randomly(turn);
        for (std::size_t row = 0; row < rows; ++row) {
            if (before[row]) continue;
            plains[row] += plain.bench.rewards[row];
            sums[row] += shaped.bench.rewards[row];
            differed |= plain.bench.rewards[row] != shaped.bench.rewards[row];
        }
    }
    CHECK(all_over());
    CHECK(differed);
    for (std::size_t row = 0; row < rows; ++row) {
        CHECK(plain.run(static_cast<int>(row)).round == shaped.run(static_cast<int>(row)).round);
        CHECK(std::abs(sums[row] - (plains[row] - expected[row])) < 1e-4);
        CHECK(std::abs(shaped.bench.stats[row].total - sums[row]) < 1e-4);
    }
}

// With samples of their own for each move, jokers whose order hardly matters could be moved to and fro for ever.
TEST(jokers_are_put_in_order_once) {
    Campaigns played(1, quick());
    SplitMix random(5);
    int moved = 0;
    for (int number = 0; number < 400; ++number) {
        RunState run = rich_run(number);
        run.joker_slots = 7;
        const int jokers = 2 + static_cast<int>(random.below(6));
        for (int i = 0; i < jokers; ++i) {
            edits::add_joker(run, static_cast<JokerId>(random.below(joker_count)), Edition::base, {});
        }
        CHECK_EQ(played.bench.batch.start_from(0, run), EpisodeEnd::running);
        CHECK(played.bench.stats[0].decisions <= jokers);
        moved += played.bench.stats[0].decisions > 0;
    }
    CHECK(moved > 20);
}

TEST(threads_change_nothing) {
    Campaigns one(9, quick());
    BatchOptions several;
    several.threads = 3;
    Campaigns three(9, quick(), nullptr, several);
    for (std::uint64_t turn = 0; turn < 60; ++turn) {
        one.bench.step_randomly(turn);
        three.bench.step_randomly(turn);
        CHECK(one.bench.rewards == three.bench.rewards);
        CHECK(one.option_inputs == three.option_inputs);
        CHECK(one.option_summary == three.option_summary);
        CHECK(one.kinds == three.kinds);
    }
}

TEST(episodes_count_decisions_and_are_cut_off_after_them) {
    BatchOptions short_ones{.autoreset = Autoreset::disabled};
    short_ones.rules.max_steps = 5;
    Campaigns played(1, quick(), nullptr, short_ones);
    for (int step = 1; step <= 5; ++step) {
        std::int32_t first = 0;
        played.bench.batch.step(&first);  // nothing is bought: blind after blind
        CHECK_EQ(played.bench.stats[0].length, step);
        if (played.bench.terminated[0]) break;
        CHECK_EQ(played.bench.truncated[0], step == 5);
    }
    CHECK(played.bench.stats[0].decisions > 5);
    CHECK(played.bench.terminated[0] || played.bench.truncated[0]);
}

TEST(an_option_that_is_not_there_is_refused) {
    Campaigns played(1, quick());
    const RunState before = played.run(0);
    for (const std::int32_t number : {-1, played.source.count(0), 10'000}) {
        played.bench.batch.step(&number);
        CHECK_EQ(played.run(0).round, before.round);
    }
    CHECK_EQ(played.bench.stats[0].illegal, 3);
}

TEST(half_floats_are_the_nearest) {
    CHECK_EQ(half_of(0.0F), 0x0000);
    CHECK_EQ(half_of(1.0F), 0x3C00);
    CHECK_EQ(half_of(-2.0F), 0xC000);
    CHECK_EQ(half_of(0.1F), 0x2E66);
    CHECK_EQ(half_of(65504.0F), 0x7BFF);
    CHECK_EQ(half_of(1e6F), 0x7C00);
    CHECK_EQ(half_of(0x1p-24F), 0x0001);
    CHECK_EQ(half_of(0x1p-14F), 0x0400);
    CHECK_EQ(half_of(1 + 0x1p-11F), 0x3C00);  // ties to even
    CHECK_EQ(half_of(1 + 0x3p-11F), 0x3C02);
}

TEST(summaries_tell_options_apart) {
    Campaigns played(1, quick());
    std::set<std::vector<float>> seen;
    int shown = 0;
    for (std::uint64_t turn = 0; turn < 100; ++turn) {
        for (int i = 0; i < played.source.count(0); ++i) {
            const float* summary = &played.option_summary[static_cast<std::size_t>(i * summary_size)];
            CHECK(std::all_of(summary, summary + summary_size, [](float number) { return std::abs(number) < 20; }));
            seen.insert({summary, summary + summary_size});
            ++shown;
        }
        played.bench.step_randomly(turn);
    }
    CHECK(static_cast<int>(seen.size()) > shown / 2);
}
