// The plays and discards worth thinking about: what a hand can make, and what it could be drawn towards.
#pragma once

#include "base/fixed_vector.hpp"
#include "solve/shape.hpp"

namespace jimbo {

inline constexpr int max_lines = 96;
using Lines = ScratchVector<Positions, max_lines>;

// Every poker hand that the cards make, by its best cards: alone, with the cheapest other cards thrown in (they leave
// the hand and others are drawn), and with the dearest (for Splash).
Lines play_lines(const HandShape& shape);

// What to throw away: each line keeps what leads to one kind of hand.
Lines discard_lines(const HandShape& shape, Positions best_play);

}  // namespace jimbo
