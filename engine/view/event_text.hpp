// Events in words.
#pragma once

#include <array>
#include <string_view>

#include "rules/turn.hpp"

namespace jimbo {

// clang-format off
inline constexpr std::array<std::string_view, 9> actor_names{
    "none", "card", "held_card", "joker", "consumable", "blind", "deck", "tag", "voucher"};
inline constexpr std::array<std::string_view, 29> event_names{
    "hand", "chips", "mult", "x_mult", "level", "balanced", "blocked", "score",
    "dollars", "blind_selected", "blind_skipped", "blind_disabled", "round_won", "saved", "lost", "won",
    "card_added", "card_destroyed", "card_changed", "joker_added", "joker_destroyed", "consumable_added",
    "consumable_used", "tag_gained", "tag_used", "voucher_redeemed", "drawn", "discarded",
    "no_effect",
};
// clang-format on

}  // namespace jimbo
