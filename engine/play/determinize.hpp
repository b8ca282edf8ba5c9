// A run that looks the same to its player but whose hidden part is drawn anew.
#pragma once

#include <cstdint>

#include "state/run_state.hpp"

namespace jimbo {

// Whether the player knows which face-down cards are faces: The Mark turns all of them down, and no other.
bool shows_faces(const RunState& run);

// Keeps everything a player sees; draws anew, from the nonce alone: the order of the draw pile, what face-down cards
// are, where face-down jokers stand, a voucher not yet shown, what jokers out of sight look for, and every random
// stream. Pools, bosses used and all counters stay.
RunState determinize(const RunState& run, std::uint64_t nonce);

}  // namespace jimbo
