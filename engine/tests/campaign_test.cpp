// Runs as games for the search: fair, repeatable, and on the scale that was promised.
#include "campaign/campaign.hpp"

#include <algorithm>
#include <array>

#include "arena/self_play_of.hpp"
#include "check.hpp"
#include "play/determinize.hpp"

using namespace jimbo;

namespace {

using Row = std::array<float, Campaign::facts.obs_size>;

Row row_of(const CampaignState& state) {
    Row row{};
    Campaign::observe(state, row.data());
    return row;
}

// Decisions of one game, each drawn at random.
std::vector<CampaignState> played(std::uint64_t seed) {
    SplitMix random(seed);
    std::vector<CampaignState> states{Campaign::start(random)};
    while (!Campaign::ending(states.back())) {
        CampaignState next = states.back();
        Campaign::step(next, static_cast<int>(random.below(next.count)), random);
        states.push_back(next);
    }
    return states;
}

// The same position with everything hidden replaced.
CampaignState replaced(const CampaignState& state, std::uint64_t nonce) {
    CampaignState other = state;
    other.run = determinize(state.run, nonce);
    return other;
}

}  // namespace

TEST(decisions_and_rows_show_nothing_hidden) {
    std::array<int, 6> phases{};
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        for (const CampaignState& state : played(seed)) {
            ++phases[static_cast<std::size_t>(state.run.phase)];
            const CampaignState other = Campaign::from_run(determinize(state.run, 99));
            if (Campaign::ending(state)) continue;
            CHECK_EQ(other.count, state.count);
            CHECK(other.actions == state.actions);
            CHECK_EQ(other.look, state.look);
            CHECK(row_of(other) == row_of(state));
        }
    }
    CHECK(phases[static_cast<std::size_t>(Phase::blind_select)] > 0);
    CHECK(phases[static_cast<std::size_t>(Phase::shop)] > 0);
    CHECK(phases[static_cast<std::size_t>(Phase::pack_opening)] > 0);
    CHECK_EQ(phases[static_cast<std::size_t>(Phase::round_eval)], 0);
}

TEST(a_search_decides_the_same_whatever_is_hidden) {
    SearchSettings settings;
    settings.simulations = 40;
    for (const SearchKind kind : {SearchKind::puct, SearchKind::gumbel}) {
        settings.kind = kind;
        for (const CampaignState& state : played(5)) {
            if (Campaign::ending(state)) continue;
            const auto searched = [&](const CampaignState& from) {
                SplitMix random(3);
                Search<Campaign> search;
                search.begin(from, settings);
                search.run_uniform(settings.simulations, random);
                return search.policy();
            };
            CHECK(searched(state) == searched(replaced(state, 11)));
        }
    }
}

TEST(the_same_decisions_lead_to_the_same_position) {
    for (const CampaignState& state : played(6)) {
        std::array<std::uint8_t, Campaign::state_size> bytes{};
        Campaign::write_state(state, bytes.data());
        const auto again = Campaign::read_state(bytes.data());
        CHECK(again.has_value());
        CHECK_EQ(again->look, state.look);
        CHECK(again->actions == state.actions);
        bytes[made_seed_length + 2] = 200;  // there is no such action
        if (state.steps > 0) CHECK(!Campaign::read_state(bytes.data()).has_value());
    }
}

TEST(outcomes_run_from_minus_one_to_one) {
    CampaignState state = played(7).back();
    const float end = *Campaign::ending(state);
    CHECK(end >= -1 && end < 0);
    state.run.won = true;
    CHECK_EQ(*Campaign::ending(state), 1.0F);
    RunState run = state.run;
    run.won = false;
    run.ante = 1;
    run.on_deck = BlindSlot::small;
    CHECK_EQ(Campaign::worth(run), -1.0F);
    run.ante = win_ante;
    run.on_deck = BlindSlot::boss;
    CHECK_EQ(Campaign::worth(run), 23.0F / 24 - 1);
}

TEST(worlds_that_look_the_same_are_one_position) {
    SplitMix random(8);
    SearchSettings settings;
    settings.simulations = 120;
    settings.dirichlet_weight = 0;
    Search<Campaign> search;
    search.begin(Campaign::start(random), settings);
    search.run_uniform(120, random);
    float sum = 0;
    for (const float share : search.policy()) sum += share;
    CHECK(std::abs(sum - 1) < 1e-4F);
    CHECK_EQ(search.simulations(), 120);
}

// Chances to win that fall with the dollars that are left.
ValueNet thrifty() {
    std::vector<float> first(value_input_count, 0.0F);
    for (int knot = 0; knot < 16; ++knot) first[static_cast<std::size_t>(offset_of(InputGroup::dollars) + knot)] = 0.1F;
    return ValueNet(
        {{value_input_count, 1, first, {0.0F}},
         {1, 1, {1.0F}, {0.0F}},
         {1, value_blinds, std::vector<float>(value_blinds, 1.0F), std::vector<float>(value_blinds, -2.0F)}});
}

TEST(a_learnt_value_evaluates_positions_by_what_a_player_may_know) {
    const ValueNet net = thrifty();
    CampaignEvaluator evaluator(net);
    int told_apart = 0;
    for (const CampaignState& state : played(9)) {
        if (Campaign::ending(state)) continue;
        std::array<float, campaign_actions> logits{};
        std::array<float, campaign_actions> again{};
        const float value = evaluator.evaluate(state, logits.data());
        CHECK(value > -1 && value < 1);
        CHECK_EQ(value, evaluator.evaluate(replaced(state, 12), again.data()));
        CHECK(logits == again);
        CHECK_EQ(*std::max_element(logits.begin(), logits.begin() + state.count), 0.0F);
        told_apart += *std::min_element(logits.begin(), logits.begin() + state.count) < 0;
    }
    CHECK(told_apart > 0);
}

TEST(searches_are_evaluated_by_a_learnt_value) {
    const ValueNet net = thrifty();
    SearchSettings settings;
    settings.simulations = 8;
    const auto searched = [&](int threads) {
        SelfPlayOf<Campaign> players(4, {settings, 3, threads});
        for (int i = 0; i < 40; ++i) {
            players.collect();
            players.evaluate_by(net);
        }
        return std::pair(players.moves(), players.simulations());
    };
    CHECK(searched(1).first > 0);
    CHECK(searched(1) == searched(3));
}

TEST(games_are_the_same_with_any_number_of_threads) {
    SearchSettings settings;
    settings.simulations = 12;
    const auto actions = [&](int threads) {
        SelfPlayOf<Campaign> players(6, {settings, 3, threads});
        players.run_uniform(6000);
        return std::pair(players.moves(), players.finished_rows());
    };
    CHECK(actions(1) == actions(3));
}
