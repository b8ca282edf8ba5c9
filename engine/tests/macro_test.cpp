// The value, what it is told, the options it judges, and the games that are played by it.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "check.hpp"
#include "macro/games.hpp"
#include "macro/hands.hpp"
#include "macro/targets.hpp"
#include "play/determinize.hpp"
#include "play/edits.hpp"
#include "play/step.hpp"
#include "random_play.hpp"
#include "solve/quick.hpp"
#include "store/state_json.hpp"

namespace {

using namespace jimbo;

ValueNet::Layer random_layer(int inputs, int outputs, SplitMix& random) {
    const auto draw = [&] { return (static_cast<float>(random.below(2001)) - 1000) / 2000; };
    ValueNet::Layer layer{inputs, outputs, {}, {}};
    for (int i = 0; i < inputs * outputs; ++i) layer.weights.push_back(draw());
    for (int i = 0; i < outputs; ++i) layer.bias.push_back(draw());
    return layer;
}

std::vector<ValueNet::Layer> random_layers() {
    SplitMix random(4);
    return {random_layer(value_input_count, 16, random), random_layer(16, 8, random),
            random_layer(8, value_blinds, random)};
}

const ValueNet& random_net() {
    static const ValueNet net(random_layers());
    return net;
}

std::string text_of_run(const RunState& run) { return state_to_json(run).dump(); }

// A strong run with money, jokers and consumables: it lives long and has much to decide.
RunState rich_run(int number, tests::Dice& dice) {
    const auto deck = static_cast<DeckId>(number % 15);
    const auto stake = static_cast<StakeId>(number % stake_count);
    RunState run = start_run(*parse_seed("MACRO" + std::to_string(number)), deck, stake);
    run.dollars = 80;
    for (HandStats& hand : run.hands) hand.level = 12;
    for (int i = 0; i < 4; ++i) {
        const Stickers stickers{.eternal = dice.one_in(5), .rental = dice.one_in(5)};
        edits::add_joker(run, static_cast<JokerId>(dice.below(joker_count)), Edition::base, stickers);
    }
    return run;
}

// Visits what runs come to whose decisions are drawn from the options.
template <typename Visit>
void travel(int runs, Visit visit) {
    OptionList options;
    for (int number = 0; number < runs; ++number) {
        tests::Dice dice(static_cast<std::uint64_t>(number));
        RunState run = rich_run(number, dice);
        for (int turn = 0; turn < 90 && run.phase != Phase::game_over; ++turn) {
            if (run.phase == Phase::round_eval) step(run, {ActionKind::cash_out});
            if (dice.one_in(4)) {
                edits::add_consumable(run, static_cast<ConsumableId>(dice.below(consumable_count)), Edition::base);
            }
            visit(static_cast<const RunState&>(run), dice);
            SplitMix random(dice.next());
            const bool plays = run.phase == Phase::selecting_hand && dice.one_in(2);
            options.list(run);
            const Option& option = options[dice.below(options.size())];
            if (plays) {
                step(run, quick_action(run, blind_basis(run, random), random));
            } else {
                for (const Action& action : option.actions) step(run, action);
            }
        }
    }
}

// The run as the actions make it; a check fails where one is not allowed.
RunState taken(RunState run, const Option& option) {
    for (const Action& action : option.actions) CHECK_EQ(step(run, action), Refusal::none);
    return run;
}

TEST(every_option_is_allowed_and_leads_to_what_follows) {
    OptionList options;
    int compared = 0;
    int hidden = 0;
    travel(12, [&](const RunState& run, tests::Dice& dice) {
        options.list(run);
        CHECK(options.size() > 0);
        for (int i = 0; i < options.size(); ++i) {
            const Option& option = options[i];
            const bool selects = !option.actions.empty() && option.actions[0].kind == ActionKind::select_blind;
            const RunState after = taken(run, option);
            const Pending::Kind pending = option.pending.kind;
            const bool paid = pending == Pending::Kind::pack || pending == Pending::Kind::reroll;
            if (paid || pending == Pending::Kind::boss) {
                ++hidden;
                CHECK_EQ(option.after.dollars, after.dollars);
            } else if (pending != Pending::Kind::consumable && dice.one_in(6)) {
                ++compared;  // a blind that is played is judged as it stands before
                CHECK_EQ(text_of_run(option.after), text_of_run(selects ? run : after));
            }
        }
    });
    CHECK(compared > 200);
    CHECK(hidden > 200);
}

TEST(options_keep_nothing_from_the_list_before) {
    OptionList used;
    travel(4, [&](const RunState& run, tests::Dice&) {
        OptionList fresh;
        used.list(run);
        fresh.list(run);
        CHECK_EQ(used.size(), fresh.size());
        const int last = fresh.size() - 1;
        CHECK_EQ(text_of_run(used[last].after), text_of_run(fresh[last].after));
    });
}

TEST(consumables_are_used_on_cards_that_they_take) {
    int targets = 0;
    travel(12, [&](const RunState& run, tests::Dice&) {
        if (run.phase != Phase::selecting_hand) return;
        for (const ConsumableFact& consumable : consumable_facts) {
            if (consumable.max_targets == 0) continue;
            RunState held = run;
            held.consumables.clear();
            edits::add_consumable(held, consumable.id, Edition::base);
            for (std::uint64_t cards : target_choices(held, consumable.id)) {
                CHECK_EQ(jimbo::check(held, Action{ActionKind::use, 0, 0, cards}), Refusal::none);
                ++targets;
            }
        }
    });
    CHECK(targets > 500);
}

// The same with doubles, weights by output.
std::array<double, value_blinds> plain_chances(const std::vector<ValueNet::Layer>& layers, std::vector<double> values) {
    for (std::size_t l = 0; l < layers.size(); ++l) {
        std::vector<double> next;
        for (int o = 0; o < layers[l].outputs; ++o) {
            double sum = layers[l].bias[static_cast<std::size_t>(o)];
            for (int i = 0; i < layers[l].inputs; ++i) {
                sum += values[static_cast<std::size_t>(i)] *
                       layers[l].weights[static_cast<std::size_t>(i * layers[l].outputs + o)];
            }
            next.push_back(l + 1 < layers.size() ? std::max(0.0, sum) : 1 / (1 + std::exp(-sum)));
        }
        values = next;
    }
    std::array<double, value_blinds> chances{};
    std::copy(values.begin(), values.end(), chances.begin());
    return chances;
}

TEST(the_net_computes_what_its_layers_say) {
    const auto layers = random_layers();
    SplitMix random(9);
    for (int n = 0; n < 20; ++n) {
        std::vector<ValueInput> inputs;
        std::vector<double> values(static_cast<std::size_t>(value_input_count), 0.0);
        for (int k = 0; k < 60; ++k) {
            const auto index = static_cast<std::uint16_t>(random.below(static_cast<std::uint64_t>(value_input_count)));
            const float value = (static_cast<float>(random.below(401)) - 200) / 100;
            inputs.push_back({index, value});
            values[index] += value;  // one that comes twice counts twice
        }
        const auto found = random_net().chances(inputs);
        const auto plain = plain_chances(layers, values);
        for (std::size_t b = 0; b < found.size(); ++b) CHECK(std::abs(found[b] - plain[b]) < 1e-5);
    }
}

bool is_refused(std::vector<ValueNet::Layer> layers) {
    try {
        ValueNet net(std::move(layers));
        return false;
    } catch (const std::invalid_argument&) {
        return true;
    }
}

TEST(layers_that_do_not_fit_are_refused) {
    auto layers = random_layers();
    CHECK(!is_refused(layers));
    CHECK(is_refused({layers[0], layers[1]}));
    CHECK(is_refused({layers[0], layers[2], layers[1]}));
    layers[1].weights.pop_back();
    CHECK(is_refused(layers));
}

TEST(beating_bosses_tells_lost_runs_apart) {
    ValueNet::Chances chances{};
    chances.fill(1e-6);
    const double lost = worth(chances, 3);
    CHECK_EQ(worth(chances, 4), lost);  // a blind that is passed is no progress by itself
    chances[4] = 0.5;
    CHECK_EQ(worth(chances, 3), lost);  // it can be skipped
    chances[20] = 0.5;
    const double near = worth(chances, 3);
    CHECK(near > lost);
    std::swap(chances[20], chances[5]);
    CHECK(worth(chances, 3) < near);
    chances.back() = 0.5;
    CHECK(worth(chances, 3) > near);
}

TEST(inputs_are_in_range_and_fit_their_list) {
    int most = 0;
    travel(12, [&](const RunState& run, tests::Dice&) {
        ValueInputs inputs;
        write_inputs(run, {Pending::Kind::reroll, 0}, 30, inputs);
        write_forecast(run, forecast(run, {.rounds = forecast_rounds(run), .worlds = 1}), 2, inputs);
        for (const ValueInput& input : inputs) {
            CHECK(input.index < value_input_count);
            CHECK(std::isfinite(input.value) && std::abs(input.value) <= 40);
        }
        most = std::max(most, inputs.size());
    });
    CHECK(most > 80);
    CHECK(most < ValueInputs::capacity);
}

float input_of(const RunState& run, InputGroup group, int index) {
    ValueInputs inputs;
    write_inputs(run, {}, 30, inputs);
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const ValueInput& input) { return input.index == offset_of(group) + index; });
    return found == inputs.end() ? 0 : found->value;
}

