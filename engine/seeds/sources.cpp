#include "seeds/sources.hpp"

namespace jimbo {
namespace {

template <const JokerSource& From, Rarity rarity>
Offer joker(Streams& streams, const PoolContext& context) {
    return make_joker(streams, context, From, rarity);
}

template <Stream stream, ConsumableKind kind>
Offer consumable(Streams& streams, const PoolContext& context) {
    return Offer::of(pick_consumable(streams, {stream, context.ante}, kind, context.blocked));
}

template <BoosterKind kind>
Offer from_pack(Streams& streams, const PoolContext& context) {
    return make_pack_card(streams, context, kind, false);
}

// Riff-raff is held while it makes its jokers, so it never makes itself.
Offer riff_raff(Streams& streams, const PoolContext& as_made) {
    PoolContext context = as_made;
    context.blocked.jokers.add(JokerId::riff_raff);
    return make_joker(streams, context, source::riff_raff, Rarity::common);
}

Offer judgement(Streams& streams, const PoolContext& context) {
    return make_joker(streams, context, source::judgement);
}

Offer certificate(Streams& streams, const PoolContext&) {
    Card card;
    card.set_front(pick_front(streams, Stream::cert_fr));
    card.seal = poll_seal_kind(streams, Stream::certsl);
    return Offer::of(card);
}

using enum ConsumableKind;

constexpr std::array<CardSource, 20> sources{{
    {"riff_raff", riff_raff},
    {"uncommon_tag", joker<source::uncommon_tag, Rarity::uncommon>},
    {"rare_tag", joker<source::rare_tag, Rarity::rare>},
    {"top_up_tag", joker<source::top_up, Rarity::common>},
    {"arcana_pack", from_pack<BoosterKind::arcana>},
    {"emperor", consumable<Stream::tarot_emp, tarot>},
    {"vagabond", consumable<Stream::tarot_vag, tarot>},
    {"purple_seal", consumable<Stream::tarot_8ba, tarot>},  // and 8 Ball
    {"superposition", consumable<Stream::tarot_sup, tarot>},
    {"judgement", judgement},
    {"buffoon_pack", from_pack<BoosterKind::buffoon>},
    {"wraith", joker<source::wraith, Rarity::rare>},
    {"high_priestess", consumable<Stream::planet_pri, planet>},
    {"celestial_pack", from_pack<BoosterKind::celestial>},
    {"spectral_pack", from_pack<BoosterKind::spectral>},
    {"seance", consumable<Stream::spectral_sea, spectral>},
    {"sixth_sense", consumable<Stream::spectral_sixth, spectral>},
    {"certificate", certificate},
    {"standard_pack", from_pack<BoosterKind::standard>},
    {"soul", make_legendary},
}};

}  // namespace

std::span<const CardSource> card_sources() { return sources; }

}  // namespace jimbo
