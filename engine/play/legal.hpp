// Which actions the rules allow.
#pragma once

#include <array>
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

struct RefusalFact {
    Refusal id;
    std::string_view name;
    std::string_view sentence;
};

inline constexpr std::array<RefusalFact, 17> refusal_facts{{
    {Refusal::none, "none", "allowed"},
    {Refusal::wrong_phase, "wrong_phase", "not possible in this phase of the game"},
    {Refusal::no_such_place, "no_such_place", "there is no card at this place"},
    {Refusal::no_cards_selected, "no_cards_selected", "select at least one card of the hand"},
    {Refusal::too_many_cards, "too_many_cards", "select at most five cards of the hand"},
    {Refusal::forced_card_missing, "forced_card_missing", "Cerulean Bell's card must be among the selected ones"},
    {Refusal::no_hands_left, "no_hands_left", "no hands are left"},
    {Refusal::no_discards_left, "no_discards_left", "no discards are left"},
    {Refusal::boss_cannot_be_skipped, "boss_cannot_be_skipped", "a boss blind cannot be skipped"},
    {Refusal::not_enough_money, "not_enough_money", "not enough money"},
    {Refusal::no_room, "no_room", "no free slot for it"},
    {Refusal::cannot_be_used_now, "cannot_be_used_now", "it cannot be used now"},
    {Refusal::wrong_number_of_targets, "wrong_number_of_targets", "it needs another number of selected cards"},
    {Refusal::eternal, "eternal", "an eternal joker cannot be sold"},
    {Refusal::no_boss_reroll, "no_boss_reroll",
     "no boss reroll is available (Director's Cut once an ante, Retcon always)"},
    {Refusal::pinned, "pinned", "a pinned joker stays leftmost"},
    {Refusal::nothing_to_do, "nothing_to_do", "it would change nothing"},
}};
static_assert([] {
    for (std::size_t i = 0; i < refusal_facts.size(); ++i) {
        if (static_cast<std::size_t>(refusal_facts[i].id) != i) return false;
    }
    return true;
}());
// clang-format on

constexpr std::string_view explain(Refusal refusal) {
    return refusal_facts[static_cast<std::size_t>(refusal)].sentence;
}

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
