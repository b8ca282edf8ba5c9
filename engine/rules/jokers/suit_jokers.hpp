// Jokers that ask for a suit: of scored cards, or of the cards held in hand.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

template <Suit suit>
void mult_for_suit(Score& s, const JokerCall&, int played) {
    if (is_suit(s.played(played), suit, s.traits)) s.add_mult(3);
}

inline constexpr JokerRule greedy_joker{
    .key = JokerId::greedy_joker,
    .card_scored = mult_for_suit<Suit::diamonds>,
};
inline constexpr JokerRule lusty_joker{
    .key = JokerId::lusty_joker,
    .card_scored = mult_for_suit<Suit::hearts>,
};
inline constexpr JokerRule wrathful_joker{
    .key = JokerId::wrathful_joker,
    .card_scored = mult_for_suit<Suit::spades>,
};
inline constexpr JokerRule gluttenous_joker{
    .key = JokerId::gluttenous_joker,
    .card_scored = mult_for_suit<Suit::clubs>,
};

// True of an empty hand. Suits are read as for a flush: a debuffed card keeps its own.
inline constexpr JokerRule blackboard{
    .key = JokerId::blackboard,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            for (int i = 0; i < s.run.hand.size(); ++i) {
                const Card& card = s.held(i);
                const bool black =
                    is_suit_for_flush(card, Suit::spades, s.traits) || is_suit_for_flush(card, Suit::clubs, s.traits);
                if (!black) return;
            }
            s.times_mult(3);
        },
};

}  // namespace jimbo::jokers
