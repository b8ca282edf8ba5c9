// Jokers that ask what the played hand is: its type, its size, how often it has been played.
#pragma once

#include <algorithm>
#include <array>

#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

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

// --- What the hand contains ----------------------------------------------------------------------------------------
inline constexpr JokerRule duo{
    .key = JokerId::duo,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.contains.has(HandType::pair)) s.times_mult(2);
        },
};

inline constexpr JokerRule trio{
    .key = JokerId::trio,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.contains.has(HandType::three_of_a_kind)) s.times_mult(3);
        },
};

inline constexpr JokerRule family{
    .key = JokerId::family,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.contains.has(HandType::four_of_a_kind)) s.times_mult(4);
        },
};

inline constexpr JokerRule order{
    .key = JokerId::order,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.contains.has(HandType::straight)) s.times_mult(3);
        },
};

inline constexpr JokerRule tribe{
    .key = JokerId::tribe,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.contains.has(HandType::flush)) s.times_mult(2);
        },
};

// --- Which suits score ---------------------------------------------------------------------------------------------
// Each card stands for one suit; a Wild card for one that is missing. Open point: a debuffed card keeps its suit here,
// but a debuffed Wild card stands for none.
inline bool has_all_suits(const Score& s) {
    std::array<bool, suit_count> found{};
    int wild = 0;
    for (int i = 0; i < s.run.played.size(); ++i) {
        if (!s.scores(i)) continue;
        const Card& card = s.played(i);
        if (card.enhancement == Enhancement::wild) {
            wild += card.debuffed ? 0 : 1;
            continue;
        }
        for (const SuitFact& suit : suit_facts) {
            bool& taken = found[static_cast<std::size_t>(suit.id)];
            if (taken || !is_suit(card, suit.id, s.traits, true)) continue;
            taken = true;
            break;
        }
    }
    return std::count(found.begin(), found.end(), true) + wild >= suit_count;
}

inline constexpr JokerRule flower_pot{
    .key = JokerId::flower_pot,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (has_all_suits(s)) s.times_mult(3);
        },
};

// A Wild card stands for one of the two. Open point: with Smeared Joker a black card is a Club and a Spade at once, so
// that it is enough alone.
inline bool has_club_and_other(const Score& s) {
    bool club = false;
    bool other = false;
    int wild = 0;
    for (int i = 0; i < s.run.played.size(); ++i) {
        if (!s.scores(i)) continue;
        const Card& card = s.played(i);
        if (card.enhancement == Enhancement::wild) {
            wild += card.debuffed ? 0 : 1;
            continue;
        }
        for (const SuitFact& suit : suit_facts) {
            if (is_suit(card, suit.id, s.traits)) (suit.id == Suit::clubs ? club : other) = true;
        }
    }
    return (club ? 0 : 1) + (other ? 0 : 1) <= wild;
}

inline constexpr JokerRule seeing_double{
    .key = JokerId::seeing_double,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (has_club_and_other(s)) s.times_mult(2);
        },
};

// --- When it is played ---------------------------------------------------------------------------------------------
inline constexpr JokerRule acrobat{
    .key = JokerId::acrobat,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.hands_left == 0) s.times_mult(3);
        },
};

inline constexpr JokerRule matador{
    .key = JokerId::matador,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.blind.triggered) s.earn(8);
        },
    .hand_blocked = [](Score& s, const JokerCall&) { s.earn(8); },
};

}  // namespace jimbo::jokers
