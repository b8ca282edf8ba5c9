// Which poker hand some cards make.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "catalog/hands.hpp"
#include "rules/queries.hpp"

namespace jimbo {

// Cards that may be played or discarded at once.
inline constexpr int max_selected = 5;

// Cards of a straight or flush, unless Four Fingers makes do with one less.
inline constexpr int full_row = 5;
constexpr int row_needed(const Traits& traits) { return traits.four_fingers ? full_row - 1 : full_row; }

// A set of hand types.
class HandSet {
public:
    constexpr bool has(HandType h) const { return ((bits_ >> static_cast<int>(h)) & 1) != 0; }
    constexpr void add(HandType h, bool here = true) {
        bits_ = static_cast<std::uint16_t>(bits_ | (static_cast<unsigned>(here) << static_cast<int>(h)));
    }
    // Of a set that is not empty.
    constexpr HandType highest() const { return static_cast<HandType>(std::bit_width(bits_) - 1); }

private:
    std::uint16_t bits_ = 0;
};

struct HandFound {
    HandType hand = HandType::high_card;
    HandSet contains{};         // Full House contains Pair, Three of a Kind, Two Pair...
    std::uint64_t scoring = 0;  // the cards that make the hand, as bits; without Stone and Splash
};

using RankNibbles = std::uint64_t;  // four bits for each rank

// What the search for a hand wants to know of a card, ready to be added up.
struct CardReading {
    RankNibbles rank = 0;           // the lowest bit of its rank; none of a Stone card
    std::int32_t order = 0;         // among high cards
    std::uint32_t flush_suits = 0;  // the lowest bit of a byte for each suit
};

CardReading read_card(const RunState& run, CardIndex card, const Traits& traits);

// `cards` in play order (hand position), at most 64.
HandFound find_hand(std::span<const CardReading> cards, const Traits& traits);
HandFound find_hand(const RunState& run, std::span<const CardIndex> cards, const Traits& traits);

}  // namespace jimbo
