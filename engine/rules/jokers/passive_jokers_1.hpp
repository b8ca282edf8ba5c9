// Jokers that act by being owned. Most of them are asked for elsewhere, by what they change.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

// A trait, read where hands are found.
inline constexpr JokerRule four_fingers{.key = JokerId::four_fingers};

// Lets the money fall to -$20, wherever something is paid for.
inline constexpr JokerRule credit_card{.key = JokerId::credit_card};

// Every shop opens with one free reroll for each of these; one bought inside it adds its own at once.
inline constexpr JokerRule chaos{
    .key = JokerId::chaos,
    .gained = [](Turn& turn, Joker&) { ++turn.run.free_rerolls; },
    .lost =
        [](Turn& turn, Joker&) {
            if (turn.run.free_rerolls > 0) --turn.run.free_rerolls;
        },
};

// A trait, read wherever a face card is asked for.
inline constexpr JokerRule pareidolia{.key = JokerId::pareidolia};

// A trait, read where the scoring cards are found.
inline constexpr JokerRule splash{.key = JokerId::splash};

// A trait, read where hands are found.
inline constexpr JokerRule shortcut{.key = JokerId::shortcut};

}  // namespace jimbo::jokers
