// Which actions the rules allow.
#pragma once

#include <string_view>
#include <vector>

#include "play/action.hpp"
#include "state/run_state.hpp"

namespace jimbo {

// clang-format off
enum class Refusal : std::uint8_t {
    none, wrong_phase, no_such_place, no_cards_selected, too_many_cards, forced_card_missing, no_hands_left,
    no_discards_left, boss_cannot_be_skipped, not_enough_money, no_room, cannot_be_used_now, wrong_number_of_targets,
    eternal, no_boss_reroll, pinned, nothing_to_do,
};
// clang-format on

std::string_view explain(Refusal refusal);

// Why an action is not allowed now; `none` if it is.
Refusal check(const RunState& run, const Action& action);

// Hand positions as bits: all of them, and those a consumable may be used on.
std::uint64_t hand_positions(const RunState& run);
std::uint64_t target_positions(const RunState& run, ConsumableId key);
// Cerulean Bell's card, which is part of every selection.
std::uint64_t forced_positions(const RunState& run);

// Every allowed action but moves and sorts, whose number grows with the square of the cards; `with_moves` adds them.
// Uses with targets are listed for every allowed choice of targets.
std::vector<Action> legal_actions(const RunState& run, bool with_moves = false);

}  // namespace jimbo
