// Jokers that act on the cards held in hand.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

// The hand position of the lowest card with a rank, the last of equally low ones; -1 if there is none.
inline int lowest_held(const RunState& run) {
    int lowest = -1;
    for (int i = 0; i < run.hand.size(); ++i) {
        if (!has_rank(run.hand_card(i))) continue;
        if (lowest < 0 || run.hand_card(i).rank <= run.hand_card(lowest).rank) lowest = i;
    }
    return lowest;
}

// A debuffed card may be the lowest; then nothing is added.
inline constexpr JokerRule raised_fist{
    .key = JokerId::raised_fist,
    .card_held =
        [](Score& s, const JokerCall&, int held) {
            if (s.held(held).debuffed || held != lowest_held(s.run)) return false;
            s.add_mult(2 * chips_of(s.held(held).rank));
            return true;
        },
};

inline constexpr JokerRule baron{
    .key = JokerId::baron,
    .card_held =
        [](Score& s, const JokerCall&, int held) {
            const Card& card = s.held(held);
            if (card.debuffed || !has_rank(card, Rank::king)) return false;
            s.times_mult(1.5);
            return true;
        },
};

}  // namespace jimbo::jokers
