// Jokers that act on the cards held in hand.
#pragma once

#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// The hand position of the lowest card with a rank, the last of equally low ones; -1 if there is none.
inline int lowest_held(const Score& s) {
    int lowest = -1;
    for (int i = 0; i < s.run.hand.size(); ++i) {
        if (!has_rank(s.held(i))) continue;
        if (lowest < 0 || s.held(i).rank <= s.held(lowest).rank) lowest = i;
    }
    return lowest;
}

// A debuffed card may be the lowest; then nothing is added.
inline constexpr JokerRule raised_fist{
    .key = JokerId::raised_fist,
    .card_held =
        [](Score& s, const JokerCall&, int held) {
            if (s.held(held).debuffed || held != lowest_held(s)) return false;
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

inline constexpr JokerRule reserved_parking{
    .key = JokerId::reserved_parking,
    .card_held =
        [](Score& s, const JokerCall&, int held) {
            if (!is_face(s.held(held), s.traits)) return false;
            const double c = s.chance(Stream::parking, 2);
            if (c > 0) s.earn(c);
            return c > 0;
        },
};

inline constexpr JokerRule shoot_the_moon{
    .key = JokerId::shoot_the_moon,
    .card_held =
        [](Score& s, const JokerCall&, int held) {
            const Card& card = s.held(held);
            if (card.debuffed || !has_rank(card, Rank::queen)) return false;
            s.add_mult(13);
            return true;
        },
};

}  // namespace jimbo::jokers
