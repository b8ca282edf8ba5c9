// Everything a player can do, as one small value.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace jimbo {

// clang-format off
enum class ActionKind : std::uint8_t {
    select_blind, skip_blind, reroll_boss,                       // blind_select
    play, discard,                                               // selecting_hand: cards
    cash_out,                                                    // round_eval
    buy, buy_and_use, redeem, open_booster, reroll, leave_shop,  // shop: index (buy_and_use: cards)
    pick, skip_pack,                                             // pack_opening: index, cards
    use, sell_joker, sell_consumable,                            // any resting phase: index (use: cards)
    move_joker, move_consumable, move_card,                      // index, to
    sort_hand_by_rank, sort_hand_by_suit,
};
inline constexpr int action_kind_count = 22;
inline constexpr std::array<std::string_view, action_kind_count> action_names{
    "select_blind", "skip_blind", "reroll_boss", "play", "discard", "cash_out", "buy", "buy_and_use", "redeem",
    "open_booster", "reroll", "leave_shop", "pick", "skip_pack", "use", "sell_joker", "sell_consumable", "move_joker",
    "move_consumable", "move_card", "sort_hand_by_rank", "sort_hand_by_suit",
};
// clang-format on

struct Action {
    ActionKind kind{};
    std::uint8_t index = 0;   // which shop card, pack card, joker, consumable...
    std::uint8_t to = 0;      // where a moved card goes
    std::uint64_t cards = 0;  // selected hand positions, as bits

    constexpr bool operator==(const Action&) const = default;
};

}  // namespace jimbo
