// The challenge of a run; one without special rules where there is none.
#pragma once

#include "rules/open_points.hpp"
#include "state/run_state.hpp"

namespace jimbo {

inline constexpr ChallengeFact no_challenge{};

inline const ChallengeFact& challenge_of(const RunState& run) {
    return run.challenge ? fact(*run.challenge) : no_challenge;
}

// Inflation: every purchase makes all prices rise.
inline void count_purchase(RunState& run) {
    if (challenge_of(run).inflation) ++run.inflation;
}

inline int hand_size_penalty(const RunState& run) {
    const int per = challenge_of(run).minus_hand_size_per_x_dollar;
    if (per == 0) return 0;
    if (run.dollars >= 0) return run.dollars / per;
    return open_point::luxury_tax_rewards_debt ? -((per - 1 - run.dollars) / per) : 0;
}

inline bool flips_drawn_card(RunState& run) {
    const int one_in = challenge_of(run).flipped_cards;
    return one_in != 0 && run.streams.random(Stream::flipped_card) < 1.0 / one_in;
}

}  // namespace jimbo
