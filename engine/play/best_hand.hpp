// The play that scores most.
#pragma once

#include "play/action.hpp"
#include "rules/score.hpp"

namespace jimbo {

struct BestHand {
    Action action{};
    LastHand hand{};
};

// Tries every allowed play of the hand. Among equal scores the one of fewest cards wins, then the leftmost. Nothing
// when no hand can be played now.
std::optional<BestHand> best_hand(const RunState& run, Luck luck = Luck::none);

}  // namespace jimbo
