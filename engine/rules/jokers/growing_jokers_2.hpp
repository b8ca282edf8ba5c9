// Jokers that grow for as long as they live or until something resets them.
#pragma once

#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// --- Chips and Mult: `count` is what it adds ------------------------------------------------------------------------
inline constexpr JokerRule flash{
    .key = JokerId::flash,
    .hand_scored = count_as_mult,
    .shop_rerolled =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->count += 2;
        },
};

inline constexpr JokerRule trousers{
    .key = JokerId::trousers,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied) return;
            if (s.contains.has(HandType::two_pair) || s.contains.has(HandType::full_house)) j.self->count += 2;
        },
    .hand_scored = count_as_mult,
};

inline constexpr JokerRule castle{
    .key = JokerId::castle,
    .hand_scored = count_as_chips,
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard&, CardIndex card) {
            const RunState& run = turn.run;
            if (!j.copied && is_suit(run.cards[card], run.targets.castle_suit, traits_of(run))) j.self->count += 3;
            return false;
        },
};

inline constexpr JokerRule wee{
    .key = JokerId::wee,
    .card_scored =
        [](Score& s, const JokerCall& j, int played) {
            if (!j.copied && has_rank(s.played(played), Rank::two)) j.self->count += 8;
        },
    .hand_scored = count_as_chips,
};

// --- Multiplier: `x_mult` is the present one ------------------------------------------------------------------------
inline constexpr JokerRule lucky_cat{
    .key = JokerId::lucky_cat,
    .card_scored =
        [](Score& s, const JokerCall& j, int) {
            if (!j.copied && s.lucky_triggered) j.self->x_mult += 0.25;
        },
    .hand_scored = own_x_mult,
};

inline constexpr JokerRule campfire{
    .key = JokerId::campfire,
    .hand_scored = own_x_mult,
    .round_ended =
        [](Turn& turn, const JokerCall& j) {
            if (!j.copied && fact(turn.run.blind.key).boss) j.self->x_mult = 1;
        },
    .card_sold =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->x_mult += 0.25;
        },
};

// A debuffed Glass card that is destroyed counts.
inline constexpr JokerRule glass{
    .key = JokerId::glass,
    .hand_scored = own_x_mult,
    .cards_destroyed =
        [](Turn&, const JokerCall& j, std::span<const Card> cards) {
            if (j.copied) return;
            for (const Card& card : cards) {
                if (card.enhancement == Enhancement::glass) j.self->x_mult += 0.75;
            }
        },
};

inline constexpr JokerRule hit_the_road{
    .key = JokerId::hit_the_road,
    .hand_scored = own_x_mult,
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard&, CardIndex place) {
            const Card& card = turn.run.cards[place];
            if (!j.copied && !card.debuffed && has_rank(card, Rank::jack)) j.self->x_mult += 0.5;
            return false;
        },
    .round_ended =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->x_mult = 1;
        },
};

}  // namespace jimbo::jokers
