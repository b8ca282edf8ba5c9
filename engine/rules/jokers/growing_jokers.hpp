// Jokers whose own number grows, shrinks or starts again.
#pragma once

#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule ride_the_bus{
    .key = JokerId::ride_the_bus,
    .count_means = ShownKind::mult,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied) return;
            const bool face = any_scoring(s, [&](const Card& card) { return is_face(card, s.traits); });
            j.self->count = face ? 0 : j.self->count + 1;
        },
    .hand_scored = count_as_mult,
};

inline constexpr JokerRule runner{
    .key = JokerId::runner,
    .count_means = ShownKind::chips,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (!j.copied && s.contains.has(HandType::straight)) j.self->count += 15;
        },
    .hand_scored = count_as_chips,
};

inline constexpr JokerRule square{
    .key = JokerId::square,
    .count_means = ShownKind::chips,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (!j.copied && s.run.played.size() == 4) j.self->count += 4;
        },
    .hand_scored = count_as_chips,
};

inline constexpr JokerRule green_joker{
    .key = JokerId::green_joker,
    .count_means = ShownKind::mult,
    .before_scoring =
        [](Score&, const JokerCall& j) {
            if (!j.copied) ++j.self->count;
        },
    .hand_scored = count_as_mult,
    .before_discard =
        [](Turn&, const JokerCall& j, const Discard&) {
            if (!j.copied && j.self->count > 0) --j.self->count;
        },
};

inline constexpr JokerRule ice_cream{
    .key = JokerId::ice_cream,
    .count_means = ShownKind::chips,
    .start_count = 100,
    .hand_scored = count_as_chips,
    .after_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied) return;
            j.self->count = std::max(0, j.self->count - 5);
            if (j.self->count == 0) use_up_joker(s.turn, j.slot);
        },
};

inline constexpr JokerRule red_card{
    .key = JokerId::red_card,
    .count_means = ShownKind::mult,
    .hand_scored = count_as_mult,
    .pack_skipped =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->count += 3;
        },
};

inline constexpr JokerRule constellation{
    .key = JokerId::constellation,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .consumable_used =
        [](Turn&, const JokerCall& j, ConsumableId used) {
            if (!j.copied && fact(used).kind == ConsumableKind::planet) j.self->x_mult += 0.1;
        },
};

inline constexpr JokerRule hologram{
    .key = JokerId::hologram,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .cards_added =
        [](Turn&, const JokerCall& j, int count) {
            if (!j.copied) j.self->x_mult += 0.25 * count;
        },
};

// Takes the enhancements before they can score; a debuffed card keeps its own.
inline constexpr JokerRule vampire{
    .key = JokerId::vampire,
    .grows_x_mult = true,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied) return;
            int stripped = 0;
            for (int i = 0; i < s.run.played.size(); ++i) {
                if (!s.scores(i) || working_enhancement(s.played(i)) == Enhancement::none) continue;
                s.played(i).enhance(Enhancement::none);
                card_changed(s.turn, s.run.played[i]);
                ++stripped;
            }
            if (stripped > 0) j.self->x_mult += 0.1 * stripped;
        },
    .hand_scored = own_x_mult,
};

// The play being scored is already counted. A hand that only shares the first place does not reset.
inline constexpr JokerRule obelisk{
    .key = JokerId::obelisk,
    .grows_x_mult = true,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied) return;
            bool leads = true;
            for (const HandFact& other : hand_facts) {
                if (other.id != s.hand && s.run.stats(other.id).played >= s.run.stats(s.hand).played) {
                    leads = false;
                }
            }
            j.self->x_mult = leads ? 1.0 : j.self->x_mult + 0.2;
        },
    .hand_scored = own_x_mult,
};

// --- Chips and Mult ------------------------------------------------------------------------------------------------
inline constexpr JokerRule flash{
    .key = JokerId::flash,
    .count_means = ShownKind::mult,
    .hand_scored = count_as_mult,
    .shop_rerolled =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->count += 2;
        },
};

inline constexpr JokerRule trousers{
    .key = JokerId::trousers,
    .count_means = ShownKind::mult,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (j.copied) return;
            if (s.contains.has(HandType::two_pair) || s.contains.has(HandType::full_house)) j.self->count += 2;
        },
    .hand_scored = count_as_mult,
};

inline constexpr JokerRule castle{
    .key = JokerId::castle,
    .count_means = ShownKind::chips,
    .shown = [](const RunState& run,
                const Joker&) { return ShownPart{.kind = ShownKind::suit, .suit = run.targets.castle_suit}; },
    .hand_scored = count_as_chips,
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard&, CardIndex card) {
            const RunState& run = turn.run;
            if (!j.copied && is_suit(run.cards[card], run.targets.castle_suit, traits_of(run))) j.self->count += 3;
            return false;
        },
};

inline constexpr JokerRule wee{
    .key = JokerId::wee,
    .count_means = ShownKind::chips,
    .card_scored =
        [](Score& s, const JokerCall& j, int played) {
            if (!j.copied && has_rank(s.played(played), Rank::two)) j.self->count += 8;
        },
    .hand_scored = count_as_chips,
};

// --- Multiplier ----------------------------------------------------------------------------------------------------
inline constexpr JokerRule lucky_cat{
    .key = JokerId::lucky_cat,
    .grows_x_mult = true,
    .card_scored =
        [](Score& s, const JokerCall& j, int) {
            if (!j.copied && s.lucky_triggered) j.self->x_mult += 0.25;
        },
    .hand_scored = own_x_mult,
};

inline constexpr JokerRule campfire{
    .key = JokerId::campfire,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .round_ended =
        [](Turn& turn, const JokerCall& j) {
            if (!j.copied && fact(turn.run.blind.key).boss) j.self->x_mult = 1;
        },
    .card_sold =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->x_mult += 0.25;
        },
};

// A debuffed Glass card that is destroyed counts.
inline constexpr JokerRule glass{
    .key = JokerId::glass,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .cards_destroyed =
        [](Turn&, const JokerCall& j, std::span<const Card> cards) {
            if (j.copied) return;
            for (const Card& card : cards) {
                if (card.enhancement == Enhancement::glass) j.self->x_mult += 0.75;
            }
        },
};

inline constexpr JokerRule hit_the_road{
    .key = JokerId::hit_the_road,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard&, CardIndex place) {
            const Card& card = turn.run.cards[place];
            if (!j.copied && !card.debuffed && has_rank(card, Rank::jack)) j.self->x_mult += 0.5;
            return false;
        },
    .round_ended =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->x_mult = 1;
        },
};

}  // namespace jimbo::jokers
