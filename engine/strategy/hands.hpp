// Hands played for the sake of the whole run: what the value says of it after the blind counts, not the blind alone.
#pragma once

#include <cstdint>
#include <vector>

#include "solve/solver.hpp"
#include "strategy/value_net.hpp"

namespace jimbo {

// What the blind solver can do, best first. A cleared blind counts by the value of the run after it; below
// `many_rollouts` rollouts, and once the run is won, by the solver's own measure.
std::vector<SolvedAction> solve_by_value(const ValueNet& net, const RunState& seen, SolveOptions options);

}  // namespace jimbo
