// Questions that several jokers ask about the run.
#pragma once

#include <algorithm>

#include "rules/effects.hpp"
#include "rules/queries.hpp"

namespace jimbo::jokers {

// Cards of the deck when the run began.
inline int starting_deck_size(const RunState& run) {
    if (run.challenge) {
        int per_suit = 0;
        for (int copies : fact(*run.challenge).deck.copies) per_suit += copies;
        return per_suit * suit_count;
    }
    constexpr int face_ranks = 3;
    return fact(run.deck).remove_faces ? front_count - face_ranks * suit_count : front_count;
}

// A boss whose ability can still be ended.
inline bool boss_in_play(const RunState& run) {
    return run.blind.active && fact(run.blind.key).boss && !run.blind.disabled && run.phase != Phase::round_eval;
}

// Rolls a "1 in N" chance outside of scoring.
inline bool comes_up(RunState& run, StreamKey key, double one_in) {
    return run.streams.random(key) < odds_numerator(run) / one_in;
}

// Places of the consumables in creation order, the order of random choices.
inline FixedVector<std::uint8_t, max_consumables> consumables_by_id(const RunState& run) {
    FixedVector<std::uint8_t, max_consumables> places;
    for (int i = 0; i < run.consumables.size(); ++i) places.push_back(static_cast<std::uint8_t>(i));
    std::sort(places.begin(), places.end(),
              [&](int a, int b) { return run.consumables[a].id < run.consumables[b].id; });
    return places;
}

}  // namespace jimbo::jokers