TEST(a_perishable_joker_is_told_with_its_rounds) {
    RunState run = start_run(*parse_seed("PERISH"), DeckId::red, StakeId::gold);
    const int key = static_cast<int>(JokerId::mime);
    CHECK_EQ(input_of(run, InputGroup::perishable, key), 0.0F);
    edits::add_joker(run, JokerId::mime, Edition::base, {.perishable = true}, 3);
    CHECK_EQ(input_of(run, InputGroup::perishable, key), 1.0F);
    CHECK_EQ(input_of(run, InputGroup::rounds_left, key), 0.6F);
    run.jokers[0].perish_left = 0;
    CHECK_EQ(input_of(run, InputGroup::perishable, key), 1.0F);
    CHECK_EQ(input_of(run, InputGroup::rounds_left, key), 0.0F);
}

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
        for (const SolvedAction& solved : solve_blind(run, {.rollouts = 200})) {
            const int hand = played_hand(run, solved.action);
            if (hand < 0 || solved.clear < 1) continue;
            const ValueNet net = fond_of(hand);
            CHECK_EQ(played_hand(run, solve_by_value(net, run, {.rollouts = 200}).front().action), hand);
            CHECK_EQ(played_hand(run, blind_action(net, run, 200, 0)), hand);
            const auto few = solve_by_value(net, run, {.rollouts = 30});
            const auto alone = solve_blind(run, {.rollouts = 30});
            CHECK_EQ(few.front().value, alone.front().value);
            other += played_hand(run, few.front().action) != hand;
        }
    }
    CHECK(other > 8);
}

