// Small questions that several joker rules ask, and the hooks that many of them share.
#pragma once

#include <algorithm>
#include <optional>

#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// Jokers of this key, debuffed ones too.
inline int count_owned(const RunState& run, JokerId key) {
    int n = 0;
    for (const Joker& joker : run.jokers) n += joker.key == key && !joker.leaving ? 1 : 0;
    return n;
}

// Cards of the full deck, in every zone, for which `counts` holds.
template <typename Counts>
int count_cards(const RunState& run, Counts counts) {
    int n = 0;
    for (const Card& card : run.cards) n += counts(card) ? 1 : 0;
    return n;
}

// Whether any scoring card makes `is` true.
template <typename Is>
bool any_scoring(const Score& s, Is is) {
    for (int i = 0; i < s.run.played.size(); ++i) {
        if (s.scores(i) && is(s.played(i))) return true;
    }
    return false;
}

inline bool is_first_hand(const RunState& run) { return run.hands_played == 0; }

// A "1 in N" chance outside scoring; draws once.
inline bool comes_up(Turn& turn, Stream stream, double one_in) {
    const double odds = odds_numerator(turn.run);
    return turn.run.streams.random(stream) < odds / one_in;
}

// The joker's own numbers in its own turn; nothing happens while they are neutral.
inline void count_as_mult(Score& s, const JokerCall& j) {
    if (j.self->count > 0) s.add_mult(j.self->count);
}
inline void count_as_chips(Score& s, const JokerCall& j) {
    if (j.self->count > 0) s.add_chips(j.self->count);
}
inline void own_x_mult(Score& s, const JokerCall& j) {
    if (j.self->x_mult > 1.0) s.times_mult(j.self->x_mult);
}

}  // namespace jimbo::jokers
