// The cards that Idol, Mail-In Rebate, Ancient Joker and Castle look for: drawn at run start and at every round end.
#pragma once

#include "state/run_state.hpp"

namespace jimbo {

void draw_targets(RunState& run);

}  // namespace jimbo
