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

// Scores examples drawn from the full deck, in the round as it stands.
HandValues hand_values(const RunState& run, const Traits& traits, SplitMix& random);

// Mean over sampled draws of the best hand that the hand would hold after throwing `thrown` away, each counted up to
// `cap`. `draws` is how many cards would come.
class DiscardOutlook {
public:
    DiscardOutlook(const RunState& run, const HandShape& shape, const HandValues& values, double cap, SplitMix& random);
    double worth(Positions thrown) const;

private:
    static constexpr int samples = 16;
    static constexpr int most_drawn = 8;

    // One card as far as poker hands care.
    struct Face {
        std::int8_t rank = -1;   // -1: none (a stone card)
        std::uint8_t suits = 0;  // as bits
    };
    struct Count {
        std::array<std::uint8_t, rank_count> ranks{};
        std::array<std::uint8_t, suit_count> suits{};
        std::array<std::uint16_t, suit_count> ranks_of_suit{};
        std::uint16_t rank_bits = 0;
        void add(Face face);
    };
    Face face_of(const Card& card) const;
    double best_value(const Count& count) const;
    bool has_straight(std::uint16_t rank_bits) const;

    const HandShape& shape_;
    const HandValues& values_;
    double cap_;
    std::array<Face, max_hand> hand_{};
    int hand_size_ = 0;
    int wanted_ = 0;  // hand size to draw up to
    std::array<std::array<Face, most_drawn>, samples> drawn_{};
    int available_ = 0;
};

}  // namespace jimbo
