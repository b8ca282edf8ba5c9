// Whole actions as a few small numbers, for agents that choose each number on its own: the kind, the index, where a
// moved card goes, and for each hand position whether it is selected.
#pragma once

#include <span>

#include "play/step.hpp"

namespace jimbo {

inline constexpr int whole_places = 64;  // no list is longer
static_assert(max_hand <= whole_places && max_jokers <= whole_places && max_consumables <= whole_places);
inline constexpr int whole_mask_width = action_kind_count + 2 * whole_places + 2 * max_hand;

// 1 for each number that some allowed action has, 0 for the others: kinds, indices, places to move to, and for each
// hand position "not selected" and "selected". Numbers that are allowed one by one need not be allowed together.
void write_whole_mask(const RunState& run, bool moves, std::span<std::uint8_t, whole_mask_width> mask);
// What stays open when nothing is left to do: the first choice of each.
void write_resting_mask(std::span<std::uint8_t, whole_mask_width> mask);

}  // namespace jimbo
