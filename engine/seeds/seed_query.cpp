#include "seeds/seed_query.hpp"

#include <algorithm>

#include "catalog/lookup.hpp"
#include "rules/queries.hpp"

namespace jimbo {
namespace {

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

// Where the things of a condition can be: nothing else need be drawn.
struct Sources {
    BitSet<where_names.size()> where{};
    BitSet<booster_kind_count> packs{};

    void add(Where place) { where.add(place); }
    void add_pack(BoosterKind kind) {
        where.add(Where::pack);
        packs.add(kind);
    }
    void add_shop(double rate) {
        if (rate > 0) where.add(Where::shop);
    }
};

void add_joker(Sources& sources, JokerId id, const ShopRates& rates) {
    const bool legendary = fact(id).rarity == Rarity::legendary;
    // Joker is also what The Soul gives when no legendary joker is left.
    if (legendary || id == JokerId::joker) sources.add(Where::soul);
    if (legendary) return;
    sources.add_shop(rates.joker);
    sources.add_pack(BoosterKind::buffoon);
}

void add_consumable(Sources& sources, ConsumableId id, const ShopRates& rates) {
    // Both come from polls of their own, which are made only in packs.
    const bool hidden = id == ConsumableId::soul || id == ConsumableId::black_hole;
    switch (fact(id).kind) {
        case ConsumableKind::tarot:
            sources.add_shop(rates.tarot);
            sources.add_pack(BoosterKind::arcana);
            return;
        case ConsumableKind::planet:
            sources.add_shop(rates.planet);
            sources.add_pack(BoosterKind::celestial);
            return;
        case ConsumableKind::spectral:
            break;
    }
    sources.add_shop(hidden ? 0 : rates.spectral);
    sources.add_pack(BoosterKind::spectral);
    if (hidden) sources.add_pack(id == ConsumableId::soul ? BoosterKind::arcana : BoosterKind::celestial);
}

Sources sources_of(const TurnsUp& condition, const Opening& opening) {
    Sources sources;
    const ShopRates& rates = opening.context.rates;
    const Overloaded add{
        [&](const JokerPattern& joker) { add_joker(sources, joker.id, rates); },
        [&](ConsumableId id) { add_consumable(sources, id, rates); },
        [&](VoucherId) { sources.add(Where::voucher); },
        [&](BoosterId) { sources.add(Where::pack); },
        [&](TagId) { sources.add(Where::tag); },
        [&](BlindId) { sources.add(Where::boss); },
        [&](const CardPattern&) {
            sources.add_shop(rates.playing_card);
            sources.add_pack(BoosterKind::standard);
        },
    };
    for (const Thing& thing : condition.any_of) std::visit(add, thing);
    return sources;
}

bool carries(const Stickers& worn, const Stickers& wanted) {
    return (worn.eternal || !wanted.eternal) && (worn.perishable || !wanted.perishable) &&
           (worn.rental || !wanted.rental);
}

// Whether a place counts, by its number from 1.
bool is_among(const std::vector<bool>& places, int position) {
    const auto at = static_cast<std::size_t>(position) - 1;
    return places.empty() || (at < places.size() && places[at]);
}

bool is_wanted(const Thing& thing, const Offer& offer) {
    if (const auto* joker = std::get_if<JokerPattern>(&thing)) {
        return offer.kind == OfferKind::joker && offer.joker == joker->id &&
               (!joker->edition || offer.edition == *joker->edition) && carries(offer.stickers, joker->stickers);
    }
    if (const auto* consumable = std::get_if<ConsumableId>(&thing)) {
        return offer.kind == OfferKind::consumable && offer.consumable == *consumable;
    }
    const auto* card = std::get_if<CardPattern>(&thing);
    return card && offer.kind == OfferKind::playing_card && fits(*card, offer.card);
}

Place described(Place place, const Thing& thing, const Offer& offer) {
    if (const auto* joker = std::get_if<JokerPattern>(&thing)) {
        place.key = fact(joker->id).key;
        place.edition = joker->edition.value_or(Edition::base);
    } else if (const auto* consumable = std::get_if<ConsumableId>(&thing)) {
        place.key = fact(*consumable).key;
    } else {
        place.key = front_key(offer.card.front());
        place.edition = offer.card.edition;
        place.enhancement = offer.card.enhancement;
        place.seal = offer.card.seal;
    }
    return place;
}

// Looks for the things of one condition in one ante, in the order in which a report lists its parts.
class AnteSearch {
public:
    AnteSearch(const TurnsUp& condition, const Sources& sources, Explorer& explorer, int ante)
        : things_(condition.any_of), places_(condition.places), sources_(sources), explorer_(explorer), ante_(ante) {}

    std::optional<Place> first() const {
        auto place = in_blinds();
        if (!place) place = in_shop();
        if (!place) place = among_packs();
        if (!place) place = in_packs();
        if (!place) place = from_souls();
        return place;
    }

private:
    bool may_be(Where where) const { return sources_.where.has(where); }

