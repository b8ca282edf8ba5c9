// How candidates of one kind are ranked; the weights are in learn/tuning.hpp.
#pragma once

#include "learn/candidates.hpp"
#include "learn/kept.hpp"

namespace jimbo {

// Scores the plays exactly, chance effects with their mean. Of very many only the most promising stay.
void score_plays(const RunState& run, Choices& plays, ScoredPlays& scored);

// The worth of what stays in the hand after discarding that number of cards.
double value_of_kept(const HandLook::Kept& kept, int discarded);

// How fit the targets look for a consumable.
double value_of_use(const RunState& run, const HandLook& look, const Action& action);

// The consumable that an action uses, buys, picks or sells.
std::optional<ConsumableId> consumable_of(const RunState& run, const Action& action);

}  // namespace jimbo