// A boss that is beaten counts, even where hardly anything is hoped of the rest of the run.
TEST(no_lost_blind_is_better_than_a_cleared_one) {
    std::vector<ValueNet::Layer> layers = random_layers();
    for (float& bias : layers[2].bias) bias -= 9;
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

bool same_inputs(std::span<const ValueInput> a, std::span<const ValueInput> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ValueInput& x, const ValueInput& y) {
        return x.index == y.index && x.value == y.value;
    });
}

TEST(nothing_hidden_enters) {
    Judge first(random_net());
    Judge second(random_net());
    int judged = 0;
    travel(8, [&](const RunState& run, tests::Dice& dice) {
        const RunState other = determinize(run, dice.next());
        ValueInputs seen;
        ValueInputs hidden_anew;
        write_inputs(run, {}, 30, seen);
        write_inputs(other, {}, 30, hidden_anew);
        CHECK(same_inputs({seen.data(), static_cast<std::size_t>(seen.size())},
                          {hidden_anew.data(), static_cast<std::size_t>(hidden_anew.size())}));
        // A view drawn from one nonce is the same, whatever was hidden before.
        const MacroSettings settings{.finalists = 2, .worlds = 1, .outcomes = dice.one_in(4) ? 2 : 0};
        const auto a = first.judge(determinize(run, 5), settings, 1);
        const auto b = second.judge(determinize(other, 5), settings, 1);
        CHECK_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            CHECK_EQ(a[i].option, b[i].option);
            CHECK_EQ(a[i].worth, b[i].worth);
            ++judged;
        }
    });
    CHECK(judged > 1000);
}

