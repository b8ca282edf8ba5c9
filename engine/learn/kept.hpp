// What a hand is worth keeping for: its groups of ranks, suits and neighbouring ranks.
#pragma once

#include "rules/hand_finder.hpp"

namespace jimbo {

// The hand, looked at once; cards that lie face down count for nothing.
class HandLook {
public:
    explicit HandLook(const RunState& run);

    struct Kept {
        int rank = 0;   // cards of the commonest rank
        int pairs = 0;  // ranks with at least two cards
        int suit = 0;   // cards of the commonest suit
        int run = 0;    // different ranks out of the best five neighbours
        int chips = 0;
    };
    // What the hand without these positions, at most `max_selected`, holds.
    Kept without(std::uint64_t positions) const;

    int chips(int position) const { return cards_[position].chips; }
    // Others of its rank or suit.
    int company(int position) const;

private:
    struct Sum {
        RankNibbles ranks;
        std::uint32_t suits;  // a byte for each, as a flush sees them
        std::int32_t chips;

        Sum operator+(const Sum& other) const {
            return {ranks + other.ranks, suits + other.suits, chips + other.chips};
        }
    };
    using Cards = ScratchVector<Sum, max_hand>;

    static Cards read(const RunState& run);
    int most_of(RankNibbles marks, std::uint64_t without) const;

    Cards cards_;
    CardSums<Sum> sums_;
    Sum all_{};  // of the ranks, not more than can matter
    std::array<std::uint64_t, rank_count> of_rank_{};
    std::array<std::uint64_t, suit_count> of_suit_{};
};

}  // namespace jimbo
