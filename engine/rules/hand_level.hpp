// What a poker hand is worth at a level, and whether the game lists it.
#pragma once

#include "catalog/hands.hpp"
#include "state/hand_stats.hpp"

namespace jimbo {

constexpr double hand_chips(HandType hand, int level) {
    return fact(hand).chips + static_cast<double>(fact(hand).chips_per_level) * (level - 1);
}
constexpr double hand_mult(HandType hand, int level) {
    return fact(hand).mult + static_cast<double>(fact(hand).mult_per_level) * (level - 1);
}

// A secret hand is listed once it has been played.
constexpr bool is_listed(HandType hand, const HandStats& stats) { return !fact(hand).secret || stats.played > 0; }

}  // namespace jimbo
