// Jokers whose strength is counted anew in each hand: from the deck, the money, the other jokers, the run so far.
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// --- The full deck -------------------------------------------------------------------------------------------------
inline constexpr JokerRule erosion{
    .key = JokerId::erosion,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int missing = starting_deck_size(s.run) - s.run.cards.size();
            if (missing > 0) s.add_mult(4 * missing);
        },
};

inline constexpr JokerRule stone{
    .key = JokerId::stone,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int stones = s.deck_count(Enhancement::stone);
            if (stones > 0) s.add_chips(25 * stones);
        },
};

inline constexpr JokerRule drivers_license{
    .key = JokerId::drivers_license,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int plain = s.deck_count(Enhancement::none);
            if (s.run.cards.size() - plain >= 16) s.times_mult(3);
        },
};

// --- Money, with what this hand has earned so far --------------------------------------------------------------------
inline constexpr JokerRule bull{
    .key = JokerId::bull,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.dollars > 0) s.add_chips(2 * s.run.dollars);
        },
};

inline constexpr JokerRule bootstraps{
    .key = JokerId::bootstraps,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.dollars >= 5) s.add_mult(2 * (s.run.dollars / 5));
        },
};

// --- Other jokers --------------------------------------------------------------------------------------------------
inline constexpr JokerRule baseball{
    .key = JokerId::baseball,
    .joker_scored =
        [](Score& s, const JokerCall&, const Joker& other) {
            if (fact(other.key).rarity == Rarity::uncommon) s.times_mult(1.5);
        },
};

inline constexpr JokerRule swashbuckler{
    .key = JokerId::swashbuckler,
    .hand_scored =
        [](Score& s, const JokerCall& j) {
            int total = 0;
            for (const Joker& other : s.run.jokers) {
                if (&other != j.self && !other.leaving) total += sell_value(s.run, other);
            }
            if (total > 0) s.add_mult(total);
        },
};

// --- The run so far ------------------------------------------------------------------------------------------------
inline constexpr JokerRule fortune_teller{
    .key = JokerId::fortune_teller,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.tarots_used > 0) s.add_mult(s.run.tarots_used);
        },
};

inline constexpr JokerRule throwback{
    .key = JokerId::throwback,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.skips > 0) s.times_mult(1 + 0.25 * s.run.skips);
        },
};

}  // namespace jimbo::jokers
