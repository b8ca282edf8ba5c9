// Jokers whose own turn gives something read off the run at that moment, and which never change themselves.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule joker{
    .key = JokerId::joker,
    .hand_scored = [](Score& s, const JokerCall&) { s.add_mult(4); },
};

// Every Stencil, debuffed or not, counts as an empty place.
inline constexpr JokerRule stencil{
    .key = JokerId::stencil,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int empty = joker_room(s.run) + count_owned(s.run, JokerId::stencil);
            if (empty > 1) s.times_mult(empty);
        },
};

inline constexpr JokerRule banner{
    .key = JokerId::banner,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.discards_left > 0) s.add_chips(30 * s.run.discards_left);
        },
};

inline constexpr JokerRule mystic_summit{
    .key = JokerId::mystic_summit,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.discards_left == 0) s.add_mult(15);
        },
};

// count: hands of the run when this joker came. The hand being scored is already counted in the run.
inline constexpr JokerRule loyalty_card{
    .key = JokerId::loyalty_card,
    .start_count = -1,
    .hand_scored =
        [](Score& s, const JokerCall& j) {
            if ((s.run.run_hands - j.self->count) % 6 == 0) s.times_mult(4);
        },
    .gained =
        [](Turn& turn, Joker& self) {
            if (self.count < 0) self.count = turn.run.run_hands;
        },
};

// A whole number from 0 to 23.
inline constexpr JokerRule misprint{
    .key = JokerId::misprint,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            switch (s.luck) {
                case Luck::drawn:
                    s.add_mult(s.run.streams.random(Stream::misprint, 0, 23));
                    break;
                case Luck::none:
                    break;
                case Luck::expected:
                    s.add_mult(11.5);
                    break;
                case Luck::all:
                    s.add_mult(23);
                    break;
            }
        },
};

// Debuffed Steel cards count.
inline constexpr JokerRule steel_joker{
    .key = JokerId::steel_joker,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int steel = s.deck_count(Enhancement::steel);
            if (steel > 0) s.times_mult(1 + 0.2 * steel);
        },
};

inline constexpr JokerRule abstract{
    .key = JokerId::abstract,
    .hand_scored = [](Score& s, const JokerCall&) { s.add_mult(3 * s.run.jokers.size()); },
};

inline constexpr JokerRule blue_joker{
    .key = JokerId::blue_joker,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (!s.run.deck_pile.empty()) s.add_chips(2 * s.run.deck_pile.size());
        },
};

// The two bananas: a bonus until they go, at the end of some round.
inline void may_go_bad(Turn& turn, const JokerCall& j, Stream stream, double one_in) {
    if (j.copied || !comes_up(turn.run, stream, one_in)) return;
    use_up_joker(turn, j.slot);
    if (j.self->key == JokerId::gros_michel) turn.run.gros_michel_extinct = true;
}

inline constexpr JokerRule gros_michel{
    .key = JokerId::gros_michel,
    .hand_scored = [](Score& s, const JokerCall&) { s.add_mult(15); },
    .round_ended = [](Turn& turn, const JokerCall& j) { may_go_bad(turn, j, Stream::gros_michel, 6); },
};

inline constexpr JokerRule cavendish{
    .key = JokerId::cavendish,
    .hand_scored = [](Score& s, const JokerCall&) { s.times_mult(3); },
    .round_ended = [](Turn& turn, const JokerCall& j) { may_go_bad(turn, j, Stream::cavendish, 1000); },
};

}  // namespace jimbo::jokers
