// What the build scores: kinds of poker hands made of the run's own cards, by its jokers and levels.
#pragma once

#include <array>

#include "state/run_state.hpp"

namespace jimbo {

inline constexpr int power_kinds = 14;
// Expected scores, in the order of the inputs; 0 where the deck has no such hand.
using Power = std::array<double, power_kinds>;

// Scores in a fresh round. They are worked out once for all runs that agree in what scoring reads.
Power power_of(const RunState& run);

// The run with nothing but what scoring reads, at the beginning of a round.
void copy_scoring_facts(RunState& table, const RunState& run);

// Worked out anew from the whole run: what power_of must agree with.
Power power_anew(const RunState& run);

}  // namespace jimbo
