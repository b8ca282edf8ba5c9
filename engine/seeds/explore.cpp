#include "seeds/explore.hpp"

#include "play/step.hpp"
#include "rules/effects.hpp"

namespace jimbo {
namespace {

void own_voucher(Blocked& blocked, VoucherId voucher) {
    blocked.vouchers.add(voucher);
    for (const VoucherFact& v : voucher_facts) {
        if (v.prerequisite == voucher) blocked.vouchers.remove(v.id);
    }
}

void let_gated_appear(Blocked& blocked) {
    for (const JokerFact& j : joker_facts) {
        const bool gated = j.gate != Enhancement::none || j.pool_gate != PoolGate::none;
        if (gated) blocked.jokers.remove(j.id);
    }
    for (const ConsumableFact& c : consumable_facts) {
        if (c.softlocked) blocked.consumables.remove(c.id);
    }
}

}  // namespace

RunState run_before_shops(DeckId deck, StakeId stake, std::optional<ChallengeId> challenge) {
    // A Marble Joker that a challenge starts with adds its first Stone card as the blind is chosen.
    RunState run = start_run(*parse_seed("1"), deck, stake, challenge);
    step(run, {.kind = ActionKind::select_blind});
    return run;
}

Opening opening_of(DeckId deck, StakeId stake, std::optional<ChallengeId> challenge, const Conventions& conventions) {
    RunState run = run_before_shops(deck, stake, challenge);
    if (!conventions.cards_in_use_exclude) {
        run.jokers.clear();
        run.consumables.clear();
    }
    return opening_with(run, conventions);
}

// Nothing that is read here depends on the seed.
Opening opening_with(const RunState& run, const Conventions& conventions) {
    Opening opening{
        .context = pool_context(run), .deck = run.deck, .shop_slots = run.shop_slots, .conventions = conventions};
    if (conventions.gated_cards_appear) let_gated_appear(opening.context.blocked);
    if (conventions.soul_ends_polling) opening.context.black_hole_poll_after_soul = false;
    if (conventions.short_perishable_list) {
        for (JokerId id : {JokerId::hologram, JokerId::glass}) opening.context.may_perish.add(id);
    }
    return opening;
}

Boosters shop_boosters(Streams& streams, const PoolContext& context) {
    return next_boosters(streams, context, shops_in_ante(context.ante) * packs_in_shop, context.ante > 1);
}

Boosters next_boosters(Streams& streams, const PoolContext& context, int count, bool first_made) {
    Boosters boosters;
    for (int i = 0; i < count; ++i) {
        const bool first = !first_made && i == 0 && !context.blocked.boosters.has(first_booster);
        boosters.push_back(first ? first_booster : pick_booster(streams, context.ante, context.blocked));
    }
    return boosters;
}

Explorer::Explorer(const Opening& opening, int shop_queue, int last_ante)
    : opening_(opening), shop_queue_(shop_queue), antes_(static_cast<std::size_t>(last_ante)) {}

Explorer::Explorer(const RunState& run, int shop_queue, int last_ante, bool packs_alone)
    : shop_queue_(shop_queue), first_ante_(run.ante), antes_(static_cast<std::size_t>(last_ante - run.ante + 1)) {
    RunState cleared = run;
    cleared.shop.clear();
    cleared.shop_vouchers.clear();
    cleared.pack = OpenPack{};
    opening_ = opening_with(cleared);
    opening_.packs_alone = packs_alone;
    context_ = opening_.context;
    blocked_for_souls_ = context_.blocked;
    streams_ = run.streams;
    boss_uses_ = run.boss_uses;
    first_booster_made_ = run.first_booster_made;
    // A shop comes after the small and after the big blind; that after the boss belongs to the next ante.
    first_boosters_ = packs_in_shop * (static_cast<int>(BlindSlot::boss) - static_cast<int>(run.on_deck));
    Ante& here = antes_[0];
    for (Part part : {Part::boss, Part::voucher, Part::tags}) here.drawn.add(part);
    here.boss = run.boss;
    here.voucher = run.voucher.value_or(VoucherId::blank);
    here.tags = {run.skip_tags[0].key, run.skip_tags[1].key};
}

void Explorer::start(const Seed& seed) {
    streams_.start(seed);
    context_ = opening_.context;
    blocked_for_souls_ = opening_.context.blocked;
    boss_uses_ = {};
    deck_.reset();
    for (Ante& ante : antes_) {
        ante.drawn.clear();
        ante.opened.clear();
    }
}

bool Explorer::first_time(int ante, Part part) {
    const bool first = !at(ante).drawn.has(part);
    at(ante).drawn.add(part);
    return first;
}

const PoolContext& Explorer::context(int ante) {
    context_.ante = ante;
    return context_;
}

BlindId Explorer::boss(int ante) {
    if (first_time(ante, Part::boss)) {
        if (ante > first_ante_) boss(ante - 1);
        at(ante).boss = pick_boss(streams_, ante, boss_uses_, context_.blocked);
    }
    return at(ante).boss;
}

VoucherId Explorer::voucher(int ante) {
    if (first_time(ante, Part::voucher)) {
        const bool counts_as_owned = opening_.conventions.vouchers_count_as_owned;
        if (ante > first_ante_ && counts_as_owned) voucher(ante - 1);
        at(ante).voucher = pick_voucher(streams_, {Stream::voucher, ante}, context_.blocked);
        if (counts_as_owned) own_voucher(context_.blocked, at(ante).voucher);
    }
    return at(ante).voucher;
}

const std::array<TagId, 2>& Explorer::tags(int ante) {
    if (first_time(ante, Part::tags)) {
        for (TagId& tag : at(ante).tags) tag = pick_tag(streams_, ante, context_.blocked);
    }
    return at(ante).tags;
}

const std::vector<Offer>& Explorer::shop(int ante) {
    if (first_time(ante, Part::shop)) {
        if (ante > first_ante_ && context_.illusion) shop(ante - 1);  // its polls go on from ante to ante
        fill_shop(ante);
    }
    return at(ante).shop;
}

void Explorer::fill_shop(int ante) {
    std::vector<Offer>& shop = at(ante).shop;
    shop.clear();
    shop.reserve(static_cast<std::size_t>(shop_queue_));
    const Blocked& blocked = context_.blocked;
    PoolContext slots = context(ante);
    for (int i = 0; i < shop_queue_; ++i) {
        if (i % opening_.shop_slots == 0) slots.blocked = blocked;
        shop.push_back(make_shop_card(streams_, slots));
        if (opening_.conventions.cards_in_use_exclude) block(slots.blocked, shop.back());
    }
}

const Boosters& Explorer::boosters(int ante) {
    if (first_time(ante, Part::boosters)) {
        // The first shop of a run may be that of a later ante: then no shop comes in the one before.
        const bool made = first_booster_made_ || (ante > first_ante_ && boosters_in(first_ante_) > 0);
        at(ante).boosters = next_boosters(streams_, context(ante), boosters_in(ante), made || ante > first_ante_ + 1);
    }
    return at(ante).boosters;
}

const PackCards& Explorer::pack(int ante, int number) {
    const BoosterKind kind = fact(boosters(ante)[number]).kind;
    if (!at(ante).opened.has(kind)) open_packs(ante, kind);
    return at(ante).packs[static_cast<std::size_t>(number)];
}

// All of one kind, as each goes on where the last one ended. Kinds have streams of their own: only Omen Globe, which no
// run starts with, lets an Arcana pack draw from those of Spectral packs; those are opened after it.
void Explorer::open_packs(int ante, BoosterKind kind) {
    Ante& here = at(ante);
    if (context_.omen_globe && kind == BoosterKind::arcana && ante > first_ante_ && !at(ante - 1).opened.has(kind)) {
        open_packs(ante - 1, kind);  // its polls go on from ante to ante
    }
    boosters(ante);
    here.opened.add(kind);
    for (int i = 0; i < here.boosters.size(); ++i) {
        if (fact(here.boosters[i]).kind != kind) continue;
        PackCards& cards = here.packs[static_cast<std::size_t>(i)];
        if (opening_.packs_alone) {
            Streams untouched = streams_;
            cards = open_pack(untouched, context(ante), here.boosters[i]);
        } else {
            cards = open_pack(streams_, context(ante), here.boosters[i]);
        }
    }
}

const Explorer::Legendaries& Explorer::legendaries(int ante) {
    if (first_time(ante, Part::legendaries)) {
        if (ante > first_ante_) legendaries(ante - 1);
        use_souls(ante);
    }
    return at(ante).legendaries;
}

void Explorer::use_souls(int ante) {
    Legendaries& found = at(ante).legendaries;
    found.clear();
    PoolContext context = this->context(ante);
    context.blocked = blocked_for_souls_;
    for (int i = 0; i < boosters(ante).size(); ++i) {
        const BoosterKind kind = fact(boosters(ante)[i]).kind;
        if (kind != BoosterKind::arcana && kind != BoosterKind::spectral) continue;
        for (const Offer& offer : pack(ante, i)) {
            if (offer.kind != OfferKind::consumable || offer.consumable != ConsumableId::soul) continue;
            found.push_back({make_legendary(streams_, context), i});
            if (opening_.conventions.cards_in_use_exclude) block(context.blocked, found.back().joker);
        }
    }
    blocked_for_souls_ = context.blocked;
}

const StartingDeck& Explorer::deck() {
    if (!deck_) deck_ = make_deck(streams_, opening_.deck);
    return *deck_;
}

}  // namespace jimbo
