// Jokers that bring money: while a hand is scored, on a discard, on the cash-out sheet, or when sold.
#pragma once

#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/jokers/joker_queries.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// Dollars on the cash-out sheet, if no discard was used this round.
inline constexpr JokerRule delayed_grat{
    .key = JokerId::delayed_grat,
    .payout = [](const RunState& run, const Joker&) { return run.discards_used == 0 ? 2 * run.discards_left : 0; },
};

inline constexpr JokerRule business{
    .key = JokerId::business,
    .card_scored =
        [](Score& s, const JokerCall&, int played) {
            if (!is_face(s.played(played), s.traits)) return;
            const double chance = s.chance(Stream::business, 2);
            if (chance > 0) s.earn(2 * chance);
        },
};

inline constexpr JokerRule egg{
    .key = JokerId::egg,
    .round_ended =
        [](Turn&, const JokerCall& j) {
            if (!j.copied) j.self->sell_bonus = static_cast<std::int16_t>(j.self->sell_bonus + 3);
        },
};

inline constexpr JokerRule faceless{
    .key = JokerId::faceless,
    .before_discard =
        [](Turn& turn, const JokerCall& j, const Discard& discard) {
            const Traits traits = traits_of(turn.run);
            int faces = 0;
            for (CardIndex card : discard.cards) faces += is_face(turn.run.cards[card], traits) ? 1 : 0;
            if (faces >= 3) earn(turn, 5, Actor::joker, j.slot);
        },
};

// A hand other than `present` among those that show in the run's hand list.
inline HandType draw_to_do_hand(RunState& run, std::optional<HandType> present) {
    auto hands = visible_hands(run);
    for (int i = 0; i < hands.size(); ++i) {
        if (hands[i] == present) hands.erase(i);
    }
    return hands[run.streams.pick(Stream::to_do, hands.size())];
}

// `count` is below 0 until the joker is owned.
inline constexpr JokerRule todo_list{
    .key = JokerId::todo_list,
    .count_means = ShownKind::poker_hand,
    .start_count = -1,
    .before_scoring =
        [](Score& s, const JokerCall& j) {
            if (static_cast<int>(s.hand) == j.self->count) s.earn(4);
        },
    .round_ended =
        [](Turn& turn, const JokerCall& j) {
            if (j.copied) return;
            const HandType present = static_cast<HandType>(j.self->count);
            j.self->count = static_cast<int>(draw_to_do_hand(turn.run, present));
        },
    .gained =
        [](Turn& turn, Joker& self) {
            if (self.count < 0) self.count = static_cast<int>(draw_to_do_hand(turn.run, {}));
        },
};

inline int cloud_9_dollars(const RunState& run, const Joker&) {
    return count_cards(run, [](const Card& card) { return has_rank(card, Rank::nine); });
}

inline constexpr JokerRule cloud_9{
    .key = JokerId::cloud_9,
    .shown = shows<ShownKind::dollars, cloud_9_dollars>,
    .payout = cloud_9_dollars,
};

// The blind just beaten is still in play when the round ends.
inline constexpr JokerRule rocket{
    .key = JokerId::rocket,
    .count_means = ShownKind::dollars,
    .start_count = 1,
    .round_ended =
        [](Turn& turn, const JokerCall& j) {
            if (!j.copied && fact(turn.run.blind.key).boss) j.self->count += 2;
        },
    .payout = [](const RunState&, const Joker& self) { return static_cast<int>(self.count); },
};

// --- At the end of the round ---------------------------------------------------------------------------------------
inline constexpr JokerRule golden{
    .key = JokerId::golden,
    .payout = [](const RunState&, const Joker&) { return 4; },
};

inline int satellite_dollars(const RunState& run, const Joker&) { return run.used_planets.count(); }

inline constexpr JokerRule satellite{
    .key = JokerId::satellite,
    .shown = shows<ShownKind::dollars, satellite_dollars>,
    .payout = satellite_dollars,
};

inline constexpr JokerRule gift{
    .key = JokerId::gift,
    .round_ended =
        [](Turn& turn, const JokerCall&) {
            for (Joker& joker : turn.run.jokers) ++joker.sell_bonus;
            for (Consumable& consumable : turn.run.consumables) ++consumable.sell_bonus;
        },
};

// Acts in the interest of the payout.
inline constexpr JokerRule to_the_moon{.key = JokerId::to_the_moon};

// --- When discarding -----------------------------------------------------------------------------------------------
inline constexpr JokerRule mail{
    .key = JokerId::mail,
    .shown = [](const RunState& run,
                const Joker&) { return ShownPart{.kind = ShownKind::rank, .rank = run.targets.mail_rank}; },
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard&, CardIndex place) {
            const Card& card = turn.run.cards[place];
            if (!card.debuffed && has_rank(card, turn.run.targets.mail_rank)) earn(turn, 5, Actor::joker, j.slot);
            return false;
        },
};

inline constexpr JokerRule trading{
    .key = JokerId::trading,
    .card_discarded =
        [](Turn& turn, const JokerCall& j, const Discard& discard, CardIndex) {
            if (j.copied || turn.run.discards_used > 0 || discard.cards.size() != 1) return false;
            earn(turn, 3, Actor::joker, j.slot);
            return true;
        },
};

// --- In the shop ---------------------------------------------------------------------------------------------------
// Acts in the prices of Planet cards and Celestial packs.
inline constexpr JokerRule astronomer{.key = JokerId::astronomer};

}  // namespace jimbo::jokers