    template <typename Id>
    std::optional<Place> if_wanted(Id id, Where where, int position) const {
        const bool wanted = std::any_of(things_.begin(), things_.end(), [&](const Thing& thing) {
            const Id* here = std::get_if<Id>(&thing);
            return here && *here == id;
        });
        if (!wanted) return std::nullopt;
        return Place{.key = fact(id).key, .ante = ante_, .where = where, .position = position};
    }

    std::optional<Place> if_wanted(const Offer& offer, const Place& place) const {
        for (const Thing& thing : things_) {
            if (is_wanted(thing, offer)) return described(place, thing, offer);
        }
        return std::nullopt;
    }

    std::optional<Place> in_blinds() const {
        std::optional<Place> place;
        if (may_be(Where::boss)) place = if_wanted(explorer_.boss(ante_), Where::boss, 1);
        if (!place && may_be(Where::voucher)) place = if_wanted(explorer_.voucher(ante_), Where::voucher, 1);
        for (int i = 0; i < 2 && !place && may_be(Where::tag); ++i) {
            if (!is_among(places_.tags, i + 1)) continue;
            place = if_wanted(explorer_.tags(ante_)[static_cast<std::size_t>(i)], Where::tag, i + 1);
        }
        return place;
    }

    std::optional<Place> in_shop() const {
        if (!may_be(Where::shop)) return std::nullopt;
        int position = 0;
        for (const Offer& offer : explorer_.shop(ante_)) {
            if (!is_among(places_.shop, ++position)) continue;
            const auto place = if_wanted(offer, {.ante = ante_, .where = Where::shop, .position = position});
            if (place) return place;
        }
        return std::nullopt;
    }

    std::optional<Place> among_packs() const {
        if (!may_be(Where::pack)) return std::nullopt;
        int position = 0;
        for (BoosterId booster : explorer_.boosters(ante_)) {
            if (!is_among(places_.packs, ++position)) continue;
            if (const auto place = if_wanted(booster, Where::pack, position)) return place;
        }
        return std::nullopt;
    }

    std::optional<Place> in_packs() const {
        if (sources_.packs.none()) return std::nullopt;
        for (int i = 0; i < explorer_.boosters(ante_).size(); ++i) {
            const BoosterId booster = explorer_.boosters(ante_)[i];
            if (!sources_.packs.has(fact(booster).kind) || !is_among(places_.packs, i + 1)) continue;
            for (const Offer& offer : explorer_.pack(ante_, i)) {
                const auto place =
                    if_wanted(offer, {.ante = ante_, .where = Where::pack, .position = i + 1, .pack = booster});
                if (place) return place;
            }
        }
        return std::nullopt;
    }

    std::optional<Place> from_souls() const {
        if (!may_be(Where::soul)) return std::nullopt;
        for (const Legendary& legendary : explorer_.legendaries(ante_)) {
            if (!is_among(places_.packs, legendary.pack + 1)) continue;
            const auto place = if_wanted(legendary.joker, {.ante = ante_,
                                                           .where = Where::soul,
                                                           .position = legendary.pack + 1,
                                                           .pack = explorer_.boosters(ante_)[legendary.pack]});
            if (place) return place;
        }
        return std::nullopt;
    }

