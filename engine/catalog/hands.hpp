// Poker hands: base score and growth per level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/fact_fields.hpp"

namespace jimbo {

// Ascending: where a play is several hands at once, the highest counts.
// clang-format off
enum class HandType : std::uint8_t {
    high_card, pair, two_pair, three_of_a_kind, straight, flush, full_house, four_of_a_kind, straight_flush,
    five_of_a_kind, flush_house, flush_five
};
// clang-format on
inline constexpr int hand_type_count = 12;

// clang-format off
#define HAND_FIELDS(FIELD) \
    FIELD(chips, 0, "At level 1.", std::uint8_t) \
    FIELD(mult, 0, "", std::uint8_t) \
    FIELD(chips_per_level, 0, "", std::uint8_t) \
    FIELD(mult_per_level, 0, "", std::uint8_t) \
    FIELD(secret, false, "Hidden until it has been played once.", bool)
// clang-format on

struct HandFact {
    HandType id{};
    std::string_view name{};  // also the game's key
    HAND_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(HandFact, HAND_FIELDS)

inline constexpr std::array<HandFact, hand_type_count> hand_facts{{
    // id, name, chips, mult, chips and mult per level, secret, text
    {HandType::high_card, "High Card", 5, 1, 10, 1, false, "No other hand; the highest card scores."},
    {HandType::pair, "Pair", 10, 2, 15, 1, false, "Two cards of one rank."},
    {HandType::two_pair, "Two Pair", 20, 2, 20, 1, false, "Two pairs of different ranks."},
    {HandType::three_of_a_kind, "Three of a Kind", 30, 3, 20, 2, false, "Three cards of one rank."},
    {HandType::straight, "Straight", 30, 4, 30, 3, false, "Five ranks in a row; the Ace is high or low."},
    {HandType::flush, "Flush", 35, 4, 15, 2, false, "Five cards of one suit."},
    {HandType::full_house, "Full House", 40, 4, 25, 2, false, "Three cards of one rank and two of another."},
    {HandType::four_of_a_kind, "Four of a Kind", 60, 7, 30, 3, false, "Four cards of one rank."},
    {HandType::straight_flush, "Straight Flush", 100, 8, 40, 4, false, "A Straight of one suit."},
    {HandType::five_of_a_kind, "Five of a Kind", 120, 12, 35, 3, true, "Five cards of one rank."},
    {HandType::flush_house, "Flush House", 140, 14, 40, 4, true, "A Full House of one suit."},
    {HandType::flush_five, "Flush Five", 160, 16, 50, 3, true, "Five cards of one rank and one suit."},
}};

constexpr const HandFact& fact(HandType id) { return hand_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
