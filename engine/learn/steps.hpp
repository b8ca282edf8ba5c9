// Every action as a short sequence of steps out of one fixed list, for agents that choose among a fixed number of
// things. Cards of the hand are selected one by one; whatever needs cards then takes the selected ones.
//
//       0 ..  63  toggle_0 .. toggle_63            select or unselect a card of the hand, at most five of them
//      64,    65  play, discard                    the selected cards
//      66 ..  72  select_blind, skip_blind, reroll_boss, cash_out, reroll, leave_shop, skip_pack
//      73 ..  80  buy_0 .. buy_7                   a card of the shop
//      81 ..  88  buy_and_use_0 .. buy_and_use_7   on the selected cards
//      89 ..  96  redeem_0 .. redeem_7             a voucher of the shop
//      97 .. 100  open_booster_0 .. open_booster_3
//     101 .. 105  pick_0 .. pick_4                 a card of the open pack, on the selected cards
//     106 .. 153  use_0 .. use_47                  a consumable, on the selected cards
//     154 .. 185  sell_joker_0 .. sell_joker_31
//     186 .. 233  sell_consumable_0 .. sell_consumable_47
//     ------------------------------------------- only with moves
//     234 .. 264  move_joker_left_1 .. _31         changes places with its left neighbour
//     265 .. 311  move_consumable_left_1 .. _47
//     312 .. 374  move_card_left_1 .. _63
//     375,   376  sort_hand_by_rank, sort_hand_by_suit
//
// What takes no targets ignores the selection. The selection is empty again when it was used or the hand changed.
#pragma once

#include <span>
#include <string>

#include "play/step.hpp"

namespace jimbo {

inline constexpr int toggle_count = max_hand;
inline constexpr int first_move_step = 234;
inline constexpr int step_count = 377;

std::string step_name(int id);

struct StepResult {
    Refusal refusal = Refusal::none;
    bool whole = false;  // an action of the engine, not just a toggle
};

// Whether a card may be selected or unselected.
bool can_toggle(const RunState& run, std::uint64_t selected, int position);

// The action that a step stands for; not for toggles.
Action action_of_step(const RunState& run, std::uint64_t selected, int id);

// Does one step; a refused one changes nothing, and neither does a number that is not a step.
StepResult apply_step(RunState& run, std::uint64_t& selected, int id, bool moves);

// 1 for each allowed step, 0 for the others.
void write_step_mask(const RunState& run, std::uint64_t selected, bool moves, std::span<std::uint8_t, step_count> mask);

}  // namespace jimbo
