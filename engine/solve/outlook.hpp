// What poker hands are worth to this run, and what a discard would probably draw.
#pragma once

#include <array>

#include "base/splitmix.hpp"
#include "solve/shape.hpp"
#include "solve/tuning.hpp"

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

// One card or several, added up, as far as poker hands care.
struct CardTally {
    std::uint64_t ranks = 0;       // four bits for each rank: how many cards have it; a stone card counts nowhere
    std::uint64_t suit_ranks = 0;  // 16 bits for each suit: the ranks it has
    std::uint32_t suits = 0;       // eight bits for each suit: how many cards have it
    std::uint32_t rank_bits = 0;

    CardTally operator+(const CardTally& more) const {
        return {ranks + more.ranks, suit_ranks | more.suit_ranks, suits + more.suits, rank_bits | more.rank_bits};
    }
};

// Scores examples drawn from the full deck, in the round as it stands.
HandValues hand_values(const RunState& run, const Traits& traits, SplitMix& random);

// What stays the same while a blind is played (or nearly so): worked out once, read at every decision.
struct BlindBasis {
    Traits traits{};
    HandValues values{};
    ScratchVector<CardTally, max_cards> tallies;  // of all cards
};

BlindBasis blind_basis(const RunState& run, SplitMix& random);

// Draws as they may come, and how good the hand would be after them.
class DiscardOutlook {
public:
    // Scores count up to `cap`: more than that is of no use. `samples` are the draws, at most tuning::draw_samples.
    DiscardOutlook(const RunState& run, const BlindBasis& basis, int needed, double cap, int samples, SplitMix& random);

    // Mean, over the draws, of the best hand after throwing `thrown` away.
    double worth(Positions thrown) const;

private:
    double best_value(const CardTally& tally) const;
    bool has_straight(std::uint64_t ranks) const;

    const BlindBasis& basis_;
    int needed_;
    double cap_;
    ScratchVector<CardTally, max_hand> hand_;
    int wanted_ = 0;  // hand size to draw up to
    int available_ = 0;
    // The first 0, 1, 2 ... cards of each sampled draw, added up.
    ScratchVector<std::array<CardTally, tuning::max_drawn + 1>, tuning::draw_samples> drawn_;
};

}  // namespace jimbo
