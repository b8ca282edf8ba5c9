// The tags.
#pragma once

#include <algorithm>

#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/open_points.hpp"
#include "rules/shop.hpp"
#include "rules/tags/tag_rule.hpp"

namespace jimbo::tags {

// --- At once -------------------------------------------------------------------------------------------------------
inline constexpr TagRule handy{
    .key = TagId::handy,
    .gained = [](Turn& turn, const HeldTag&) { earn(turn, turn.run.run_hands, Actor::tag); },
};

inline constexpr TagRule garbage{
    .key = TagId::garbage,
    .gained = [](Turn& turn, const HeldTag&) { earn(turn, turn.run.unused_discards, Actor::tag); },
};

inline constexpr TagRule skip{
    .key = TagId::skip,
    .gained = [](Turn& turn, const HeldTag&) { earn(turn, 5 * turn.run.skips, Actor::tag); },
};

inline constexpr TagRule economy{
    .key = TagId::economy,
    .gained = [](Turn& turn, const HeldTag&) { earn(turn, std::clamp(turn.run.dollars, 0, 40), Actor::tag); },
};

inline constexpr TagRule orbital{
    .key = TagId::orbital,
    .gained = [](Turn& turn, const HeldTag& tag) { level_up(turn, tag.orbital_hand, 3); },
};

inline constexpr TagRule top_up{
    .key = TagId::top_up,
    .gained =
        [](Turn& turn, const HeldTag&) {
            for (int n = 0; n < 2; ++n) create_joker(turn, source::top_up, Rarity::common);
        },
};

// --- With the next tag ---------------------------------------------------------------------------------------------
inline constexpr TagRule double_{.key = TagId::double_, .copies_next = true};

// --- On the way to the choice of a blind ---------------------------------------------------------------------------
inline constexpr TagRule boss{.key = TagId::boss, .blind_choice = reroll_boss};

template <BoosterId pack>
void opens(Turn& turn) {
    if (open_point::inflation_counts_packs_of_tags) count_purchase(turn.run);
    open_pack(turn, pack);
}

inline constexpr TagRule charm{.key = TagId::charm, .blind_choice = opens<BoosterId::arcana_mega_1>};
inline constexpr TagRule meteor{.key = TagId::meteor, .blind_choice = opens<BoosterId::celestial_mega_1>};
inline constexpr TagRule ethereal{.key = TagId::ethereal, .blind_choice = opens<BoosterId::spectral_normal_1>};
inline constexpr TagRule standard{.key = TagId::standard, .blind_choice = opens<BoosterId::standard_mega_1>};
inline constexpr TagRule buffoon{.key = TagId::buffoon, .blind_choice = opens<BoosterId::buffoon_mega_1>};

// --- In a round ----------------------------------------------------------------------------------------------------
inline constexpr TagRule juggle{
    .key = TagId::juggle,
    .round_started =
        [](Turn& turn) {
            turn.run.hand_size = static_cast<std::int16_t>(turn.run.hand_size + 3);
            turn.run.hand_size_bonus = static_cast<std::int16_t>(turn.run.hand_size_bonus + 3);
        },
};

inline constexpr TagRule investment{.key = TagId::investment, .boss_beaten = [](const RunState&) { return 25; }};

// --- In the next shop ----------------------------------------------------------------------------------------------
inline constexpr TagRule uncommon{
    .key = TagId::uncommon,
    .shop_card = [](Turn& turn) -> std::optional<ShopCard> {
        RunState& run = turn.run;
        return ShopCard{make_joker(run.streams, pool_context(run), source::uncommon_tag, Rarity::uncommon), true};
    },
};

inline constexpr TagRule rare{
    .key = TagId::rare,
    .shop_card = [](Turn& turn) -> std::optional<ShopCard> {
        RunState& run = turn.run;
        const PoolContext context = pool_context(run);
        const auto blocked = [&](JokerId joker) { return context.blocked.jokers.has(joker); };
        if (std::all_of(rare_jokers.begin(), rare_jokers.end(), blocked)) return std::nullopt;
        return ShopCard{make_joker(run.streams, context, source::rare_tag, Rarity::rare), true};
    },
};

template <Edition edition>
void makes(ShopCard& card) {
    card.offer.edition = edition;
    card.free = true;
}

inline constexpr TagRule negative{.key = TagId::negative, .base_joker = makes<Edition::negative>};
inline constexpr TagRule foil{.key = TagId::foil, .base_joker = makes<Edition::foil>};
inline constexpr TagRule holo{.key = TagId::holo, .base_joker = makes<Edition::holo>};
inline constexpr TagRule polychrome{.key = TagId::polychrome, .base_joker = makes<Edition::polychrome>};

inline constexpr TagRule voucher{
    .key = TagId::voucher,
    .vouchers_shown =
        [](Turn& turn) {
            RunState& run = turn.run;
            const VoucherId extra = pick_voucher(run.streams, Stream::voucher_tag, blocked_for_ante(run));
            take_id(run);
            run.shop_vouchers.push_back({extra, false, true});
        },
};

inline constexpr TagRule coupon{
    .key = TagId::coupon,
    .shop_stocked =
        [](Turn& turn) {
            for (ShopCard& card : turn.run.shop) card.free = true;
            for (ShopBooster& booster : turn.run.shop_boosters) booster.free = true;
        },
};

inline constexpr TagRule d_six{
    .key = TagId::d_six,
    .shop_opened = [](Turn& turn) { turn.run.rerolls_start_free = true; },
};

}  // namespace jimbo::tags
