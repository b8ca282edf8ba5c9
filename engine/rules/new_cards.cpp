#include "rules/new_cards.hpp"

#include <algorithm>

namespace jimbo {
namespace {

Rarity poll_rarity(Streams& streams, StreamKey key) {
    const double x = streams.random(key);
    if (x > 0.95) return Rarity::rare;
    return x > 0.7 ? Rarity::uncommon : Rarity::common;
}

// One poll decides between Eternal and Perishable and is made at every stake; the rental poll only where it matters.
// A joker that cannot bear the drawn sticker gets none.
Stickers poll_stickers(Streams& streams, const PoolContext& context, const JokerSource& from, JokerId id) {
    Stickers stickers;
    stickers.eternal = context.all_eternal && fact(id).eternal;
    if (!from.stickers) return stickers;
    const double x = streams.random({*from.stickers, context.ante});
    if (x > 0.7) {
        stickers.eternal |= context.eternal && fact(id).eternal;
    } else if (x > 0.4) {
        stickers.perishable = context.perishable && !stickers.eternal && context.may_perish.has(id);
    }
    if (context.rental) stickers.rental = streams.random({from.rental, context.ante}) > 0.7;
    return stickers;
}

Enhancement pick_enhancement(Streams& streams, StreamKey key) {
    return static_cast<Enhancement>(1 + streams.pick(key, enhancement_count - 1));
}

// A playing card for sale in the shop. Working hypothesis: how Illusion decorates it is community knowledge that
// no recording confirms.
Offer make_shop_playing_card(Streams& streams, const PoolContext& context, bool enhanced) {
    Card card;
    if (enhanced) card.enhancement = pick_enhancement(streams, {Stream::enhanced_sho, context.ante});
    card.set_front(pick_front(streams, {Stream::front_sho, context.ante}));
    if (context.illusion && streams.random(Stream::illusion) > 0.8) {
        card.edition = poll_sure_edition(streams, Stream::illusion);
    }
    return Offer::of(card);
}

bool may_appear(const PoolContext& context, ConsumableId id) { return !context.blocked.consumables.has(id); }

bool soul_poll(Streams& streams, const PoolContext& context, Stream stream, ConsumableId id) {
    return may_appear(context, id) && streams.random({stream, context.ante}) > 0.997;
}

std::optional<ConsumableId> hidden_spectral(Streams& streams, const PoolContext& context) {
    const bool soul = soul_poll(streams, context, Stream::soul_spectral, ConsumableId::soul);
    const bool again = !soul || context.black_hole_poll_after_soul;
    if (again && soul_poll(streams, context, Stream::soul_spectral, ConsumableId::black_hole))
        return ConsumableId::black_hole;
    if (soul) return ConsumableId::soul;
    return std::nullopt;
}

ConsumableId arcana_card(Streams& streams, const PoolContext& context) {
    if (context.omen_globe && streams.random(Stream::omen_globe) > 0.8) {
        if (const auto hidden = hidden_spectral(streams, context)) return *hidden;
        return pick_consumable(streams, {Stream::spectral_ar2, context.ante}, ConsumableKind::spectral,
                               context.blocked);
    }
    if (soul_poll(streams, context, Stream::soul_tarot, ConsumableId::soul)) return ConsumableId::soul;
    return pick_consumable(streams, {Stream::tarot_ar1, context.ante}, ConsumableKind::tarot, context.blocked);
}

ConsumableId celestial_card(Streams& streams, const PoolContext& context, bool first) {
    if (first && context.telescope) return *context.telescope;
    if (soul_poll(streams, context, Stream::soul_planet, ConsumableId::black_hole)) return ConsumableId::black_hole;
    return pick_consumable(streams, {Stream::planet_pl1, context.ante}, ConsumableKind::planet, context.blocked);
}

ConsumableId spectral_card(Streams& streams, const PoolContext& context) {
    if (const auto hidden = hidden_spectral(streams, context)) return *hidden;
    return pick_consumable(streams, {Stream::spectral_spe, context.ante}, ConsumableKind::spectral, context.blocked);
}

Card standard_card(Streams& streams, const PoolContext& context) {
    const int ante = context.ante;
    Card card;
    if (streams.random({Stream::stdset, ante}) > 0.6) {
        card.enhancement = pick_enhancement(streams, {Stream::enhanced_sta, ante});
    }
    card.set_front(pick_front(streams, {Stream::front_sta, ante}));
    const double rate = open_point::hone_raises_standard_editions ? context.edition_rate : 1.0;
    card.edition = poll_edition(streams, {Stream::standard_edition, ante}, rate, 2.0, false);
    if (streams.random({Stream::stdseal, ante}) > 0.8) card.seal = poll_seal_kind(streams, {Stream::stdsealtype, ante});
    return card;
}

}  // namespace

Offer make_joker(Streams& streams, const PoolContext& context, const JokerSource& from, std::optional<Rarity> rarity) {
    if (!rarity) rarity = poll_rarity(streams, {from.rarity, context.ante});
    const StreamKey pool{from.pools[static_cast<std::size_t>(*rarity)], context.ante};
    Offer offer = Offer::of(pick_joker(streams, pool, *rarity, context.blocked));
    offer.stickers = poll_stickers(streams, context, from, offer.joker);
    offer.edition = poll_edition(streams, {from.edition, context.ante}, context.edition_rate, 1.0, true);
    return offer;
}

Offer make_legendary(Streams& streams, const PoolContext& context) {
    Offer offer = Offer::of(pick_joker(streams, Stream::legendary, Rarity::legendary, context.blocked));
    offer.edition = poll_edition(streams, {Stream::edi_sou, context.ante}, context.edition_rate, 1.0, true);
    return offer;
}

Offer make_shop_card(Streams& streams, const PoolContext& context) {
    static_assert(open_point::illusion_polls_every_slot);
    const bool enhanced = context.illusion && streams.random(Stream::illusion) > 0.6;
    const ShopRates& rates = context.rates;
    const double total = rates.joker + rates.tarot + rates.planet + rates.playing_card + rates.spectral;
    double poll = streams.random({Stream::cdt, context.ante}) * total;
    if (poll <= rates.joker) return make_joker(streams, context, source::shop);
    poll -= rates.joker;
    const auto consumable = [&](Stream stream, ConsumableKind kind) {
        return Offer::of(pick_consumable(streams, {stream, context.ante}, kind, context.blocked));
    };
    if (poll <= rates.tarot) return consumable(Stream::tarot_sho, ConsumableKind::tarot);
    poll -= rates.tarot;
    if (poll <= rates.planet) return consumable(Stream::planet_sho, ConsumableKind::planet);
    poll -= rates.planet;
    if (poll <= rates.playing_card) return make_shop_playing_card(streams, context, enhanced);
    return consumable(Stream::spectral_sho, ConsumableKind::spectral);
}

namespace {

// The upper ends of the range of a poll: each edition from its share on, unless one before it has it.
struct EditionShare {
    Edition edition;
    double share;
};
constexpr std::array<EditionShare, 4> edition_shares(double rate, double scale, bool negative) {
    return {{{Edition::negative, negative ? 0.003 * scale : 0.0},
             {Edition::polychrome, 0.006 * rate * scale},
             {Edition::holo, 0.02 * rate * scale},
             {Edition::foil, 0.04 * rate * scale}}};
}

}  // namespace

Edition poll_edition(Streams& streams, StreamKey key, double rate, double scale, bool negative) {
    const double x = streams.random(key);
    for (const auto& [edition, share] : edition_shares(rate, scale, negative)) {
        if (x > 1 - share) return edition;
    }
    return Edition::base;
}

double edition_chance(Edition edition, double rate, double scale, bool negative) {
    double taken = 0;
    for (const auto& [other, share] : edition_shares(rate, scale, negative)) {
        if (other == edition) return std::max(0.0, share - taken);
        taken = std::max(taken, share);
    }
    return 1 - taken;
}

Edition poll_sure_edition(Streams& streams, StreamKey key) {
    const double x = streams.random(key);
    if (x > 0.85) return Edition::polychrome;
    return x > 0.5 ? Edition::holo : Edition::foil;
}

Seal poll_seal_kind(Streams& streams, StreamKey key) {
    const double x = streams.random(key);
    if (x > 0.75) return Seal::red;
    if (x > 0.5) return Seal::blue;
    return x > 0.25 ? Seal::gold : Seal::purple;
}

Front pick_front(Streams& streams, StreamKey key) {
    return fronts[static_cast<std::size_t>(streams.pick(key, front_count))];
}

void block(Blocked& blocked, const Offer& offer) {
    if (offer.kind == OfferKind::joker) blocked.jokers.add(offer.joker);
    if (offer.kind == OfferKind::consumable) blocked.consumables.add(offer.consumable);
}

Offer make_pack_card(Streams& streams, const PoolContext& context, BoosterKind kind, bool first) {
    switch (kind) {
        case BoosterKind::arcana:
            return Offer::of(arcana_card(streams, context));
        case BoosterKind::celestial:
            return Offer::of(celestial_card(streams, context, first));
        case BoosterKind::standard:
            return Offer::of(standard_card(streams, context));
        case BoosterKind::buffoon:
            return make_joker(streams, context, source::buffoon);
        case BoosterKind::spectral:
            break;
    }
    return Offer::of(spectral_card(streams, context));
}

PackCards open_pack(Streams& streams, PoolContext context, BoosterId booster) {
    PackCards cards;
    const BoosterFact& pack = fact(booster);
    for (int i = 0; i < pack.cards; ++i) {
        const Offer offer = make_pack_card(streams, context, pack.kind, i == 0);
        cards.push_back(offer);
        if (!context.showman) block(context.blocked, offer);
    }
    return cards;
}

}  // namespace jimbo
