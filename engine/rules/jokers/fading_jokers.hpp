// Jokers that are used up. (Turtle Bean is with the passive ones.)
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule popcorn{
    .key = JokerId::popcorn,
    .count_means = ShownKind::mult,
    .start_count = 20,
    .hand_scored = count_as_mult,
    .round_ended =
        [](Turn& turn, const JokerCall& j) {
            if (j.copied) return;
            if (j.self->count <= 4) {
                use_up_joker(turn, j.slot);
            } else {
                j.self->count -= 4;
            }
        },
};

// The last bite comes when it would reach X1.
inline constexpr JokerRule ramen{
    .key = JokerId::ramen,
    .grows_x_mult = true,
    .start_x_mult = 2.0,
    .hand_scored = own_x_mult,
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard&, CardIndex) {
            if (j.copied || j.self->leaving) return false;
            if (j.self->x_mult - 0.01 <= 1) {
                use_up_joker(turn, j.slot);
            } else {
                j.self->x_mult -= 0.01;
            }
            return false;
        },
};

inline constexpr JokerRule selzer{
    .key = JokerId::selzer,
    .count_means = ShownKind::hands_left,
    .start_count = 10,
    .scored_again = [](const Score&, const JokerCall&, int) { return 1; },
    .after_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied || s.luck != Luck::drawn) return;
            if (j.self->count <= 1) {
                use_up_joker(s.turn, j.slot);
            } else {
                --j.self->count;
            }
        },
};

}  // namespace jimbo::jokers
