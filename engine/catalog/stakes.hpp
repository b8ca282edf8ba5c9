// The 8 stakes. The typed fields hold everything up to that stake; the text says what it adds to the one below.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/fact_fields.hpp"

namespace jimbo {

// clang-format off
enum class StakeId : std::uint8_t {
    white, red, green, black, blue, purple, orange, gold
};

#define STAKE_FIELDS(FIELD) \
    FIELD(small_blind_pays, true, "", bool) \
    FIELD(base_table, 0, "Row of the base chips of antes.", std::uint8_t) \
    FIELD(discards, 0, "Added to the discards of a round.", std::int8_t) \
    FIELD(eternal, false, "Such stickers may appear.", bool) \
    FIELD(perishable, false, "", bool) \
    FIELD(rental, false, "", bool)
// clang-format on

struct StakeFact {
    StakeId id{};
    std::string_view key{};
    std::string_view name{};
    STAKE_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(StakeFact, STAKE_FIELDS)

// clang-format off
inline constexpr auto stake_facts = [] {
    using S = StakeId;
    return std::to_array<StakeFact>({
        {.id = S::white, .key = "stake_white", .name = "White Stake", .small_blind_pays = true, .base_table = 0,
         .discards = 0, .eternal = false, .perishable = false, .rental = false, .text = "No extra rules."},
        {.id = S::red, .key = "stake_red", .name = "Red Stake", .small_blind_pays = false, .base_table = 0,
         .discards = 0, .eternal = false, .perishable = false, .rental = false,
         .text = "The Small Blind pays no reward."},
        {.id = S::green, .key = "stake_green", .name = "Green Stake", .small_blind_pays = false, .base_table = 1,
         .discards = 0, .eternal = false, .perishable = false, .rental = false,
         .text = "The required score grows faster with each ante."},
        {.id = S::black, .key = "stake_black", .name = "Black Stake", .small_blind_pays = false, .base_table = 1,
         .discards = 0, .eternal = true, .perishable = false, .rental = false,
         .text = "Jokers in shops and packs may be Eternal (cannot be sold or destroyed)."},
        {.id = S::blue, .key = "stake_blue", .name = "Blue Stake", .small_blind_pays = false, .base_table = 1,
         .discards = -1, .eternal = true, .perishable = false, .rental = false, .text = "-1 discard each round."},
        {.id = S::purple, .key = "stake_purple", .name = "Purple Stake", .small_blind_pays = false, .base_table = 2,
         .discards = -1, .eternal = true, .perishable = false, .rental = false,
         .text = "The required score grows faster still with each ante."},
        {.id = S::orange, .key = "stake_orange", .name = "Orange Stake", .small_blind_pays = false, .base_table = 2,
         .discards = -1, .eternal = true, .perishable = true, .rental = false,
         .text = "Jokers in shops and packs may be Perishable (debuffed after 5 rounds)."},
        {.id = S::gold, .key = "stake_gold", .name = "Gold Stake", .small_blind_pays = false, .base_table = 2,
         .discards = -1, .eternal = true, .perishable = true, .rental = true,
         .text = "Jokers in shops and packs may be Rental (cost $1 to buy and $3 each round)."},
    });
}();
// clang-format on
inline constexpr int stake_count = static_cast<int>(stake_facts.size());

constexpr const StakeFact& fact(StakeId id) { return stake_facts[static_cast<std::size_t>(id)]; }

// Whoever beats the boss of this ante has won.
inline constexpr int win_ante = 8;
inline constexpr int blinds_per_ante = 3;

// Base chips of the antes by StakeFact::base_table. Below ante 1 the base is 100; beyond the last a formula goes on.
inline constexpr int base_table_count = 3;
inline constexpr std::array<std::array<int, win_ante>, base_table_count> base_chips{{
    {300, 800, 2000, 5000, 11000, 20000, 35000, 50000},
    {300, 900, 2600, 8000, 20000, 36000, 60000, 100000},
    {300, 1000, 3200, 9000, 25000, 60000, 110000, 200000},
}};

}  // namespace jimbo
