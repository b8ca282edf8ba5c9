// Jokers that act on the cards held in hand while another hand scores.
#pragma once

#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

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
