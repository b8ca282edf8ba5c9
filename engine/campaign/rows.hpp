// A run as a row of floats, with its candidates.
#pragma once

#include "learn/candidates.hpp"
#include "state/run_state.hpp"

namespace jimbo {

// The candidates of a run. The list lives until the same thread asks for another.
const CandidateList& listed_candidates(const RunState& run);

// A number that tells apart what looks different to the player.
std::uint64_t look_of(const RunState& run);

// See Campaign::observation_cells. `count` candidates are described.
void write_row(const RunState& run, int count, float* row);

}  // namespace jimbo
