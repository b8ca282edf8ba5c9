// Jokers that are used up. (Turtle Bean is with the passive ones.)
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// `count` is its Mult.
inline constexpr JokerRule popcorn{
    .key = JokerId::popcorn,
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

// `x_mult` is the present multiplier. The last bite comes when it would reach X1.
inline constexpr JokerRule ramen{
    .key = JokerId::ramen,
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

// `count` is the number of hands left.
inline constexpr JokerRule selzer{
    .key = JokerId::selzer,
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
