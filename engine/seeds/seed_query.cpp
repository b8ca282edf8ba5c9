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

bool is_wanted(const Thing& thing, const Offer& offer) {
    if (const auto* joker = std::get_if<JokerPattern>(&thing)) {
        return offer.kind == OfferKind::joker && offer.joker == joker->id &&
               (!joker->edition || offer.edition == *joker->edition);
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
        : things_(condition.any_of), sources_(sources), explorer_(explorer), ante_(ante) {}

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
            place = if_wanted(explorer_.tags(ante_)[static_cast<std::size_t>(i)], Where::tag, i + 1);
        }
        return place;
    }

    std::optional<Place> in_shop() const {
        if (!may_be(Where::shop)) return std::nullopt;
        int position = 0;
        for (const Offer& offer : explorer_.shop(ante_)) {
            const auto place = if_wanted(offer, {.ante = ante_, .where = Where::shop, .position = ++position});
            if (place) return place;
        }
        return std::nullopt;
    }

    std::optional<Place> among_packs() const {
        if (!may_be(Where::pack)) return std::nullopt;
        int position = 0;
        for (BoosterId booster : explorer_.boosters(ante_)) {
            if (const auto place = if_wanted(booster, Where::pack, ++position)) return place;
        }
        return std::nullopt;
    }

    std::optional<Place> in_packs() const {
        if (sources_.packs.none()) return std::nullopt;
        for (int i = 0; i < explorer_.boosters(ante_).size(); ++i) {
            const BoosterId booster = explorer_.boosters(ante_)[i];
            if (!sources_.packs.has(fact(booster).kind)) continue;
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
            const auto place = if_wanted(legendary.joker, {.ante = ante_,
                                                           .where = Where::soul,
                                                           .position = legendary.pack + 1,
                                                           .pack = explorer_.boosters(ante_)[legendary.pack]});
            if (place) return place;
        }
        return std::nullopt;
    }

    const std::vector<Thing>& things_;
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

double cost_of(const Condition& condition, const Opening& opening, int shop_queue) {
    const auto* turns_up = std::get_if<TurnsUp>(&condition);
    return turns_up ? cost(*turns_up, opening, shop_queue) : front_count;
}

}  // namespace jimbo