TEST(finalists_are_looked_at_longer_and_come_first) {
    Judge judge(random_net());
    int added = 0;
    travel(4, [&](const RunState& run, tests::Dice&) {
        const auto judged = judge.judge(run, {.finalists = 3, .worlds = 1}, 1);
        const auto is_looked_at = [](const JudgedOption& option) { return option.forecast; };
        const auto finalists = static_cast<std::size_t>(std::count_if(judged.begin(), judged.end(), is_looked_at));
        const std::size_t best = judged.size() > 1 ? std::min<std::size_t>(3, judged.size()) : 0;
        CHECK(finalists == best || finalists == best + 1);
        added += finalists > best;
        for (std::size_t i = 0; i < judged.size(); ++i) {
            CHECK_EQ(judged[i].forecast, i < finalists);
            if (judged[i].option == 0) CHECK(judged[i].forecast || judged.size() == 1);
            CHECK(judged[i].win > 0 && judged[i].win < 1);
            if (i > 0 && i != finalists) CHECK(judged[i - 1].worth >= judged[i].worth);
        }
    });
    CHECK(added > 10);  // going on is measured alike, even where it is not among the best
}

// What the best answer to an action in a world is worth.
double best_answer(RunState world, const Action& action, const MacroSettings& settings, std::uint64_t nonce) {
    CHECK_EQ(step(world, action), Refusal::none);
    Judge judge(random_net());
    return judge.judge(world, settings, nonce)[0].worth;
}

TEST(outcomes_are_tried_out_and_answered) {
    Judge judge(random_net());
    const MacroSettings answering{.finalists = 3, .worlds = 1};
    int tried = 0;
    travel(6, [&](const RunState& run, tests::Dice&) {
        MacroSettings settings{.finalists = 1000, .worlds = 1, .outcomes = 3};
        for (const JudgedOption& judged : judge.judge(run, settings, 7)) {
            const Option& option = judge.options()[judged.option];
            if (option.pending.kind != Pending::Kind::reroll) continue;
            double sum = 0;
            for (std::uint64_t n = 0; n < 3; ++n) {
                const RunState world = determinize(run, SplitMix(7 + n).next());
                sum += std::exp(best_answer(world, option.actions[0], answering, 7));
            }
            CHECK_EQ(judged.worth, std::log(sum / 3));
            ++tried;
        }
        settings.clairvoyant = true;
        for (const JudgedOption& judged : judge.judge(run, settings, 7)) {
            const Option& option = judge.options()[judged.option];
            if (option.pending.kind != Pending::Kind::reroll) continue;
            const MacroSettings sees{.finalists = 3, .worlds = 1, .clairvoyant = true};
            CHECK_EQ(judged.worth, std::log(std::exp(best_answer(run, option.actions[0], sees, 7))));
        }
    });
    CHECK(tried > 20);
}

std::vector<GameStart> some_starts(int count) {
    std::vector<GameStart> starts;
    for (int i = 0; i < count; ++i) {
        const auto stake = static_cast<StakeId>(i % stake_count);
        starts.push_back(
            {*parse_seed("GAME" + std::to_string(i)), DeckId::red, stake, static_cast<std::uint64_t>(i), i % 2 == 0});
    }
    return starts;
}

TEST(threads_play_the_same_games) {
    const GameSettings settings{{.rollouts = 1, .finalists = 2, .worlds = 1}, 0.1, 0.3, 0.5};
    const auto starts = some_starts(12);
    const auto alone = play_games(random_net(), starts, settings, 1);
    const auto shared = play_games(random_net(), starts, settings, 3);
    std::size_t kept = 0;
    for (std::size_t g = 0; g < starts.size(); ++g) {
        CHECK_EQ(alone[g].round, shared[g].round);
        CHECK_EQ(alone[g].decisions, shared[g].decisions);
        CHECK_EQ(alone[g].hands, shared[g].hands);
        CHECK_EQ(alone[g].positions.size(), shared[g].positions.size());
        kept += alone[g].positions.size();
        for (std::size_t p = 0; p < alone[g].positions.size(); ++p) {
            CHECK(same_inputs(alone[g].positions[p].inputs, shared[g].positions[p].inputs));
        }
    }
    CHECK(kept > 30);
}

