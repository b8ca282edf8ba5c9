#include "rules/prices.hpp"

#include <algorithm>
#include <cmath>

#include "rules/challenge_rules.hpp"
#include "rules/queries.hpp"
#include "rules/vouchers/in_force.hpp"

namespace jimbo {
namespace {

int discounted(const RunState& run, int base) {
    const int percent = 100 - in_force<&VoucherRule::discount>(run);
    return std::max(1, static_cast<int>(std::floor((base + run.inflation + 0.5) * percent / 100)));
}

}  // namespace

int price_of(const RunState& run, JokerId key, Edition edition, bool rental) {
    return rental ? 1 : discounted(run, fact(key).cost + fact(edition).price);
}

int price_of(const RunState& run, ConsumableId key, Edition edition) {
    if (fact(key).kind == ConsumableKind::planet && has_working(run, JokerId::astronomer)) return 0;
    return discounted(run, fact(key).cost + fact(edition).price);
}

int price_of(const RunState& run, const Offer& offer) {
    switch (offer.kind) {
        case OfferKind::joker:
            return price_of(run, offer.joker, offer.edition, offer.stickers.rental);
        case OfferKind::consumable:
            return price_of(run, offer.consumable, offer.edition);
        case OfferKind::playing_card:
            break;
    }
    return discounted(run, 1 + fact(offer.card.edition).price);
}

int price_of(const RunState& run, const ShopCard& card) { return card.free ? 0 : price_of(run, card.offer); }

int price_of(const RunState& run, const ShopVoucher& voucher) {
    return voucher.free ? 0 : discounted(run, fact(voucher.key).cost);
}

int price_of(const RunState& run, const ShopBooster& booster) {
    const BoosterFact& pack = fact(booster.key);
    if (booster.free) return 0;
    if (pack.kind == BoosterKind::celestial && has_working(run, JokerId::astronomer)) return 0;
    return discounted(run, pack.cost);
}

int reroll_price(const RunState& run) {
    if (run.free_rerolls > 0) return 0;
    int base = challenge_of(run).start.reroll_cost - in_force_together<&VoucherRule::reroll_discount>(run);
    if (run.rerolls_start_free) base = 0;
    return std::max(0, base + run.reroll_increase - run.reroll_cut);
}

int spendable(const RunState& run) { return run.dollars + 20 * count_working(run, JokerId::credit_card); }

}  // namespace jimbo
