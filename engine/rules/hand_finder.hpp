// Finds the hands that many choices out of the cards in hand make; the rule itself is in hand_type.cpp.
#pragma once

#include <algorithm>

#include "rules/card_sums.hpp"
#include "rules/hand_type.hpp"

namespace jimbo {

// Counts up to 8 for each rank, in the four bits of which the highest can be a mark.
inline constexpr RankNibbles every_rank = 0x1111111111111;
inline constexpr RankNibbles every_mark = every_rank << 3;

// Marks the ranks that at least `count` cards have.
constexpr RankNibbles at_least(int count, RankNibbles counts) {
    return (counts + every_rank * static_cast<RankNibbles>(8 - count)) & every_mark;
}

// The rank that the lowest bit stands for.
constexpr std::size_t first_rank(RankNibbles marks) { return static_cast<std::size_t>(std::countr_zero(marks)) / 4; }

class HandFinder {
public:
    HandFinder(const RunState& run, const Traits& traits);

    // Of at most `max_selected` positions; those that score are told as positions, too.
    HandFound find(std::uint64_t positions) const;

private:
    struct Sum {
        RankNibbles ranks;
        std::int64_t highest;  // order, then position: the first of the highest cards
        std::uint32_t suits;

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
