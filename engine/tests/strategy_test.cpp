// The value, what it is told, and the options it judges.
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "check.hpp"
#include "play/determinize.hpp"
#include "play/edits.hpp"
#include "play/step.hpp"
#include "random_net.hpp"
#include "random_play.hpp"
#include "solve/quick.hpp"
#include "store/state_json.hpp"
#include "strategy/judge.hpp"
#include "strategy/targets.hpp"

namespace {

using namespace jimbo;
using tests::corrected_net;
using tests::random_layers;
using tests::random_net;
using tests::same_inputs;

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

float input_of(const RunState& run, InputGroup group, int index, int rollouts = 30) {
    ValueInputs inputs;
    write_inputs(run, {}, rollouts, inputs);
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const ValueInput& input) { return input.index == offset_of(group) + index; });
    return found == inputs.end() ? 0 : found->value;
}

TEST(no_more_rollouts_are_told_than_were_learnt_from) {
    const RunState run = start_run(*parse_seed("SKILL"), DeckId::red, StakeId::white);
    const float most = input_of(run, InputGroup::skill, 0, many_rollouts);
    CHECK(input_of(run, InputGroup::skill, 0, many_rollouts - 1) < most);
    CHECK_EQ(input_of(run, InputGroup::skill, 0, 20 * many_rollouts), most);
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
        const Effort settings{.finalists = 2, .worlds = 1};
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
double best_answer(RunState world, const Action& action, const Effort& settings, std::uint64_t nonce) {
    CHECK_EQ(step(world, action), Refusal::none);
    Judge judge(random_net());
    return judge.judge(world, settings, nonce)[0].worth;
}

TEST(a_policy_corrects_what_the_value_chooses_but_not_what_it_says) {
    int changed = 0;
    travel(6, [&](const RunState& run, tests::Dice&) {
        if (run.phase != Phase::shop) return;
        const Effort effort{.rollouts = 1, .finalists = 3, .worlds = 1};
        Judge judge(random_net());
        Judge corrected(corrected_net());
        const auto plain = judge.judge(run, {.rollouts = 1, .finalists = 0}, 1);
        const auto found = corrected.judge(run, effort, 1);
        for (const JudgedOption& one : found) {
            CHECK_EQ(one.preference, one.worth + one.correction);
            ValueInputs inputs;  // without a forecast, also where there is one
            const Option& option = corrected.options()[one.option];
            write_inputs(option.after, option.pending, effort.rollouts, inputs);
            const std::span<const ValueInput> known{inputs.data(), static_cast<std::size_t>(inputs.size())};
            CHECK_EQ(one.correction, corrected_net().correction(known));
            if (!one.forecast) CHECK_EQ(one.win, random_net().chances(known).back());
        }
        changed += plain[0].option != found[0].option;
    });
    CHECK(changed > 10);
}

TEST(only_who_cheats_sees_outcomes) {
    Judge judge(random_net());
    int seen = 0;
    int differ = 0;
    travel(6, [&](const RunState& run, tests::Dice&) {
        const auto worth_of_reroll = [&](const Effort& settings) -> std::optional<double> {
            for (const JudgedOption& judged : judge.judge(run, settings, 7)) {
                if (judge.options()[judged.option].pending.kind == Pending::Kind::reroll) return judged.worth;
            }
            return std::nullopt;
        };
        Effort settings{.finalists = 1000, .worlds = 1, .clairvoyant = true};
        const auto fair = worth_of_reroll(settings);
        settings.sees_outcomes = true;
        const auto seeing = worth_of_reroll(settings);
        if (!seeing) return;
        CHECK_EQ(*seeing,
                 best_answer(run, {ActionKind::reroll}, {.finalists = 3, .worlds = 1, .clairvoyant = true}, 7));
        ++seen;
        differ += *seeing != *fair;
    });
    CHECK(seen > 20 && differ > seen / 2);
}

}  // namespace
