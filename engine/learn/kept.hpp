// What a hand is worth keeping for: its groups of ranks, suits and neighbouring ranks.
#pragma once

#include "rules/queries.hpp"

namespace jimbo {

// The hand, looked at once; cards that lie face down count for nothing.
class HandLook {
public:
    HandLook() = default;
    explicit HandLook(const RunState& run);

    struct Kept {
        int rank = 0;   // cards of the commonest rank
        int pairs = 0;  // ranks with at least two cards
        int suit = 0;   // cards of the commonest suit
        int run = 0;    // different ranks out of the best five neighbours
        int chips = 0;
    };
    // What the hand without these positions holds.
    Kept without(std::uint64_t positions) const;

    int chips(int position) const { return cards_[static_cast<std::size_t>(position)].chips; }
    // Others of its rank or suit.
    int company(int position) const;

private:
    struct Look {
        std::int8_t rank = -1;
        std::uint8_t suits = 0;  // as a flush sees them, as bits
        std::int16_t chips = 0;
    };
    struct OfRank {
        std::uint64_t positions = 0;
        int rank = 0;
    };
    std::array<Look, max_hand> cards_{};
    std::array<OfRank, rank_count> of_rank_{};  // the ranks that there are
    int ranks_ = 0;
    std::array<std::uint64_t, suit_count> of_suit_{};
    int chips_ = 0;
};

}  // namespace jimbo
