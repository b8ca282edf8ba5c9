// Hands that are played for the sake of the whole run.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "play/step.hpp"
#include "random_net.hpp"
#include "strategy/hands.hpp"

namespace {

using namespace jimbo;
using tests::random_layers;
using tests::random_net;

// Thinks well of runs that have often played one poker hand, and of nothing else.
ValueNet fond_of(int hand) {
    std::vector<ValueNet::Layer> layers{
        {value_input_count, 1, {}, {0.0F}}, {1, 1, {1.0F}, {0.0F}}, {1, value_blinds, {}, {}}};
    layers[0].weights.assign(static_cast<std::size_t>(value_input_count), 0.0F);
    layers[0].weights[static_cast<std::size_t>(offset_of(InputGroup::plays) + hand)] = 6.0F;
    layers[2].weights.assign(value_blinds, 1.0F);
    layers[2].bias.assign(value_blinds, -4.0F);
    return ValueNet(layers);
}

// Which poker hand an action plays, or -1.
int played_hand(RunState run, const Action& action) {
    const auto before = run.hands;
    step(run, action);
    for (int hand = 0; hand < hand_type_count; ++hand) {
        const auto place = static_cast<std::size_t>(hand);
        if (run.hands[place].played > before[place].played) return hand;
    }
    return -1;
}

TEST(of_hands_that_clear_alike_the_best_for_the_run_is_played) {
    int other = 0;
    for (int number = 0; number < 8; ++number) {
        RunState run = start_run(*parse_seed("HANDS" + std::to_string(number)), DeckId::red, StakeId::white);
        for (HandStats& hand : run.hands) hand.level = 12;
        step(run, {ActionKind::select_blind});
        for (const int rollouts : {200, many_rollouts}) {
            for (const SolvedAction& solved : solve_blind(run, {.rollouts = rollouts})) {
                const int hand = played_hand(run, solved.action);
                if (hand < 0 || solved.clear < 1) continue;
                const ValueNet net = fond_of(hand);
                CHECK_EQ(played_hand(run, solve_by_value(net, run, {.rollouts = rollouts}).front().action), hand);
                const auto few = solve_by_value(net, run, {.rollouts = many_rollouts - 1});
                const auto alone = solve_blind(run, {.rollouts = many_rollouts - 1});
                CHECK_EQ(few.front().value, alone.front().value);
                other += played_hand(run, few.front().action) != hand;
            }
        }
    }
    CHECK(other > 8);
}

// A boss that is beaten counts, even where hardly anything is hoped of the rest of the run.
TEST(no_lost_blind_is_better_than_a_cleared_one) {
    std::vector<ValueNet::Layer> layers = random_layers();
    for (float& bias : layers[2].bias) bias -= 18;
    const ValueNet gloomy(layers);
    std::vector<ValueNet::Layer> worst = layers;
    for (float& bias : worst[2].bias) bias = -2000;
    const ValueNet hopeless(worst);
    int certain = 0;
    for (int number = 0; number < 24; ++number) {
        RunState run = start_run(*parse_seed("BOSS" + std::to_string(number)), DeckId::red, StakeId::white);
        for (HandStats& hand : run.hands) hand.level = static_cast<decltype(hand.level)>(1 + number % 12);
        run.ante = static_cast<decltype(run.ante)>(number % 8 + 1);
        run.on_deck = BlindSlot::boss;
        step(run, {ActionKind::select_blind});
        for (const ValueNet* net : {&random_net(), &gloomy, &hopeless}) {
            double cleared = 1e18;
            double lost = 0;
            for (const SolvedAction& solved : solve_by_value(*net, run, {.rollouts = 100})) {
                CHECK(std::isfinite(solved.value));
                if (solved.clear == 1) cleared = std::min(cleared, solved.value);
                if (solved.clear == 0) lost = std::max(lost, solved.value);
                certain += solved.clear == 1 || solved.clear == 0;
            }
            CHECK(lost <= cleared);
            if (net == &gloomy) CHECK(cleared > 1);
        }
        run.won = true;  // and played on
        const auto beyond = solve_by_value(gloomy, run, {.rollouts = 100});
        CHECK_EQ(beyond.front().value, solve_blind(run, {.rollouts = 100}).front().value);
    }
    CHECK(certain > 100);
}

TEST(threads_solve_by_value_alike) {
    RunState run = start_run(*parse_seed("THREADS"), DeckId::red, StakeId::white);
    step(run, {ActionKind::select_blind});
    const auto one = solve_by_value(random_net(), run, {.rollouts = 300});
    const auto two = solve_by_value(random_net(), run, {.rollouts = 300, .threads = 2});
    CHECK_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) CHECK_EQ(one[i].value, two[i].value);
}

}  // namespace
