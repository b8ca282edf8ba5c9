// What a run has made of the poker hands: their worth at its levels, which of them it shows, and which is played most.
#pragma once

#include "rules/open_points.hpp"
#include "state/run_state.hpp"

namespace jimbo {

// What a hand is worth before any card scores.
struct HandBase {
    double chips = 0.0;
    double mult = 0.0;
};

constexpr HandBase hand_base(HandType hand, std::int32_t level) {
    const HandFact& at_first = fact(hand);
    const double above = level - 1.0;
    return {at_first.chips + at_first.chips_per_level * above, at_first.mult + at_first.mult_per_level * above};
}
inline HandBase hand_base(const RunState& run, HandType hand) { return hand_base(hand, run.stats(hand).level); }

// A secret hand shows once it has been played.
inline bool is_visible(const RunState& run, HandType hand) { return !fact(hand).secret || run.stats(hand).played > 0; }

// The hands that show, in the order in which the game draws one of them.
inline FixedVector<HandType, hand_type_count> visible_hands(const RunState& run) {
    FixedVector<HandType, hand_type_count> hands;
    for (HandType hand : open_point::hand_order) {
        if (is_visible(run, hand)) hands.push_back(hand);
    }
    return hands;
}

// The higher hand on a tie.
inline HandType most_played_hand(const RunState& run) {
    HandType best = HandType::high_card;
    for (const HandFact& hand : hand_facts) {
        if (run.stats(hand.id).played >= run.stats(best).played) best = hand.id;
    }
    return best;
}

}  // namespace jimbo
