// Small questions that several joker rules ask, and the hooks that many of them share.
#pragma once

#include <algorithm>
#include <optional>

#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/queries.hpp"

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

inline int count_cards(const RunState& run, Enhancement enhancement) {
    return count_cards(run, [&](const Card& card) { return card.enhancement == enhancement; });
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

// A number that is counted anew each time, by one function of the run and the joker: what is shown of it, and the
// joker's own turn, in which nothing happens while it is neutral.
template <ShownKind kind, auto number>
ShownPart shows(const RunState& run, const Joker& self) {
    return {.kind = kind, .number = static_cast<double>(number(run, self))};
}
template <ShownKind kind, auto number>
void gives(Score& s, const JokerCall& j) {
    const double amount = number(s.run, *j.self);
    if constexpr (kind == ShownKind::chips) {
        if (amount > 0) s.add_chips(amount);
    } else if constexpr (kind == ShownKind::mult) {
        if (amount > 0) s.add_mult(amount);
    } else {
        static_assert(kind == ShownKind::x_mult);
        if (amount > 1) s.times_mult(amount);
    }
}

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
