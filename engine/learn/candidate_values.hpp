// How candidates of one kind are ranked.
#pragma once

#include "learn/candidates.hpp"
#include "learn/kept.hpp"

namespace jimbo {

// Scores the plays exactly, chance effects with their mean; of very many only the most promising, the others go.
void score_plays(const RunState& run, std::vector<Candidate>& plays, std::vector<LastHand>& played);

// What stays in the hand after discarding so many cards.
double value_of_kept(const HandLook::Kept& kept, int discarded);

// How fit the targets look for a consumable.
double value_of_use(const RunState& run, const HandLook& look, const Action& action);

// The consumable that an action uses, buys, picks or sells.
std::optional<ConsumableId> consumable_of(const RunState& run, const Action& action);

}  // namespace jimbo
