// Hands played for the sake of the whole run: what the value says of it after the blind counts, not the blind alone.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/solver.hpp"
#include "strategy/value_net.hpp"

namespace jimbo {

// As the blind solver finds them, best first; with few rollouts as it finds them by itself.
std::vector<SolvedAction> solve_by_value(const ValueNet& net, const RunState& seen, SolveOptions options);

}  // namespace jimbo
