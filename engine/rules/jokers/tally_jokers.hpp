// Jokers whose strength is counted anew in each hand: from the deck, the money, the other jokers, the run so far.
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// --- The full deck -------------------------------------------------------------------------------------------------
inline int erosion_mult(const RunState& run, const Joker&) {
    return 4 * std::max(0, starting_deck_size(run) - run.cards.size());
}

inline constexpr JokerRule erosion{
    .key = JokerId::erosion,
    .shown = shows<ShownKind::mult, erosion_mult>,
    .hand_scored = gives<ShownKind::mult, erosion_mult>,
};

constexpr int stone_chips(int stones) { return 25 * stones; }

inline constexpr JokerRule stone{
    .key = JokerId::stone,
    .shown =
        [](const RunState& run, const Joker&) {
            const double chips = stone_chips(count_cards(run, Enhancement::stone));
            return ShownPart{.kind = ShownKind::chips, .number = chips};
        },
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int stones = s.deck_count(Enhancement::stone);
            if (stones > 0) s.add_chips(stone_chips(stones));
        },
};

inline constexpr int license_needs = 16;  // enhanced cards

inline constexpr JokerRule drivers_license{
    .key = JokerId::drivers_license,
    .shown =
        [](const RunState& run, const Joker&) {
            const double enhanced = run.cards.size() - count_cards(run, Enhancement::none);
            return ShownPart{.kind = ShownKind::cards_found, .number = enhanced, .of = license_needs};
        },
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int plain = s.deck_count(Enhancement::none);
            if (s.run.cards.size() - plain >= license_needs) s.times_mult(3);
        },
};

// --- Money, with what this hand has earned so far --------------------------------------------------------------------
inline int bull_chips(const RunState& run, const Joker&) { return 2 * std::max(0, run.dollars); }

inline constexpr JokerRule bull{
    .key = JokerId::bull,
    .shown = shows<ShownKind::chips, bull_chips>,
    .hand_scored = gives<ShownKind::chips, bull_chips>,
};

inline int bootstraps_mult(const RunState& run, const Joker&) { return 2 * (std::max(0, run.dollars) / 5); }

inline constexpr JokerRule bootstraps{
    .key = JokerId::bootstraps,
    .shown = shows<ShownKind::mult, bootstraps_mult>,
    .hand_scored = gives<ShownKind::mult, bootstraps_mult>,
};

// --- Other jokers --------------------------------------------------------------------------------------------------
inline constexpr JokerRule baseball{
    .key = JokerId::baseball,
    .joker_scored =
        [](Score& s, const JokerCall&, const Joker& other) {
            if (fact(other.key).rarity == Rarity::uncommon) s.times_mult(1.5);
        },
};

inline int swashbuckler_mult(const RunState& run, const Joker& self) {
    int total = 0;
    for (const Joker& other : run.jokers) {
        if (&other != &self && !other.leaving) total += sell_value(run, other);
    }
    return total;
}

inline constexpr JokerRule swashbuckler{
    .key = JokerId::swashbuckler,
    .shown = shows<ShownKind::mult, swashbuckler_mult>,
    .hand_scored = gives<ShownKind::mult, swashbuckler_mult>,
};

// --- The run so far ------------------------------------------------------------------------------------------------
inline int fortune_teller_mult(const RunState& run, const Joker&) { return run.tarots_used; }

inline constexpr JokerRule fortune_teller{
    .key = JokerId::fortune_teller,
    .shown = shows<ShownKind::mult, fortune_teller_mult>,
    .hand_scored = gives<ShownKind::mult, fortune_teller_mult>,
};

inline double throwback_x_mult(const RunState& run, const Joker&) { return 1 + 0.25 * run.skips; }

inline constexpr JokerRule throwback{
    .key = JokerId::throwback,
    .shown = shows<ShownKind::x_mult, throwback_x_mult>,
    .hand_scored = gives<ShownKind::x_mult, throwback_x_mult>,
};

}  // namespace jimbo::jokers
