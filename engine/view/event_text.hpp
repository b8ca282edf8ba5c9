// Names of actions, events and their actors.
#pragma once

#include "play/action.hpp"
#include "rules/turn.hpp"
#include "store/enum_text.hpp"

namespace jimbo {

// clang-format off
template <> struct EnumText<ActionKind> { static constexpr auto names = action_names; };
template <> struct EnumText<Actor> {
    static constexpr std::array<std::string_view, 9> names{
        "none", "card", "held_card", "joker", "consumable", "blind", "deck", "tag", "voucher"};
};
template <> struct EnumText<EventKind> {
    static constexpr std::array<std::string_view, 29> names{
        "hand", "chips", "mult", "x_mult", "level", "balanced", "blocked", "score",
        "dollars", "blind_selected", "blind_skipped", "blind_disabled", "round_won", "saved", "lost", "won",
        "card_added", "card_destroyed", "card_changed", "joker_added", "joker_destroyed", "consumable_added",
        "consumable_used", "tag_gained", "tag_used", "voucher_redeemed", "drawn", "discarded",
        "no_effect",
    };
};
// clang-format on

}  // namespace jimbo
