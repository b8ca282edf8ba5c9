// What the cards of a hand could make: positions by rank and suit, and how dear each card is.
#pragma once

#include <array>
#include <cstdint>

#include "rules/hand_type.hpp"

namespace jimbo {

using Positions = std::uint64_t;  // hand positions as bits

struct HandShape {
    std::array<Positions, rank_count> of_rank{};
    std::array<Positions, suit_count> of_suit{};
    Positions all = 0;
    Positions known = 0;                                // face up
    Positions forced = 0;                               // Cerulean Bell: part of every play and discard
    std::array<std::int16_t, max_hand> scored_worth{};  // as a card that scores
    std::array<std::int16_t, max_hand> held_worth{};    // as a card that stays
    Traits traits{};
    int needed = full_row;  // cards of a straight or flush
};

HandShape shape_of(const RunState& run, const Traits& traits);

// The dearest `count` positions of `from`, by the given worths.
Positions dearest(const std::array<std::int16_t, max_hand>& worth, Positions from, int count);
Positions cheapest(const std::array<std::int16_t, max_hand>& worth, Positions from, int count);

}  // namespace jimbo
