// What may be made now: keys in use, gates, vouchers, stake, ante.
#include <algorithm>

#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/queries.hpp"
#include "rules/vouchers/in_force.hpp"

namespace jimbo {
namespace {

void block_used(Blocked& blocked, const RunState& run) {
    for (const Joker& joker : run.jokers) blocked.jokers.add(joker.key);
    for (const Consumable& c : run.consumables) blocked.consumables.add(c.key);
    for (const ShopCard& card : run.shop) block(blocked, card.offer);
    for (const Offer& offer : run.pack.cards) block(blocked, offer);
}

constexpr bool is_gated(const JokerFact& j) { return j.gate != Enhancement::none || j.pool_gate != PoolGate::none; }

constexpr auto gated_jokers = [] {
    std::array<JokerId, static_cast<std::size_t>(std::count_if(joker_facts.begin(), joker_facts.end(), is_gated))>
        ids{};
    std::size_t n = 0;
    for (const JokerFact& j : joker_facts) {
        if (is_gated(j)) ids[n++] = j.id;
    }
    return ids;
}();

void block_gated(Blocked& blocked, const RunState& run) {
    BitSet<enhancement_count> present;
    for (const Card& card : run.cards) present.add(card.enhancement);
    for (JokerId id : gated_jokers) {
        const JokerFact& j = fact(id);
        const bool missing = j.gate != Enhancement::none && !present.has(j.gate);
        const bool gated = (j.pool_gate == PoolGate::needs_gros_michel_alive && run.gros_michel_extinct) ||
                           (j.pool_gate == PoolGate::needs_gros_michel_extinct && !run.gros_michel_extinct);
        if (missing || gated) blocked.jokers.add(j.id);
    }
    for (const ConsumableFact& c : consumable_facts) {
        if (c.softlocked && run.stats(*c.hand).played == 0) blocked.consumables.add(c.id);
    }
}

void block_vouchers(Blocked& blocked, const RunState& run) {
    for (const VoucherFact& v : voucher_facts) {
        const bool locked = v.prerequisite && !run.has(*v.prerequisite);
        if (run.has(v.id) || locked) blocked.vouchers.add(v.id);
    }
    for (const ShopVoucher& v : run.shop_vouchers) blocked.vouchers.add(v.key);
}

void block_banned(Blocked& blocked, const ChallengeFact& challenge) {
    for (JokerId id : challenge.banned_jokers) blocked.jokers.add(id);
    for (ConsumableId id : challenge.banned_consumables) blocked.consumables.add(id);
    for (VoucherId id : challenge.banned_vouchers) blocked.vouchers.add(id);
    for (TagId id : challenge.banned_tags) blocked.tags.add(id);
    for (BlindId id : challenge.banned_blinds) blocked.blinds.add(id);
    for (const BoosterFact& b : booster_facts) {
        if (challenge.banned_boosters.contains(b.kind)) blocked.boosters.add(b.id);
    }
}

ShopRates rates_of(const RunState& run) {
    ShopRates rates;
    if (challenge_of(run).no_shop_jokers) rates.joker = 0;
    rates.tarot = in_force<&VoucherRule::tarot_rate>(run);
    rates.planet = in_force<&VoucherRule::planet_rate>(run);
    rates.playing_card = in_force<&VoucherRule::playing_card_rate>(run);
    rates.spectral = fact(run.deck).spectral_rate;
    return rates;
}

// The planet of the most played hand, once one has been played.
std::optional<ConsumableId> telescope_planet(const RunState& run) {
    if (!in_force<&VoucherRule::favourite_planet>(run)) return std::nullopt;
    const HandType favourite = most_played_hand(run);
    if (run.stats(favourite).played == 0) return std::nullopt;
    return planet_of(favourite);
}

}  // namespace

Blocked blocked_for_ante(const RunState& run) {
    Blocked blocked;
    block_vouchers(blocked, run);
    if (run.challenge) block_banned(blocked, fact(*run.challenge));
    return blocked;
}

PoolContext pool_context(const RunState& run) {
    PoolContext context;
    context.ante = run.ante;
    context.blocked = blocked_for_ante(run);
    context.showman = has_working(run, JokerId::ring_master);
    if (!context.showman) block_used(context.blocked, run);
    block_gated(context.blocked, run);
    context.rates = rates_of(run);
    context.edition_rate = in_force<&VoucherRule::edition_rate>(run);
    context.eternal = fact(run.stake).eternal;
    context.all_eternal = challenge_of(run).all_eternal;
    context.perishable = fact(run.stake).perishable;
    context.rental = fact(run.stake).rental;
    context.omen_globe = in_force<&VoucherRule::arcana_spectrals>(run);
    context.illusion = in_force<&VoucherRule::decorated_cards>(run);
    context.telescope = telescope_planet(run);
    return context;
}

}  // namespace jimbo
