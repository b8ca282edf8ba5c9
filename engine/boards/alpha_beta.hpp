// A player of Connect Four that looks a few moves ahead: the measure that learners are compared with.
#pragma once

#include "base/splitmix.hpp"
#include "boards/connect4.hpp"

namespace jimbo {

// One of the best columns at this depth (at least 1), drawn by `seed`. The game must not be over.
int alpha_beta_move(const Connect4::State& state, int depth, std::uint64_t seed);

}  // namespace jimbo
