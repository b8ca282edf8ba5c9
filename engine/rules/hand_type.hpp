// Which poker hand some cards make.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "catalog/hands.hpp"
#include "rules/card_sums.hpp"
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

// Four bits for each rank: a count, or the highest of them as a mark.
using RankNibbles = std::uint64_t;
inline constexpr RankNibbles every_rank = 0x1111111111111;

// Marks the ranks that at least `count` cards have, 1 to 8.
constexpr RankNibbles at_least(int count, RankNibbles counts) {
    const RankNibbles low = counts & every_rank * 7;
    return (counts | (low + every_rank * static_cast<RankNibbles>(8 - count))) & every_rank * 8;
}

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

// Finds the hands that many choices out of the cards in hand make.
class HandFinder {
public:
    HandFinder(const RunState& run, const Traits& traits);

    // Of at most `max_selected` positions; those that score are told as positions, too.
    HandFound find(std::uint64_t positions) const;

private:
    struct Sum {
        RankNibbles ranks = 0;
        std::int64_t highest = 0;  // order, then position: the first of the highest cards
        std::uint32_t suits = 0;

        Sum operator+(const Sum& other) const {
            return {ranks + other.ranks, std::max(highest, other.highest), suits + other.suits};
        }
    };
    using Cards = ScratchVector<Sum, max_hand>;

    Cards read(const RunState& run);

    Traits traits_;
    std::array<std::uint64_t, rank_count> of_rank_{};
    std::array<std::uint64_t, suit_count> of_suit_{};
    CardSums<Sum> sums_;
};

}  // namespace jimbo
