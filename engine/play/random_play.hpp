// Uniform random play: every allowed action, with every choice of cards, is as likely as every other. Nothing is sold.
#pragma once

#include <optional>

#include "base/splitmix.hpp"
#include "play/action.hpp"
#include "state/run_state.hpp"

namespace jimbo {

Seed random_seed(SplitMix& random);

// Nothing when the run is over.
std::optional<Action> random_action(const RunState& run, SplitMix& random);

}  // namespace jimbo
