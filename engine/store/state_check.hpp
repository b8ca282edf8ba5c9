// Whether a run that came from outside can be played on.
#pragma once

#include <string>

#include "state/run_state.hpp"

namespace jimbo {

// Limits for the numbers of a stored run: far above all that play reaches and far below what would overflow.
inline constexpr int max_ante = 100;
inline constexpr int max_count = 1'000;
inline constexpr int max_total = 100'000'000;

// The first fault as "state.field: sentence"; empty if there is none. Every run that play leads to has none.
std::string fault_of(const RunState& run);

}  // namespace jimbo
