// Jokers that act on scoring cards, one by one.
#pragma once

#include <bit>

#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// --- Before the cards score ----------------------------------------------------------------------------------------
inline constexpr JokerRule midas_mask{
    .key = JokerId::midas_mask,
    .before_scoring =
        [](Score& s, const JokerCall&) {
            for (int i = 0; i < s.run.played.size(); ++i) {
                if (!s.scores(i) || !is_face(s.played(i), s.traits)) continue;
                s.played(i).enhance(Enhancement::gold);
            }
        },
};

// --- Extra triggers ------------------------------------------------------------------------------------------------
inline constexpr JokerRule sock_and_buskin{
    .key = JokerId::sock_and_buskin,
    .scored_again = [](const Score& s, const JokerCall&,
                       int played) { return is_face(s.played(played), s.traits) ? 1 : 0; },
};

inline constexpr JokerRule hanging_chad{
    .key = JokerId::hanging_chad,
    .scored_again = [](const Score& s, const JokerCall&,
                       int played) { return played == std::countr_zero(s.scoring) ? 2 : 0; },
};

// --- By rank and face ----------------------------------------------------------------------------------------------
inline bool is_first_face(const Score& s, int played) {
    for (int i = 0; i < played; ++i) {
        if (s.scores(i) && is_face(s.played(i), s.traits)) return false;
    }
    return is_face(s.played(played), s.traits);
}

inline constexpr JokerRule photograph{
    .key = JokerId::photograph,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_first_face(s, played)) s.times_mult(2);
        },
};

inline constexpr JokerRule smiley{
    .key = JokerId::smiley,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_face(s.played(played), s.traits)) s.add_mult(5);
        },
};

inline constexpr JokerRule walkie_talkie{
    .key = JokerId::walkie_talkie,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            if (!has_rank(card, Rank::ten) && !has_rank(card, Rank::four)) return;
            s.add_chips(10);
            s.add_mult(4);
        },
};

// --- By suit -------------------------------------------------------------------------------------------------------
inline constexpr JokerRule ancient{
    .key = JokerId::ancient,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_suit(s.played(played), s.run.targets.ancient_suit, s.traits)) s.times_mult(1.5);
        },
};

inline constexpr JokerRule rough_gem{
    .key = JokerId::rough_gem,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_suit(s.played(played), Suit::diamonds, s.traits)) s.earn(1);
        },
};

inline constexpr JokerRule bloodstone{
    .key = JokerId::bloodstone,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (!is_suit(s.played(played), Suit::hearts, s.traits)) return;
            const double c = s.chance(Stream::bloodstone, 2);
            if (c > 0) s.times_mult(1 + 0.5 * c);
        },
};

inline constexpr JokerRule arrowhead{
    .key = JokerId::arrowhead,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_suit(s.played(played), Suit::spades, s.traits)) s.add_chips(50);
        },
};

inline constexpr JokerRule onyx_agate{
    .key = JokerId::onyx_agate,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (is_suit(s.played(played), Suit::clubs, s.traits)) s.add_mult(7);
        },
};

inline constexpr JokerRule idol{
    .key = JokerId::idol,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            const Targets& targets = s.run.targets;
            if (has_rank(card, targets.idol_rank) && is_suit(card, targets.idol_suit, s.traits)) s.times_mult(2);
        },
};

// --- By enhancement ------------------------------------------------------------------------------------------------
inline constexpr JokerRule ticket{
    .key = JokerId::ticket,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (working_enhancement(s.played(played)) == Enhancement::gold) s.earn(4);
        },
};

}  // namespace jimbo::jokers
