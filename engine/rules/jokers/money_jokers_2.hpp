// Jokers that bring money outside of scoring.
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo::jokers {

// --- At the end of the round ---------------------------------------------------------------------------------------
inline constexpr JokerRule golden{
    .key = JokerId::golden,
    .payout = [](const RunState&, const Joker&) { return 4; },
};

inline constexpr JokerRule satellite{
    .key = JokerId::satellite,
    .payout = [](const RunState& run, const Joker&) { return run.used_planets.count(); },
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
