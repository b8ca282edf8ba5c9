// Jokers that make cards score again.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

// At the end of the round, Gold cards and Blue Seals in hand are triggered again by the round's own rules.
inline constexpr JokerRule mime{
    .key = JokerId::mime,
    .held_again = [](const Score&, const JokerCall&, int) { return 1; },
};

inline constexpr JokerRule dusk{
    .key = JokerId::dusk,
    .scored_again = [](const Score& s, const JokerCall&, int) { return s.run.hands_left == 0 ? 1 : 0; },
};

inline constexpr JokerRule hack{
    .key = JokerId::hack,
    .scored_again =
        [](const Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            return has_rank(card) && card.rank <= Rank::five ? 1 : 0;
        },
};

}  // namespace jimbo::jokers
