// Jokers that act by being owned. Most of them are asked for elsewhere, by what they change.
#pragma once

#include <algorithm>

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/zones.hpp"

namespace jimbo::jokers {

// A trait, read where hands are found.
inline constexpr JokerRule four_fingers{.key = JokerId::four_fingers};

// Lets the money fall to -$20, wherever something is paid for.
inline constexpr JokerRule credit_card{.key = JokerId::credit_card};

// Every shop opens with one free reroll for each of these; one bought inside it adds its own at once.
inline constexpr JokerRule chaos{
    .key = JokerId::chaos,
    .gained = [](Turn& turn, Joker&) { ++turn.run.free_rerolls; },
    .lost =
        [](Turn& turn, Joker&) {
            if (turn.run.free_rerolls > 0) --turn.run.free_rerolls;
        },
};

// A trait, read wherever a face card is asked for.
inline constexpr JokerRule pareidolia{.key = JokerId::pareidolia};

// A trait, read where the scoring cards are found.
inline constexpr JokerRule splash{.key = JokerId::splash};

// A trait, read where hands are found.
inline constexpr JokerRule shortcut{.key = JokerId::shortcut};

// --- Hand size, hands and discards ---------------------------------------------------------------------------------
// Hands change from the next round on.
inline void change_next_hands(Turn& turn, int by) {
    turn.run.hands_per_round = static_cast<std::int16_t>(turn.run.hands_per_round + by);
}

inline constexpr JokerRule turtle_bean{
    .key = JokerId::turtle_bean,
    .count_means = ShownKind::hand_size,
    .start_count = 5,
    .round_ended =
        [](Turn& turn, const JokerCall& j) {
            if (j.copied) return;
            if (j.self->count <= 1) {
                use_up_joker(turn, j.slot);  // takes the last one back when it goes
            } else {
                --j.self->count;
                change_hand_size(turn, -1);
            }
        },
    .gained = [](Turn& turn, Joker& self) { change_hand_size(turn, self.count); },
    .lost = [](Turn& turn, Joker& self) { change_hand_size(turn, -self.count); },
};

inline constexpr JokerRule juggler{
    .key = JokerId::juggler,
    .gained = [](Turn& turn, Joker&) { change_hand_size(turn, 1); },
    .lost = [](Turn& turn, Joker&) { change_hand_size(turn, -1); },
};

inline constexpr JokerRule drunkard{
    .key = JokerId::drunkard,
    .gained = [](Turn& turn, Joker&) { change_discards(turn, 1); },
    .lost = [](Turn& turn, Joker&) { change_discards(turn, -1); },
};

inline constexpr JokerRule merry_andy{
    .key = JokerId::merry_andy,
    .gained =
        [](Turn& turn, Joker&) {
            change_discards(turn, 3);
            change_hand_size(turn, -1);
        },
    .lost =
        [](Turn& turn, Joker&) {
            change_discards(turn, -3);
            change_hand_size(turn, 1);
        },
};

inline constexpr JokerRule troubadour{
    .key = JokerId::troubadour,
    .gained =
        [](Turn& turn, Joker&) {
            change_hand_size(turn, 2);
            change_next_hands(turn, -1);
        },
    .lost =
        [](Turn& turn, Joker&) {
            change_hand_size(turn, -2);
            change_next_hands(turn, 1);
        },
};

inline constexpr JokerRule stuntman{
    .key = JokerId::stuntman,
    .hand_scored = [](Score& s, const JokerCall&) { s.add_chips(250); },
    .gained = [](Turn& turn, Joker&) { change_hand_size(turn, -2); },
    .lost = [](Turn& turn, Joker&) { change_hand_size(turn, 2); },
};

// --- Rules ---------------------------------------------------------------------------------------------------------
// Acts through Traits.
inline constexpr JokerRule smeared{.key = JokerId::smeared};

// Acts through odds_numerator.
inline constexpr JokerRule oops{.key = JokerId::oops};

// Acts through pool_context.
inline constexpr JokerRule ring_master{.key = JokerId::ring_master};

// Acts where a round would be lost.
inline constexpr JokerRule mr_bones{.key = JokerId::mr_bones};

inline ShownPart copied_joker(const RunState& run, const Joker& self) {
    int slot = 0;
    while (slot < run.jokers.size() && &run.jokers[slot] != &self) ++slot;
    if (slot == run.jokers.size()) return {.kind = ShownKind::copies, .copied = -1};  // on offer it copies nobody
    const int acting = acting_slot(run, slot);
    return {.kind = ShownKind::copies, .copied = static_cast<std::int8_t>(acting == slot ? -1 : acting)};
}

// Both act through resolve_jokers.
inline constexpr JokerRule blueprint{.key = JokerId::blueprint, .shown = copied_joker};
inline constexpr JokerRule brainstorm{.key = JokerId::brainstorm, .shown = copied_joker};

}  // namespace jimbo::jokers
