// Jokers that make cards while a hand is scored. Without room nothing is drawn; a preview makes no consumables.
#pragma once

#include "rules/jokers/joker_queries.hpp"

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

// The copy joins the hand before anything scores, but is not yet among the held cards of this play (Score::held_cards).
inline constexpr JokerRule dna{
    .key = JokerId::dna,
    .before_scoring =
        [](Score& s, const JokerCall&) {
            if (!is_first_hand(s.run) || s.run.played.size() != 1) return;
            Card copy = s.played(0);
            copy.id = 0;
            copy.face_down = false;
            copy.forced = false;
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

}  // namespace jimbo::jokers
