// Jokers that judge the played hand as a whole.
#pragma once

#include <algorithm>
#include <array>

#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

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
