// What poker hands are worth to this run, and what a discard would probably draw.
#pragma once

#include <array>

#include "base/splitmix.hpp"
#include "solve/shape.hpp"

namespace jimbo {

// Expected scores of poker hands made of the run's own cards with its jokers and levels; 0 where the deck has none.
struct HandValues {
    double high_card = 0;
    std::array<double, rank_count> pair{};
    std::array<double, rank_count> three{};
    std::array<double, rank_count> four{};
    std::array<double, rank_count> five{};
    std::array<double, suit_count> flush{};
    double two_pair = 0;
    double full_house = 0;
    double straight = 0;
    double straight_flush = 0;
};

// One card as far as poker hands care, ready to be added up.
struct Face {
    std::uint32_t rank = 0;        // as a bit; 0: none (a stone card)
    std::uint32_t suits = 0;       // a byte for each suit, 1 where it counts
    std::uint64_t suit_ranks = 0;  // 16 bits for each suit, the rank's bit where it counts
};

// What stays the same while a blind is played (or nearly so): worked out once, read at every decision.
struct BlindBasis {
    Traits traits{};
    HandValues values{};
    std::array<Face, max_cards> faces{};
};

// Scores examples drawn from the full deck, in the round as it stands.
BlindBasis blind_basis(const RunState& run, SplitMix& random);

// Draws as they may come, and how good the hand would be after them.
class DiscardOutlook {
public:
    // Scores count up to `cap`: more is of no use.
    DiscardOutlook(const RunState& run, const BlindBasis& basis, int needed, double cap, SplitMix& random);

    // Mean, over the draws, of the best hand after throwing `thrown` away.
    double worth(Positions thrown) const;

private:
    static constexpr int samples = 16;
    static constexpr int most_drawn = 8;

    struct Count {
        std::array<std::uint32_t, 5> at_least{};  // ranks that so many cards have (one, two ...), as bits
        std::uint32_t suits = 0;                  // added up byte by byte
        std::uint64_t suit_ranks = 0;
        void add(const Face& face);
    };
    double best_value(const Count& count) const;
    bool has_straight(std::uint64_t ranks) const;

    const BlindBasis& basis_;
    int needed_;
    double cap_;
    std::array<Face, max_hand> hand_{};
    int hand_size_ = 0;
    int wanted_ = 0;  // hand size to draw up to
    int available_ = 0;
    std::array<std::array<Face, most_drawn>, samples> drawn_{};
};

}  // namespace jimbo
