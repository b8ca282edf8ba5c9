// A fast, decent player of blinds: exact scores for the plays a hand makes, sampled outlooks for discards. Solver and
// forecast play many blinds to the end with it.
#pragma once

#include "play/action.hpp"
#include "solve/lines.hpp"
#include "solve/outlook.hpp"

namespace jimbo {

struct ScoredPlay {
    Positions cards = 0;
    double score = 0;  // expected
};

// All lines with their scores, best first.
using ScoredPlays = ScratchVector<ScoredPlay, max_lines>;
ScoredPlays score_plays(const RunState& run, const HandShape& shape);

// The next play or discard. The run must be in selecting_hand.
Action quick_action(const RunState& run, const BlindBasis& basis, SplitMix& random,
                    int draw_samples = tuning::draw_samples);

// Plays until the round is over; returns the number of actions.
int play_round_out(RunState& run, const BlindBasis& basis, SplitMix& random, int draw_samples);

}  // namespace jimbo
