// The cards that Idol, Mail-In Rebate, Ancient Joker and Castle look for: drawn at run start and at every round end.
#pragma once

#include "state/run_state.hpp"

namespace jimbo {

void draw_targets(RunState& run);

// What a player sees of it: the text of each of these jokers names it wherever the joker is owned or on offer.
struct SeenTargets {
    bool idol = false;
    bool mail = false;
    bool ancient = false;
    bool castle = false;
};
SeenTargets targets_in_sight(const RunState& run);

}  // namespace jimbo
