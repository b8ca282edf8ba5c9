#include "strategy/inputs.hpp"

#include <cmath>

#include "rules/blinds/blind_rule.hpp"
#include "rules/prices.hpp"
#include "rules/queries.hpp"
#include "strategy/input_writer.hpp"
#include "strategy/power.hpp"

namespace jimbo {
namespace {

using G = InputGroup;

static_assert(input_groups[static_cast<std::size_t>(G::power)].size == power_kinds);

int pack_sort(BoosterId key) {
    const BoosterFact& pack = fact(key);
    return static_cast<int>(pack.kind) * booster_size_count + static_cast<int>(pack.size);
}

double log_of(double score) { return std::log(std::max(1.0, score)); }

void write_power(const RunState& run, InputWriter& writer) {
    const Power power = power_of(run);
    const double base = log_of(base_score(run.deck, run.stake, std::max<int>(1, run.ante)));
    double best = 0;
    for (std::size_t i = 0; i < power.size(); ++i) {
        if (power[i] <= 0) continue;
        const double log = log_of(power[i]);
        best = std::max(best, log);
        writer.add(G::power, static_cast<int>(i), std::clamp((log - base) / 4, -2.0, 2.0));
    }
    writer.knots(G::best_power, margin_knots, best - base);
    writer.add(G::log_power, 0, best / 10);
}

void write_money(const RunState& run, InputWriter& writer) {
    writer.knots(G::dollars, dollar_knots, run.dollars);
    writer.one(G::interest, std::clamp(run.dollars / 5, 0, 11));
    if (run.dollars < 0) writer.add(G::debt, 0, -run.dollars / 10.0);
}

void write_limits(const RunState& run, InputWriter& writer) {
    const std::array<double, 9> limits{
        run.hands_per_round / 4.0, run.discards_per_round / 4.0, run.hand_size / 8.0,
        run.joker_slots / 5.0,     run.consumable_slots / 2.0,   consumable_room(run) / 2.0,
        run.shop_slots / 2.0,      reroll_price(run) / 5.0,      run.free_rerolls * 1.0,
    };
    for (std::size_t i = 0; i < limits.size(); ++i) writer.add(G::limits, static_cast<int>(i), limits[i]);
    writer.one(G::joker_room, std::clamp(joker_room(run), 0, 7));
}

void write_hands(const RunState& run, InputWriter& writer) {
    for (int h = 0; h < hand_type_count; ++h) {
        const HandStats& stats = run.hands[static_cast<std::size_t>(h)];
        writer.add(G::levels, h, std::log(static_cast<double>(std::max(1, stats.level))));
        writer.add(G::plays, h, std::log1p(static_cast<double>(stats.played)) / 3);
    }
}

void write_deck(const RunState& run, InputWriter& writer) {
    std::array<int, suit_count> suits{};
    std::array<int, rank_count> ranks{};
    std::array<int, enhancement_count> enhancements{};
    std::array<int, edition_count> editions{};
    std::array<int, seal_count> seals{};
    for (const Card& card : run.cards) {
        ++enhancements[static_cast<std::size_t>(card.enhancement)];
        ++editions[static_cast<std::size_t>(card.edition)];
        ++seals[static_cast<std::size_t>(card.seal)];
        if (is_stone(card)) continue;
        ++suits[static_cast<std::size_t>(card.suit)];
        ++ranks[static_cast<std::size_t>(card.rank)];
    }
    const double size = std::max(1, run.cards.size());
    writer.add(G::cards, 0, size / 52);
    for (int i = 0; i < suit_count; ++i) writer.add(G::suits, i, suits[static_cast<std::size_t>(i)] * 4 / size - 1);
    for (int i = 0; i < rank_count; ++i) writer.add(G::ranks, i, ranks[static_cast<std::size_t>(i)] / 4.0 - 1);
    for (int i = 1; i < enhancement_count; ++i)
        writer.add(G::enhancements, i, enhancements[static_cast<std::size_t>(i)] / 4.0);
    for (int i = 1; i < edition_count; ++i) writer.add(G::editions, i, editions[static_cast<std::size_t>(i)] / 4.0);
    for (int i = 1; i < seal_count; ++i) writer.add(G::seals, i, seals[static_cast<std::size_t>(i)] / 4.0);
}

void write_jokers(const RunState& run, InputWriter& writer) {
    double perishable = 0;
    double rounds = 0;
    double rental = 0;
    double debuffed = 0;
    double worth = 0;
    for (const Joker& joker : run.jokers) {
        if (joker.face_down) continue;
        writer.one(G::jokers, joker.key);
        const int key = static_cast<int>(joker.key);
        writer.add(G::joker_counts, key, std::log1p(std::abs(static_cast<double>(joker.count))) / 3);
        writer.add(G::joker_mults, key, std::log(std::max(1.0, joker.x_mult)));
        if (joker.edition != Edition::base) writer.one(G::joker_editions, joker.edition);
        if (joker.stickers.eternal) writer.one(G::eternal, joker.key);
        if (joker.stickers.perishable) {
            writer.one(G::perishable, joker.key);
            writer.add(G::rounds_left, key, joker.perish_left / 5.0);
        }
        perishable += joker.stickers.perishable;
        rounds += joker.stickers.perishable ? joker.perish_left / 5.0 : 0.0;
        rental += joker.stickers.rental;
        debuffed += joker.debuffed;
        worth += joker.sell_bonus + price_of(run, joker.key, joker.edition, joker.stickers.rental) / 2;
    }
    const std::array<double, 4> stickers{perishable, rounds, rental, debuffed};
    for (int i = 0; i < 4; ++i) writer.add(G::stickers, i, stickers[static_cast<std::size_t>(i)]);
    writer.add(G::sell_value, 0, worth / 10);
}

void write_held(const RunState& run, InputWriter& writer) {
    for (const VoucherFact& voucher : voucher_facts) {
        if (run.has(voucher.id)) writer.one(G::vouchers, voucher.id);
    }
    for (const Consumable& held : run.consumables) writer.one(G::consumables, held.key);
    for (const HeldTag& tag : run.tags) writer.one(G::tags, tag.key);
    writer.one(G::boss, run.boss);
}

void write_pending(const Pending& pending, InputWriter& writer) {
    switch (pending.kind) {
        case Pending::Kind::none:
            break;
        case Pending::Kind::pack:
            writer.one(G::pending_pack, pack_sort(static_cast<BoosterId>(pending.id)));
            break;
        case Pending::Kind::reroll:
            writer.one(G::pending_reroll, 0);
            break;
        case Pending::Kind::consumable:
            writer.one(G::pending_consumable, pending.id);
            break;
        case Pending::Kind::tag:
            writer.one(G::pending_tag, pending.id);
            break;
        case Pending::Kind::boss:
            writer.one(G::pending_boss, 0);
            break;
    }
}

void write_offer(const Offer& offer, InputWriter& writer) {
    if (offer.kind == OfferKind::joker) {
        writer.one(G::offered_jokers, offer.joker);
    } else if (offer.kind == OfferKind::consumable) {
        writer.one(G::offered_consumables, offer.consumable);
    } else {
        writer.add(G::offered_cards, 0, 0.5);
    }
}

void write_offers(const RunState& run, const Pending& pending, InputWriter& writer) {
    if (run.phase == Phase::pack_opening && pending.kind == Pending::Kind::none) {
        for (const Offer& offer : run.pack.cards) write_offer(offer, writer);
    }
    if (run.phase != Phase::shop) return;
    for (const ShopCard& card : run.shop) {
        if (can_pay(run, price_of(run, card))) write_offer(card.offer, writer);
    }
    for (const ShopVoucher& voucher : run.shop_vouchers) {
        if (can_pay(run, price_of(run, voucher))) writer.one(G::offered_vouchers, voucher.key);
    }
    for (const ShopBooster& pack : run.shop_boosters) {
        if (can_pay(run, price_of(run, pack))) writer.one(G::offered_packs, pack_sort(pack.key));
    }
}

}  // namespace

int next_blind(const RunState& run) {
    return std::clamp(3 * (run.ante - 1) + static_cast<int>(run.on_deck), 0, value_blinds - 1);
}

void write_inputs(const RunState& run, const Pending& pending, int rollouts, ValueInputs& inputs) {
    InputWriter writer(inputs);
    writer.one(G::next_blind, next_blind(run));
    writer.one(G::stake, run.stake);
    writer.one(G::deck, run.deck);
    writer.one(G::phase, run.phase);
    writer.add(G::skill, 0, std::log2(static_cast<double>(std::clamp(rollouts, 1, many_rollouts))) / 10);
    write_money(run, writer);
    write_limits(run, writer);
    write_power(run, writer);
    write_hands(run, writer);
    write_deck(run, writer);
    write_jokers(run, writer);
    write_held(run, writer);
    write_pending(pending, writer);
    write_offers(run, pending, writer);
}

int forecast_rounds(const RunState& run) { return std::max(2, 3 - static_cast<int>(run.on_deck)); }

void write_forecast(const RunState& run, const Forecast& forecast, int worlds, ValueInputs& inputs) {
    InputWriter writer(inputs);
    writer.add(G::forecast_known, 0, 1);
    writer.add(G::forecast_known, 1, std::log2(static_cast<double>(std::max(1, worlds))) / 4);
    if (forecast.count == 0) return;
    const auto margin = [&](int round) {
        const RoundForecast& r = forecast.rounds[static_cast<std::size_t>(round)];
        return r.log_score - r.target;
    };
    const int slot = static_cast<int>(run.on_deck);
    const int boss = std::min(2 - slot, forecast.count - 1);
    writer.knots(G::next_margin, margin_knots, margin(0));
    writer.knots(G::boss_margin, margin_knots, margin(boss));
    int plain = 0;
    for (int r = 0; r < forecast.count; ++r) {
        if ((slot + r) % 3 != 2) plain = r;
    }
    const double ahead = log_of(base_score(run.deck, run.stake, std::max<int>(1, run.ante) + 2));
    writer.knots(G::plain_power, margin_knots, forecast.rounds[static_cast<std::size_t>(plain)].log_score - ahead);
    writer.add(G::spreads, 0, forecast.rounds[0].spread);
    writer.add(G::spreads, 1, forecast.rounds[static_cast<std::size_t>(boss)].spread);
    writer.add(G::boss_dollars, 0,
               std::log1p(std::max(0.0, forecast.rounds[static_cast<std::size_t>(boss)].dollars)) / 4);
}

}  // namespace jimbo
