// Starting a run and moving it on, one decision at a time.
#pragma once

#include "play/legal.hpp"
#include "rules/turn.hpp"

namespace jimbo {

RunState start_run(const Seed& seed, DeckId deck, StakeId stake, std::optional<ChallengeId> challenge = {});

// Applies an allowed action; a refused one changes nothing. What happened goes to `log`, if there is one.
Refusal step(RunState& run, const Action& action, EventLog* log = nullptr);

}  // namespace jimbo
