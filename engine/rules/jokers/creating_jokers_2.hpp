// Jokers that make cards, jokers, tags or levels, or end a boss's ability.
#pragma once

#include "rules/effects.hpp"
#include "rules/hand_type.hpp"
#include "rules/jokers/joker_queries_2.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/tags.hpp"

namespace jimbo::jokers {

// --- In the round --------------------------------------------------------------------------------------------------
inline constexpr JokerRule cartomancer{
    .key = JokerId::cartomancer,
    .blind_selected = [](Turn& turn,
                         const JokerCall&) { create_consumable(turn, Stream::tarot_car, ConsumableKind::tarot); },
};

inline constexpr JokerRule certificate{
    .key = JokerId::certificate,
    .first_draw =
        [](Turn& turn, const JokerCall&) {
            Card card;
            card.set_front(pick_front(turn.run.streams, Stream::cert_fr));
            card.seal = poll_seal_kind(turn.run.streams, Stream::certsl);
            add_card(turn, card, CardTo::hand);
        },
};

inline constexpr JokerRule burnt{
    .key = JokerId::burnt,
    .before_discard =
        [](Turn& turn, const JokerCall&, const Discard& discard) {
            const RunState& run = turn.run;
            if (discard.by_hook || run.discards_used > 0) return;
            level_up(turn, find_hand(run, discard.cards, traits_of(run)).hand, 1);
        },
};

// --- With packs ----------------------------------------------------------------------------------------------------
inline constexpr JokerRule hallucination{
    .key = JokerId::hallucination,
    .pack_opened =
        [](Turn& turn, const JokerCall&) {
            RunState& run = turn.run;
            if (consumable_room(run) <= 0 || !comes_up(run, {Stream::halu, run.ante}, 2)) return;
            create_consumable(turn, Stream::tarot_hal, ConsumableKind::tarot);
        },
};

// --- When sold -----------------------------------------------------------------------------------------------------
inline constexpr JokerRule luchador{
    .key = JokerId::luchador,
    .sold =
        [](Turn& turn, const JokerCall&) {
            if (boss_in_play(turn.run)) disable_blind(turn);
        },
};

inline constexpr JokerRule diet_cola{
    .key = JokerId::diet_cola,
    .sold = [](Turn& turn, const JokerCall&) { gain_tag(turn, TagId::double_); },
};

// `count` is the number of rounds it has waited. The copy is made while it still stands there, and may take its place.
inline constexpr JokerRule invisible{
    .key = JokerId::invisible,
    .round_ended =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) ++j.self->count;
        },
    .sold =
        [](Turn& turn, const JokerCall& j) {
            RunState& run = turn.run;
            if (j.copied || j.self->count < 2 || joker_room(run) < 0) return;
            const auto others = jokers_by_id(run, [&](int slot) { return slot != j.slot; });
            if (others.empty()) return;
            Joker& copy = copy_joker(turn, others[run.streams.pick(Stream::invisible, others.size())], true);
            if (copy.key == JokerId::invisible) copy.count = 0;
        },
};

}  // namespace jimbo::jokers