    const std::vector<Thing>& things_;
    const Places& places_;
    const Sources& sources_;
    Explorer& explorer_;
    int ante_;
};

double cost(const TurnsUp& condition, const Opening& opening, int shop_queue) {
    const Sources sources = sources_of(condition, opening);
    const double antes = condition.last_ante - condition.first_ante + 1;
    double cost = 0;
    if (sources.where.has(Where::boss)) cost += condition.last_ante;
    if (sources.where.has(Where::voucher)) cost += 2 * antes;
    if (sources.where.has(Where::tag)) cost += 3 * antes;
    if (sources.where.has(Where::pack)) cost += (6 + 10 * sources.packs.count()) * antes;
    if (sources.where.has(Where::soul)) cost += 30 * condition.last_ante;
    if (sources.where.has(Where::shop)) cost += 4 * shop_queue * antes;
    return cost;
}

}  // namespace

bool fits(const CardPattern& pattern, const Card& card) {
    if ((pattern.rank || pattern.suit) && !has_rank(card)) return false;
    return (!pattern.rank || card.rank == *pattern.rank) && (!pattern.suit || card.suit == *pattern.suit) &&
           (!pattern.enhancement || card.enhancement == *pattern.enhancement) &&
           (!pattern.seal || card.seal == *pattern.seal) && (!pattern.edition || card.edition == *pattern.edition);
}

std::optional<Thing> thing_by_key(std::string_view key) {
    if (const auto id = joker_by_key(key)) return JokerPattern{*id, {}};
    if (const auto id = consumable_by_key(key)) return *id;
    if (const auto id = voucher_by_key(key)) return *id;
    if (const auto id = booster_by_key(key)) return *id;
    if (const auto id = tag_by_key(key)) return *id;
    if (const auto id = blind_by_key(key); id && fact(*id).boss) return *id;
    return std::nullopt;
}

std::optional<Place> first_place(const TurnsUp& condition, Explorer& explorer) {
    const Sources sources = sources_of(condition, explorer.opening());
    for (int ante = condition.first_ante; ante <= condition.last_ante; ++ante) {
        if (!condition.counts(ante)) continue;
        if (const auto place = AnteSearch(condition, sources, explorer, ante).first()) return place;
    }
    return std::nullopt;
}

std::optional<Counted> first_count(const DeckHolds& condition, const StartingDeck& deck) {
    for (std::size_t i = 0; i < condition.any_of.size(); ++i) {
        const CardCount& count = condition.any_of[i];
        const auto cards = std::count_if(deck.begin(), deck.end(), [&](const Card& c) { return fits(count.card, c); });
        if (cards >= count.min_cards && cards <= count.max_cards)
            return Counted{static_cast<int>(i), static_cast<int>(cards)};
    }
    return std::nullopt;
}

bool holds(const Condition& condition, Explorer& explorer) {
    if (const auto* deck = std::get_if<DeckHolds>(&condition)) return first_count(*deck, explorer.deck()).has_value();
    const auto& turns_up = std::get<TurnsUp>(condition);
    return first_place(turns_up, explorer).has_value() == turns_up.wanted;
}

namespace {

// How likely one draw is to be among the things; all that are not blocked are equally likely.
template <typename Id, typename Facts, typename May>
double share(const std::vector<Thing>& things, const Facts& facts, const May& may_come) {
    int wanted = 0;
    int all = 0;
    for (const auto& f : facts) {
        if (!may_come(f)) continue;
        ++all;
        wanted += std::any_of(things.begin(), things.end(), [&](const Thing& t) { return std::get<Id>(t) == f.id; });
    }
    return all > 0 ? static_cast<double>(wanted) / all : 0.0;
}

template <typename Id>
bool all_are(const std::vector<Thing>& things) {
    return std::all_of(things.begin(), things.end(), [](const Thing& t) { return std::holds_alternative<Id>(t); });
}

double pack_share(const std::vector<Thing>& things, const Blocked& blocked) {
    double wanted = 0;
    double all = 0;
    for (const BoosterFact& b : booster_facts) {
        if (blocked.boosters.has(b.id)) continue;
        all += b.weight;
        const bool is_one =
            std::any_of(things.begin(), things.end(), [&](const Thing& t) { return std::get<BoosterId>(t) == b.id; });
        if (is_one) wanted += b.weight;
    }
    return all > 0 ? wanted / all : 0.0;
}

// That no tag, voucher or pack of an ante is among the things.
double chance_of_none(const TurnsUp& condition, const Opening& opening, int ante) {
    const std::vector<Thing>& things = condition.any_of;
    const Blocked& blocked = opening.context.blocked;
    double none = 1;
    if (all_are<TagId>(things)) {
        const double tag = share<TagId>(things, tag_facts, [&](const TagFact& f) {
            return !blocked.tags.has(f.id) && f.min_ante <= std::max(1, ante);
        });
        for (int i = 1; i <= 2; ++i) none *= is_among(condition.places.tags, i) ? 1 - tag : 1;
    } else if (all_are<VoucherId>(things)) {
        none = 1 - share<VoucherId>(things, voucher_facts,
                                    [&](const VoucherFact& f) { return !blocked.vouchers.has(f.id); });
    } else {
        const double pack = pack_share(things, blocked);
        const bool certain_first = ante == 1 && !blocked.boosters.has(first_booster);
        for (int i = 1; i <= shops_in_ante(ante) * packs_in_shop; ++i) {
            if (!is_among(condition.places.packs, i)) continue;
            const bool given = certain_first && i == 1;
            const bool wanted = std::any_of(things.begin(), things.end(),
                                            [](const Thing& t) { return std::get<BoosterId>(t) == first_booster; });
            none *= given ? (wanted ? 0 : 1) : 1 - pack;
        }
    }
    return none;
}

}  // namespace

std::optional<double> exact_chance(const TurnsUp& condition, const Opening& opening) {
    const std::vector<Thing>& things = condition.any_of;
    if (things.empty() || opening.conventions.vouchers_count_as_owned) return std::nullopt;
    if (!all_are<TagId>(things) && !all_are<VoucherId>(things) && !all_are<BoosterId>(things)) return std::nullopt;
    double none = 1;
    for (int ante = condition.first_ante; ante <= condition.last_ante; ++ante) {
        if (condition.counts(ante)) none *= chance_of_none(condition, opening, ante);
    }
    return condition.wanted ? 1 - none : none;
}

double cost_of(const Condition& condition, const Opening& opening, int shop_queue) {
    const auto* turns_up = std::get_if<TurnsUp>(&condition);
    return turns_up ? cost(*turns_up, opening, shop_queue) : front_count;
}

}  // namespace jimbo
