// Jokers that ask what the played hand is: its type, its size, how often it has been played.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

template <HandType hand, int mult>
void mult_if_contains(Score& s, const JokerCall&) {
    if (s.contains.has(hand)) s.add_mult(mult);
}

template <HandType hand, int chips>
void chips_if_contains(Score& s, const JokerCall&) {
    if (s.contains.has(hand)) s.add_chips(chips);
}

inline constexpr JokerRule jolly{
    .key = JokerId::jolly,
    .hand_scored = mult_if_contains<HandType::pair, 8>,
};
inline constexpr JokerRule zany{
    .key = JokerId::zany,
    .hand_scored = mult_if_contains<HandType::three_of_a_kind, 12>,
};
inline constexpr JokerRule mad{
    .key = JokerId::mad,
    .hand_scored = mult_if_contains<HandType::two_pair, 10>,
};
inline constexpr JokerRule crazy{
    .key = JokerId::crazy,
    .hand_scored = mult_if_contains<HandType::straight, 12>,
};
inline constexpr JokerRule droll{
    .key = JokerId::droll,
    .hand_scored = mult_if_contains<HandType::flush, 10>,
};

inline constexpr JokerRule sly{
    .key = JokerId::sly,
    .hand_scored = chips_if_contains<HandType::pair, 50>,
};
inline constexpr JokerRule wily{
    .key = JokerId::wily,
    .hand_scored = chips_if_contains<HandType::three_of_a_kind, 100>,
};
inline constexpr JokerRule clever{
    .key = JokerId::clever,
    .hand_scored = chips_if_contains<HandType::two_pair, 80>,
};
inline constexpr JokerRule devious{
    .key = JokerId::devious,
    .hand_scored = chips_if_contains<HandType::straight, 100>,
};
inline constexpr JokerRule crafty{
    .key = JokerId::crafty,
    .hand_scored = chips_if_contains<HandType::flush, 80>,
};

inline constexpr JokerRule half{
    .key = JokerId::half,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.played.size() <= 3) s.add_mult(20);
        },
};

// The play being scored is already counted, here and for Card Sharp.
inline constexpr JokerRule supernova{
    .key = JokerId::supernova,
    .hand_scored = [](Score& s, const JokerCall&) { s.add_mult(s.run.stats(s.hand).played); },
};

inline constexpr JokerRule card_sharp{
    .key = JokerId::card_sharp,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.stats(s.hand).played_this_round > 1) s.times_mult(3);
        },
};

// A previewed chance of less than one leaves the level as it is: there is no fraction of a level.
inline constexpr JokerRule space{
    .key = JokerId::space,
    .before_scoring =
        [](Score& s, const JokerCall&) {
            if (s.chance(Stream::space, 4) >= 1.0) level_up(s.turn, s.hand, 1);
        },
};

}  // namespace jimbo::jokers
