// The order in which played cards score best.
#pragma once

#include <vector>

#include "solve/shape.hpp"

namespace jimbo {

// Hand positions of the played cards, left to right as they should stand; as they are when nothing scores more.
std::vector<int> best_hand_order(const RunState& run, Positions cards);

}  // namespace jimbo
