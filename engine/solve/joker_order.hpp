// The order of jokers that scores best.
#pragma once

#include <cstdint>
#include <vector>

#include "state/run_state.hpp"

namespace jimbo {

// Present slots in the order they should stand in; as they are when nothing scores more.
std::vector<int> best_joker_order(const RunState& run, std::uint64_t nonce);

}  // namespace jimbo
