// Jokers that act on each scored card, by its rank or for being a face card.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule fibonacci{
    .key = JokerId::fibonacci,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            for (Rank rank : {Rank::ace, Rank::two, Rank::three, Rank::five, Rank::eight}) {
                if (has_rank(card, rank)) s.add_mult(8);
            }
        },
};

inline constexpr JokerRule scary_face{
    .key = JokerId::scary_face,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_face(s.played(played), s.traits)) s.add_chips(30);
        },
};

inline constexpr JokerRule even_steven{
    .key = JokerId::even_steven,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            for (Rank rank : {Rank::two, Rank::four, Rank::six, Rank::eight, Rank::ten}) {
                if (has_rank(card, rank)) s.add_mult(4);
            }
        },
};

inline constexpr JokerRule odd_todd{
    .key = JokerId::odd_todd,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            for (Rank rank : {Rank::ace, Rank::three, Rank::five, Rank::seven, Rank::nine}) {
                if (has_rank(card, rank)) s.add_chips(31);
            }
        },
};

inline constexpr JokerRule scholar{
    .key = JokerId::scholar,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (!has_rank(s.played(played), Rank::ace)) return;
            s.add_chips(20);
            s.add_mult(4);
        },
};

// The card has already scored: the new chips count from its next trigger on.
inline constexpr JokerRule hiker{
    .key = JokerId::hiker,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            Card& card = s.played(played);
            card.bonus = static_cast<std::uint16_t>(card.bonus + 5);
        },
};

}  // namespace jimbo::jokers
