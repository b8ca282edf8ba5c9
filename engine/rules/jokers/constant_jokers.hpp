// Jokers whose own turn gives something read off the run at that moment, and which never change themselves.
#pragma once

#include "rules/jokers/joker_queries.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule joker{
    .key = JokerId::joker,
    .hand_scored = [](Score& s, const JokerCall&) { s.add_mult(4); },
};

// Every Stencil, debuffed or not, counts as an empty place.
inline int stencil_x_mult(const RunState& run, const Joker&) {
    return std::max(1, joker_room(run) + count_owned(run, JokerId::stencil));
}

inline constexpr JokerRule stencil{
    .key = JokerId::stencil,
    .shown = shows<ShownKind::x_mult, stencil_x_mult>,
    .hand_scored = gives<ShownKind::x_mult, stencil_x_mult>,
};

inline int banner_chips(const RunState& run, const Joker&) { return 30 * run.discards_left; }

inline constexpr JokerRule banner{
    .key = JokerId::banner,
    .shown = shows<ShownKind::chips, banner_chips>,
    .hand_scored = gives<ShownKind::chips, banner_chips>,
};

inline constexpr JokerRule mystic_summit{
    .key = JokerId::mystic_summit,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (s.run.discards_left == 0) s.add_mult(15);
        },
};

// Hands before the one that counts, which is every sixth, when `hands` have been played in the run.
inline int loyalty_hands_to_go(int hands, const Joker& self) {
    constexpr int every = 6;
    const int since = (hands - self.count) % every;
    return every - 1 - (since < 0 ? since + every : since);
}

// `count` is below 0 until the joker is owned. The hand being scored is already counted in the run.
inline constexpr JokerRule loyalty_card{
    .key = JokerId::loyalty_card,
    .count_means = ShownKind::hands_before,
    .start_count = -1,
    .shown =
        [](const RunState& run, const Joker& self) {
            const double to_go = loyalty_hands_to_go(run.run_hands, self);
            return ShownPart{.kind = ShownKind::hands_to_go, .number = to_go};
        },
    .hand_scored =
        [](Score& s, const JokerCall& j) {
            if (loyalty_hands_to_go(s.run.run_hands - 1, *j.self) == 0) s.times_mult(4);
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
constexpr double steel_x_mult(int steel) { return 1 + 0.2 * steel; }

inline constexpr JokerRule steel_joker{
    .key = JokerId::steel_joker,
    .shown =
        [](const RunState& run, const Joker&) {
            return ShownPart{.kind = ShownKind::x_mult, .number = steel_x_mult(count_cards(run, Enhancement::steel))};
        },
    .hand_scored =
        [](Score& s, const JokerCall&) {
            const int steel = s.deck_count(Enhancement::steel);
            if (steel > 0) s.times_mult(steel_x_mult(steel));
        },
};

inline int abstract_mult(const RunState& run, const Joker&) { return 3 * run.jokers.size(); }

inline constexpr JokerRule abstract{
    .key = JokerId::abstract,
    .shown = shows<ShownKind::mult, abstract_mult>,
    .hand_scored = gives<ShownKind::mult, abstract_mult>,
};

inline int blue_joker_chips(const RunState& run, const Joker&) { return 2 * run.deck_pile.size(); }

inline constexpr JokerRule blue_joker{
    .key = JokerId::blue_joker,
    .shown = shows<ShownKind::chips, blue_joker_chips>,
    .hand_scored = gives<ShownKind::chips, blue_joker_chips>,
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
