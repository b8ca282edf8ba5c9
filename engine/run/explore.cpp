#include "run/explore.hpp"

namespace jimbo {

namespace {

void own_voucher(Blocked& blocked, VoucherId voucher) {
    blocked.vouchers.add(voucher);
    for (const VoucherFact& v : voucher_facts) {
        if (v.prerequisite == voucher) blocked.vouchers.remove(v.id);
    }
}

void block_gated(Blocked& blocked) {
    for (const JokerFact& j : joker_facts) {
        const bool extinct = j.pool_gate == PoolGate::needs_gros_michel_extinct;
        if (j.gate != Enhancement::none || extinct) blocked.jokers.add(j.id);
    }
    for (const ConsumableFact& c : consumable_facts) {
        if (c.softlocked) blocked.consumables.add(c.id);
    }
}

}  // namespace

Making start_making(DeckId deck, StakeId stake, const Conventions& conventions) {
    Making making;
    making.eternal = fact(stake).eternal;
    making.perishable = fact(stake).perishable;
    making.rental = fact(stake).rental;
    making.black_hole_poll_after_soul = !conventions.soul_ends_polling;
    making.short_perishable_list = conventions.short_perishable_list;
    making.rates.spectral = fact(deck).spectral_rate;
    for (const VoucherFact& v : voucher_facts) {
        if (v.prerequisite) making.blocked.vouchers.add(v.id);
    }
    if (!conventions.gated_cards_appear) block_gated(making.blocked);
    for (VoucherId voucher : fact(deck).vouchers) {
        own_voucher(making.blocked, voucher);
        if (voucher == VoucherId::tarot_merchant) making.rates.tarot = 9.6;
        if (voucher == VoucherId::planet_merchant) making.rates.planet = 9.6;
    }
    if (conventions.cards_in_use_exclude) {
        for (ConsumableId id : fact(deck).consumables) making.blocked.consumables.add(id);
    }
    return making;
}

Explorer::Explorer(const Seed& seed, DeckId deck, StakeId stake, const Conventions& conventions)
    : streams_(seed),
      conventions_(conventions),
      making_(start_making(deck, stake, conventions)),
      shop_slots_(fact(deck).vouchers.contains(VoucherId::overstock_norm) ? 3 : 2) {}

AnteReport Explorer::next_ante(const Wanted& wanted) {
    making_.ante = ++ante_;
    AnteReport report;
    report.ante = ante_;
    if (wanted.boss) report.boss = pick_boss(streams_, ante_, boss_uses_, making_.blocked);
    if (wanted.voucher) {
        report.voucher = pick_voucher(streams_, {Stream::voucher, ante_}, making_.blocked);
        if (conventions_.vouchers_count_as_owned) own_voucher(making_.blocked, report.voucher);
    }
    if (wanted.tags) {
        for (TagId& tag : report.tags) tag = pick_tag(streams_, ante_, making_.blocked);
    }
    fill_shop(report, wanted.shop);
    if (wanted.packs) {
        report.packs = open_shop_packs(streams_, making_);
        fill_legendaries(report);
    }
    return report;
}

void Explorer::fill_shop(AnteReport& report, int length) {
    report.shop.reserve(static_cast<std::size_t>(length));
    Making making = making_;
    for (int i = 0; i < length; ++i) {
        if (i % shop_slots_ == 0) making.blocked = making_.blocked;
        report.shop.push_back(make_shop_card(streams_, making));
        if (conventions_.cards_in_use_exclude) block(making.blocked, report.shop.back());
    }
}

void Explorer::fill_legendaries(AnteReport& report) {
    Making making = making_;
    making.blocked = blocked_for_souls_;
    for (const FoundPack& pack : report.packs) {
        for (const Offer& offer : pack.cards) {
            if (offer.kind != OfferKind::consumable || offer.consumable != ConsumableId::soul) continue;
            report.legendaries.push_back(make_legendary(streams_, making));
            if (conventions_.cards_in_use_exclude) block(making.blocked, report.legendaries.back());
        }
    }
    blocked_for_souls_ = making.blocked;
}

std::vector<FoundPack> open_shop_packs(Streams& streams, const Making& making) {
    const int count = shops_in_ante(making.ante) * packs_in_shop;
    std::vector<FoundPack> packs;
    packs.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const bool first = making.ante == 1 && i == 0;
        const BoosterId booster = first ? first_booster : pick_booster(streams, making.ante, making.blocked);
        packs.push_back({booster, open_pack(streams, making, booster)});
    }
    return packs;
}

}  // namespace jimbo
