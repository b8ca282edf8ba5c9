// Jokers that make cards, jokers, tags or levels, or end a boss's ability. Without room nothing is drawn; a preview
// makes no consumables.
#pragma once

#include "rules/effects.hpp"
#include "rules/hand_type.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/tags.hpp"
#include "rules/zones.hpp"

namespace jimbo::jokers {

inline bool may_create(const Score& s) { return s.luck == Luck::drawn && consumable_room(s.run) > 0; }

inline constexpr JokerRule eight_ball{
    .key = JokerId::eight_ball,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (!may_create(s) || !has_rank(s.played(played), Rank::eight)) return;
            if (s.chance(Stream::eight_ball, 4) > 0) {
                create_consumable(s.turn, Stream::tarot_8ba, ConsumableKind::tarot);
            }
        },
};

// The copy joins the hand before anything scores, at its right end, and counts as held.
inline constexpr JokerRule dna{
    .key = JokerId::dna,
    .before_scoring =
        [](Score& s, const JokerCall&) {
            if (!is_first_hand(s.run) || s.run.played.size() != 1) return;
            Card copy = copy_of(s.played(0));
            copy.played_this_ante = true;  // as the card is by now, also where a play is only tried
            add_card(s.turn, copy, CardTo::hand);
        },
};

// The card goes even if there is no room for a Spectral.
inline constexpr JokerRule sixth_sense{
    .key = JokerId::sixth_sense,
    .destroys_card =
        [](Score& s, const JokerCall& j, int played) {
            const bool fits = is_first_hand(s.run) && s.run.played.size() == 1 && has_rank(s.played(played), Rank::six);
            if (j.copied || !fits || s.luck != Luck::drawn) return false;
            create_consumable(s.turn, Stream::spectral_sixth, ConsumableKind::spectral);
            return true;
        },
};

inline constexpr JokerRule superposition{
    .key = JokerId::superposition,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (!may_create(s) || !s.contains.has(HandType::straight)) return;
            if (any_scoring(s, [](const Card& card) { return has_rank(card, Rank::ace); })) {
                create_consumable(s.turn, Stream::tarot_sup, ConsumableKind::tarot);
            }
        },
};

inline constexpr JokerRule seance{
    .key = JokerId::seance,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (!may_create(s) || !s.contains.has(HandType::straight_flush)) return;
            create_consumable(s.turn, Stream::spectral_sea, ConsumableKind::spectral);
        },
};

// Money earned by this very hand does not count yet.
inline constexpr JokerRule vagabond{
    .key = JokerId::vagabond,
    .hand_scored =
        [](Score& s, const JokerCall&) {
            if (!may_create(s) || s.run.dollars - s.dollars > 4) return;
            create_consumable(s.turn, Stream::tarot_vag, ConsumableKind::tarot);
        },
};

// --- In the round --------------------------------------------------------------------------------------------------
inline constexpr JokerRule cartomancer{
    .key = JokerId::cartomancer,
    .blind_selected =
        [](Turn& turn, const JokerCall&) {
            if (consumable_room(turn.run) <= turn.pass->consumables_coming) return;
            ++turn.pass->consumables_coming;
            turn.pass->queue.push_back([](Turn& t) { create_consumable(t, Stream::tarot_car, ConsumableKind::tarot); });
        },
};

inline constexpr JokerRule certificate{
    .key = JokerId::certificate,
    .first_draw =
        [](Turn& turn, const JokerCall&) {
            Card card;
            card.set_front(pick_front(turn.run.streams, Stream::cert_fr));
            card.seal = poll_seal_kind(turn.run.streams, Stream::certsl);
            add_card(turn, card, CardTo::hand);
            sort_hand(turn.run);
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

inline constexpr int invisible_rounds = 2;

// The copy is made while it still stands there, and may take its place.
inline constexpr JokerRule invisible{
    .key = JokerId::invisible,
    .count_means = ShownKind::rounds_done,
    .count_of = invisible_rounds,
    .round_ended =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) ++j.self->count;
        },
    .sold =
        [](Turn& turn, const JokerCall& j) {
            RunState& run = turn.run;
            if (j.copied || j.self->count < invisible_rounds || joker_room(run) < 0) return;
            const auto others = jokers_by_id(run, [&](int slot) { return slot != j.slot; });
            if (others.empty()) return;
            Joker& copy = copy_joker(turn, others[run.streams.pick(Stream::invisible, others.size())], true);
            if (copy.key == JokerId::invisible) copy.count = 0;
        },
};

}  // namespace jimbo::jokers
