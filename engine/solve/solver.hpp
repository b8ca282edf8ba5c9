// The blind solver: which play or discard clears the blind most often, or leaves the run best off, over worlds that
// look the same to the player.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "play/action.hpp"
#include "solve/tuning.hpp"
#include "state/run_state.hpp"

namespace jimbo {

struct SolveOptions {
    int rollouts = 400;      // blinds played to the end in all, if time allows
    double budget_ms = 0.0;  // 0: no limit of time (and the same answer every time)
    int threads = 1;
    std::uint64_t nonce = 0;
    double dollar_worth = 0.01;  // of a dollar at the end of the round, in clears
    // What a clear counts, by the run after it and the thread that asks; none: 1 and its dollars.
    std::function<double(const RunState&, int)> after{};
    bool clairvoyant = false;  // plays in the run itself instead of in sampled worlds: cheating, to measure its worth
};

struct SolvedAction {
    Action action{};
    double clear = 0.0;  // share of worlds in which the blind was cleared
    double error = 0.0;  // its standard error
    double value = 0.0;  // clears by what follows them, and progress: what the choice is made by
    double score = 0.0;  // of a play: expected score; of a discard: the outlook; of a sale: nothing
    int worlds = 0;
};

// Plays and discards, and sales that end the boss's ability; best first. `run` is a run as its player may know it (see
// play/determinize) with a hand to play.
std::vector<SolvedAction> solve_blind(const RunState& run, const SolveOptions& options);

}  // namespace jimbo
