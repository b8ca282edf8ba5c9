// The five Legendary jokers.
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

inline constexpr JokerRule caino{
    .key = JokerId::caino,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .cards_destroyed =
        [](Turn& turn, const JokerCall& j, std::span<const Card> cards) {
            if (j.copied) return;
            const Traits traits = traits_of(turn.run);
            for (const Card& card : cards) {
                if (is_face(card, traits)) j.self->x_mult += 1;
            }
        },
};

inline constexpr JokerRule triboulet{
    .key = JokerId::triboulet,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            const Card& card = s.played(played);
            if (has_rank(card, Rank::king) || has_rank(card, Rank::queen)) s.times_mult(2);
        },
};

inline constexpr JokerRule yorick{
    .key = JokerId::yorick,
    .count_means = ShownKind::cards_to_go,
    .start_count = 23,
    .grows_x_mult = true,
    .hand_scored = own_x_mult,
    .card_discarded =
        [](Turn&, const JokerCall& j, const Discard&, CardIndex) {
            if (j.copied) return false;
            if (--j.self->count <= 0) {
                j.self->count = 23;
                j.self->x_mult += 1;
            }
            return false;
        },
};

inline constexpr JokerRule chicot{
    .key = JokerId::chicot,
    .blind_selected =
        [](Turn& turn, const JokerCall&) {
            if (boss_in_play(turn.run)) disable_blind(turn);
        },
    .gained =
        [](Turn& turn, Joker&) {
            if (boss_in_play(turn.run)) disable_blind(turn);
        },
};

// The copy keeps the sell value. A second Perkeo may choose the first one's copy.
inline constexpr JokerRule perkeo{
    .key = JokerId::perkeo,
    .shop_left =
        [](Turn& turn, const JokerCall&) {
            RunState& run = turn.run;
            const auto places = consumables_by_id(run);
            if (places.empty()) return;
            const Consumable chosen = run.consumables[places[run.streams.pick(Stream::perkeo, places.size())]];
            add_consumable(turn, chosen.key, Edition::negative).sell_bonus = chosen.sell_bonus;
        },
};

}  // namespace jimbo::jokers