TEST(kept_positions_have_forecasts_of_their_own) {
    GameSettings settings{{.rollouts = 1, .finalists = 0}, 0.1, 0.3, 0.5};
    const auto told_worlds = [&] {
        std::vector<int> worlds;
        for (const PlayedGame& game : play_games(random_net(), some_starts(12), settings, 1)) {
            for (const KeptPosition& position : game.positions) {
                const auto told = std::find_if(position.inputs.begin(), position.inputs.end(), [](const ValueInput& i) {
                    return i.index == offset_of(InputGroup::forecast_known);
                });
                // How many worlds is told by the next input, which is left out where it is 0.
                const bool more = told != position.inputs.end() && std::next(told) != position.inputs.end() &&
                                  std::next(told)->index == told->index + 1;
                worlds.push_back(told == position.inputs.end() ? 0
                                 : more                        ? 1 << std::lround(4 * std::next(told)->value)
                                                               : 1);
            }
        }
        return worlds;
    };
    const auto without = told_worlds();
    CHECK(without.size() > 30);
    CHECK(std::all_of(without.begin(), without.end(), [](int worlds) { return worlds == 0; }));
    settings.kept_worlds = 5;
    const auto with = told_worlds();
    for (int worlds : {1, 2, 4}) CHECK(std::count(with.begin(), with.end(), worlds) > 5);
    CHECK(std::all_of(with.begin(), with.end(), [](int worlds) { return worlds == 1 || worlds == 2 || worlds == 4; }));
}

TEST(a_position_knows_what_came_of_later_blinds) {
    const auto games = play_games(random_net(), some_starts(12), {{.rollouts = 1, .finalists = 0}, 0.1, 0.3, 1.0}, 1);
    for (const PlayedGame& game : games) {
        const auto taken = std::count_if(game.positions.begin(), game.positions.end(),
                                         [](const KeptPosition& position) { return position.taken; });
        CHECK_EQ(taken, std::ptrdiff_t{game.decisions});
        for (const KeptPosition& position : game.positions) {
            int lost = 0;
            for (std::size_t b = 0; b < position.fates.size(); ++b) {
                const int cleared = position.fates[b].cleared;
                if (b < position.next) CHECK_EQ(cleared, -1);
                if (lost > 0) CHECK_EQ(cleared, -1);
                lost += cleared == 0;
            }
            CHECK_EQ(lost, position.taken && !game.won ? 1 : 0);
        }
    }
}

TEST(lost_runs_have_second_chances) {
    GameSettings settings{{.rollouts = 30, .finalists = 0}, 0.0, 0.0, 1.0};
    const auto plain = play_games(random_net(), some_starts(12), settings, 1);
    settings.second_chances = 2;
    const auto games = play_games(random_net(), some_starts(12), settings, 2);
    int again = 0;
    for (std::size_t g = 0; g < games.size(); ++g) {
        CHECK_EQ(games[g].won, plain[g].won);
        CHECK_EQ(games[g].round, plain[g].round);
        const auto& positions = games[g].positions;
        const std::size_t itself = plain[g].positions.size();
        for (std::size_t p = 0; p < positions.size(); ++p) {
            CHECK_EQ(positions[p].attempt == 0, p < itself);
            if (p < itself) {
                CHECK(same_inputs(positions[p].inputs, plain[g].positions[p].inputs));
                continue;
            }
            again += positions[p].attempt != positions[p - 1].attempt;
            CHECK(positions[p].next > 0);  // there is a shop after a blind
            // What became of the attempt itself.
            const auto& fates = positions[p].fates;
            const auto is_lost = [](const BlindFate& fate) { return fate.cleared == 0; };
            CHECK(std::count_if(fates.begin(), fates.end(), is_lost) <= 1);
            for (int b = 0; b < positions[p].next; ++b) CHECK_EQ(fates[static_cast<std::size_t>(b)].cleared, -1);
        }
    }
    CHECK(again > 3);
}

}  // namespace
