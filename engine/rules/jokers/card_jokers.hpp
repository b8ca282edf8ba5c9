// Jokers that act on scoring cards, one by one.
#pragma once

#include <bit>

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

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

// --- Before the cards score ----------------------------------------------------------------------------------------
inline constexpr JokerRule midas_mask{
    .key = JokerId::midas_mask,
    .before_scoring =
        [](Score& s, const JokerCall&) {
            for (int i = 0; i < s.run.played.size(); ++i) {
                if (!s.scores(i) || !is_face(s.played(i), s.traits)) continue;
                s.played(i).enhance(Enhancement::gold);
                card_changed(s.turn, s.run.played[i]);
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
    .shown = [](const RunState& run,
                const Joker&) { return ShownPart{.kind = ShownKind::suit, .suit = run.targets.ancient_suit}; },
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
    .shown =
        [](const RunState& run, const Joker&) {
            const Targets& targets = run.targets;
            return ShownPart{.kind = ShownKind::card, .rank = targets.idol_rank, .suit = targets.idol_suit};
        },
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
