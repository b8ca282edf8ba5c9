// Sorts of options, for those who choose among them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "strategy/options.hpp"

namespace jimbo {

// clang-format off
#define OPTION_KINDS(KIND) \
    KIND(none, "no option: the rest of the list") \
    KIND(stay, "do nothing: leave the shop, skip the pack, play the blind, use nothing before this hand") \
    KIND(skip_blind, "skip the blind for its tag") \
    KIND(reroll_boss, "another boss") \
    KIND(buy, "buy a card of the shop") \
    KIND(buy_and_use, "buy a consumable and use it at once") \
    KIND(redeem, "buy a voucher") \
    KIND(open_pack, "buy a pack and open it") \
    KIND(reroll, "other cards in the shop") \
    KIND(pick, "take a card of the open pack") \
    KIND(use, "use a consumable") \
    KIND(sell_joker, "") \
    KIND(sell_consumable, "") \
    KIND(swap, "sell a joker to buy or take another one")
// clang-format on

enum class OptionKind : std::uint8_t {
#define KIND(name, doc) name,
    OPTION_KINDS(KIND)
#undef KIND
};

struct OptionKindFact {
    std::string_view name;
    std::string_view doc;
};

inline constexpr auto option_kinds = std::to_array<OptionKindFact>({
#define KIND(name, doc) {#name, doc},
    OPTION_KINDS(KIND)
#undef KIND
});
inline constexpr int option_kind_count = static_cast<int>(option_kinds.size());

OptionKind kind_of(const Option& option);

}  // namespace jimbo
