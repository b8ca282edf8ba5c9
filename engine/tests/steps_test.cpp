// The fixed list of steps: the mask is what the rules allow, and every action can be reached.
#include "learn/steps.hpp"

#include <bit>
#include <cstring>
#include <map>
#include <set>

#include "check.hpp"
#include "tests/walk.hpp"

namespace {

using namespace jimbo;

using Mask = std::array<std::uint8_t, step_count>;

Mask mask_of(const RunState& run, std::uint64_t selected, bool moves = true) {
    Mask mask;
    mask.fill(7);
    write_step_mask(run, selected, moves, mask);
    return mask;
}

int step_by_name(const std::string& name) {
    static const std::map<std::string, int> ids = [] {
        std::map<std::string, int> all;
        for (int id = 0; id < step_count; ++id) all[step_name(id)] = id;
        return all;
    }();
    const auto found = ids.find(name);
    return found == ids.end() ? -1 : found->second;
}

bool same_state(const RunState& a, const RunState& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

TEST(names_are_one_of_a_kind) {
    std::set<std::string> names;
    for (int id = 0; id < step_count; ++id) names.insert(step_name(id));
    CHECK_EQ(static_cast<int>(names.size()), step_count);
    CHECK_EQ(step_name(0), "toggle_0");
    CHECK_EQ(step_name(64), "play");
    CHECK_EQ(step_name(72), "skip_pack");
    CHECK_EQ(step_name(106), "use_0");
    CHECK_EQ(step_name(first_move_step), "move_joker_left_1");
    CHECK_EQ(step_name(step_count - 1), "sort_hand_by_suit");
}

// --- Selecting -----------------------------------------------------------------------------------------------------

RunState dealt() {
    RunState run = start_run(*parse_seed("STEPS"), DeckId::red, StakeId::white);
    step(run, {ActionKind::select_blind});
    return run;
}

TEST(five_cards_and_no_more_can_be_selected) {
    RunState run = dealt();
    std::uint64_t selected = 0;
    for (int i = 0; i < 5; ++i) CHECK(apply_step(run, selected, i, false).refusal == Refusal::none);
    CHECK_EQ(selected, 0b11111u);
    CHECK(apply_step(run, selected, 5, false).refusal != Refusal::none);
    CHECK_EQ(selected, 0b11111u);
    CHECK_EQ(mask_of(run, selected)[5], 0);
    CHECK_EQ(mask_of(run, selected)[4], 1);
    CHECK(apply_step(run, selected, 4, false).refusal == Refusal::none);
    CHECK(apply_step(run, selected, 8, false).refusal != Refusal::none);
    CHECK_EQ(selected, 0b01111u);
}

TEST(a_play_uses_up_the_selection) {
    RunState run = dealt();
    RunState same_run = run;
    std::uint64_t selected = 0b1001;
    CHECK(apply_step(run, selected, step_by_name("play"), false).whole);
    CHECK_EQ(selected, 0u);
    step(same_run, {ActionKind::play, 0, 0, 0b1001});
    CHECK(same_state(run, same_run));
}

TEST(a_sale_leaves_the_selection_and_a_sort_does_not) {
    RunState run = dealt();
    edits::add_joker(run, JokerId::joker, Edition::base, {});
    std::uint64_t selected = 0b11;
    apply_step(run, selected, step_by_name("sell_joker_0"), true);
    CHECK(run.jokers.empty());
    CHECK_EQ(selected, 0b11u);
    apply_step(run, selected, step_by_name("sort_hand_by_suit"), true);
    CHECK_EQ(selected, 0u);
}

TEST(a_planet_ignores_the_selection_and_a_tarot_takes_it) {
    RunState run = dealt();
    edits::add_consumable(run, ConsumableId::pluto, Edition::base);
    edits::add_consumable(run, ConsumableId::empress, Edition::base);
    std::uint64_t selected = 0b11;
    apply_step(run, selected, step_by_name("use_0"), false);
    CHECK_EQ(run.stats(HandType::high_card).level, 2);
    CHECK_EQ(selected, 0b11u);
    const CardIndex first = run.hand[0];
    apply_step(run, selected, step_by_name("use_0"), false);
    CHECK(run.cards[first].enhancement == Enhancement::mult);
    CHECK_EQ(selected, 0u);
}

TEST(moves_only_where_asked_for) {
    RunState run = dealt();
    std::uint64_t selected = 0;
    const int move = step_by_name("move_card_left_3");
    CHECK_EQ(mask_of(run, 0, false)[static_cast<std::size_t>(move)], 0);
    CHECK_EQ(mask_of(run, 0, true)[static_cast<std::size_t>(move)], 1);
    CHECK(apply_step(run, selected, move, false).refusal != Refusal::none);
    const CardIndex third = run.hand[3];
    CHECK(apply_step(run, selected, move, true).refusal == Refusal::none);
    CHECK_EQ(run.hand[2], third);
}

// --- On the way through random runs --------------------------------------------------------------------------------

// The steps that lead from an empty selection to an action.
std::vector<int> steps_for(const Action& action) {
    std::vector<int> ids;
    for (std::uint64_t rest = action.cards; rest != 0; rest &= rest - 1) ids.push_back(std::countr_zero(rest));
    std::string name(action_names[static_cast<std::size_t>(action.kind)]);
    const bool move = action.kind == ActionKind::move_joker || action.kind == ActionKind::move_consumable ||
                      action.kind == ActionKind::move_card;
    if (!move) {
        const int numbered = step_by_name(name + '_' + std::to_string(action.index));
        ids.push_back(numbered >= 0 ? numbered : step_by_name(name));
        return ids;
    }
    // To the left: step by step. To the right: its right neighbours pass it.
    name += "_left_";
    for (int at = action.index; at > action.to; --at) ids.push_back(step_by_name(name + std::to_string(at)));
    for (int at = action.index; at < action.to; ++at) ids.push_back(step_by_name(name + std::to_string(at + 1)));
    return ids;
}

std::string reach(const RunState& run, const Action& action) {
    RunState by_steps = run;
    RunState at_once = run;
    std::uint64_t selected = 0;
    for (int id : steps_for(action)) {
        if (mask_of(by_steps, selected)[static_cast<std::size_t>(id)] != 1) return "masked " + step_name(id);
        if (apply_step(by_steps, selected, id, true).refusal != Refusal::none) return "refused " + step_name(id);
    }
    step(at_once, action);
    // Moves leave other bytes past the ends of lists.
    if (same_state(by_steps, at_once) || save_run(by_steps) == save_run(at_once)) return "";
    return "another state after " + tests::text_of(action);
}

// Mask and apply_step agree, and a refused step changes nothing.
std::string check_mask(const RunState& run, std::uint64_t selected) {
    const Mask mask = mask_of(run, selected);
    for (int id = -1; id <= step_count; ++id) {
        const bool marked = id >= 0 && id < step_count && mask[static_cast<std::size_t>(id)] == 1;
        RunState copy = run;
        std::uint64_t chosen = selected;
        const bool allowed = apply_step(copy, chosen, id, true).refusal == Refusal::none;
        if (allowed != marked) return "mask and rules differ at " + std::to_string(id);
        if (!allowed && (!same_state(copy, run) || chosen != selected)) return "a refused step changes something";
        if (!allowed) continue;
        if (std::popcount(chosen) > max_selected || (chosen & ~hand_positions(copy)) != 0) return "a wrong selection";
    }
    return "";
}

TEST(masks_are_legal_and_every_action_is_reached) {
    long reached = 0;
    std::set<ActionKind> kinds;
    std::string fault;
    tests::walk_random_runs(40, 11, [&](const RunState& run, tests::Dice& dice) {
        if (run.phase == Phase::game_over || !fault.empty()) return;
        const auto actions = tests::listed_or_sampled(run, dice);
        for (int n = 0; n < 3 && fault.empty(); ++n, ++reached) {
            const Action& action = dice.of(actions);
            fault = reach(run, action);
            kinds.insert(action.kind);
        }
        std::uint64_t selected = tests::random_positions(dice, std::max(1, run.hand.size()), 5);
        selected &= hand_positions(run);
        if (dice.one_in(10) && fault.empty()) fault = check_mask(run, selected);
    });
    CHECK_EQ(fault, "");
    CHECK(reached > 5000);
    CHECK(kinds.size() >= 21);
}

TEST(nothing_is_allowed_when_the_run_is_over) {
    RunState run = dealt();
    run.hands_left = 1;
    run.blind.target = 1e9;
    step(run, {ActionKind::play, 0, 0, 1});
    CHECK(run.phase == Phase::game_over);
    CHECK(mask_of(run, 0) == Mask{});
}

}  // namespace
