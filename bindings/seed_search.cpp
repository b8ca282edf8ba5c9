#include "seeds/seed_search.hpp"

#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "opening.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// Key, rank, suit, enhancement, seal, edition and the first letters of stickers. An empty text leaves it open; a
// playing card has no key.
using ThingText = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, std::string>;
using Flags = std::vector<bool>;
// Things, first and last ante, wanted; and which count: antes from the first on, places in the shop, packs, tags.
using TurnsUpText = std::tuple<std::vector<ThingText>, int, int, bool, Flags, Flags, Flags, Flags>;
using DeckHoldsText = std::vector<std::tuple<ThingText, int, int>>;  // cards, minimum, maximum
using MaybeKey = std::optional<std::string>;
using PlaceText = std::tuple<std::string, int, std::string, int, MaybeKey, MaybeKey, MaybeKey, MaybeKey>;
using HitText = std::tuple<std::string, std::vector<PlaceText>, std::vector<std::tuple<int, int>>>;

std::string_view key_of_fact(const RankFact& rank) { return {&rank.letter, 1}; }
std::string_view key_of_fact(const SuitFact& suit) { return {&suit.letter, 1}; }
template <typename Fact>
std::string_view key_of_fact(const Fact& fact) {
    return fact.key;
}

template <typename Facts>
auto id_from(const Facts& facts, const std::string& key) {
    std::optional<decltype(facts[0].id)> id;
    for (const auto& fact : facts) {
        if (!key.empty() && key_of_fact(fact) == key) id = fact.id;
    }
    if (!key.empty() && !id)
        throw std::invalid_argument('"' + key + "\" is not a rank, suit, enhancement, seal or edition");
    return id;
}

CardPattern card_from(const ThingText& text) {
    return {.rank = id_from(rank_facts, std::get<1>(text)),
            .suit = id_from(suit_facts, std::get<2>(text)),
            .enhancement = id_from(enhancement_facts, std::get<3>(text)),
            .seal = id_from(seal_facts, std::get<4>(text)),
            .edition = id_from(edition_facts, std::get<5>(text))};
}

Thing thing_from(const ThingText& text) {
    const std::string& key = std::get<0>(text);
    const CardPattern card = card_from(text);
    if (key.empty()) return card;
    auto thing = thing_by_key(key);
    if (!thing) {
        throw std::invalid_argument('"' + key + "\" is not the key of a joker, consumable, voucher, pack, tag or boss");
    }
    if (auto* joker = std::get_if<JokerPattern>(&*thing)) {
        const auto has = [&](char letter) { return std::get<6>(text).find(letter) != std::string::npos; };
        joker->edition = card.edition;
        joker->stickers = {has('e'), has('p'), has('r')};
    }
    return *thing;
}

TurnsUp turns_up_from(const TurnsUpText& text) {
    const auto& [things, first_ante, last_ante, wanted, antes, shop, packs, tags] = text;
    TurnsUp condition{.first_ante = first_ante,
                      .last_ante = last_ante,
                      .wanted = wanted,
                      .antes = antes,
                      .places = {.shop = shop, .packs = packs, .tags = tags}};
    if (first_ante < 1) throw std::invalid_argument("antes count from 1");
    if (!antes.empty() && static_cast<int>(antes.size()) != last_ante - first_ante + 1)
        throw std::invalid_argument("each of the antes counts or does not");
    for (const ThingText& thing : things) condition.any_of.push_back(thing_from(thing));
    return condition;
}

DeckHolds deck_holds_from(const DeckHoldsText& text) {
    DeckHolds condition;
    for (const auto& [card, low, high] : text) condition.any_of.push_back({card_from(card), low, high});
    return condition;
}

SeedSearch search_from(std::string_view deck, std::string_view stake, const OptionalText& challenge, int shop_queue,
                       const std::vector<TurnsUpText>& turns_up, const std::vector<DeckHoldsText>& deck_holds) {
    SeedQuery query{.opening = opening_from(deck, stake, challenge), .shop_queue = shop_queue};
    for (const TurnsUpText& text : turns_up) query.conditions.emplace_back(turns_up_from(text));
    for (const DeckHoldsText& text : deck_holds) query.conditions.emplace_back(deck_holds_from(text));
    return SeedSearch(std::move(query));
}

// Nothing for what a card has by default.
template <typename Id>
MaybeKey key_text(Id id) {
    return id == Id{} ? MaybeKey{} : MaybeKey{fact(id).key};
}

PlaceText text_of(const Place& place) {
    return {std::string(place.key),
            place.ante,
            std::string(where_names[static_cast<std::size_t>(place.where)]),
            place.position,
            place.pack ? MaybeKey{fact(*place.pack).key} : MaybeKey{},
            key_text(place.edition),
            key_text(place.enhancement),
            key_text(place.seal)};
}

HitText text_of(const SeedHit& hit) {
    HitText text{std::string(hit.seed.view()), {}, {}};
    for (const Place& place : hit.places) std::get<1>(text).push_back(text_of(place));
    for (const Counted& counted : hit.counts) std::get<2>(text).emplace_back(counted.number, counted.cards);
    return text;
}

std::vector<HitText> search(const SeedSearch& self, std::uint64_t first, std::uint64_t count, int threads) {
    const std::vector<SeedHit> found = self.search(first, count, threads);
    std::vector<HitText> texts;
    for (const SeedHit& hit : found) texts.push_back(text_of(hit));
    return texts;
}

}  // namespace

void bind_seed_search(nb::module_& m) {
    nb::class_<SeedSearch>(m, "SeedSearch", "Looks for seeds that hold what is wanted.")
        .def(
            "__init__",
            [](SeedSearch* self, std::string_view deck, std::string_view stake, const OptionalText& challenge,
               int shop_queue, const std::vector<TurnsUpText>& turns_up, const std::vector<DeckHoldsText>& deck_holds) {
                new (self) SeedSearch(search_from(deck, stake, challenge, shop_queue, turns_up, deck_holds));
            },
            "deck"_a, "stake"_a, "challenge"_a.none(), "shop_queue"_a, "turns_up"_a, "deck_holds"_a)
        .def(
            "exact_chances",
            [](const SeedSearch& self) {
                std::vector<std::optional<double>> chances;
                for (const Condition& condition : self.query().conditions) {
                    const auto* turns_up = std::get_if<TurnsUp>(&condition);
                    if (turns_up) chances.push_back(exact_chance(*turns_up, self.query().opening));
                }
                return chances;
            },
            "The chance of each condition but those on the deck, where it can be computed.")
        .def("search", &search, "first"_a, "count"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>(),
             "The hits among `count` machine-made seeds from number `first` on: the seed, the places of what turns up, "
             "and for each condition on the deck which of its counts holds and how many cards there are.");
    m.def(
        "seed_number", [](std::string_view seed) { return number_of(seed_from(seed)); }, "seed"_a,
        "The number of a machine-made seed, None for any other.");
    m.def(
        "made_seed", [](std::uint64_t number) { return std::string(numbered_seed(number).view()); }, "number"_a,
        "The machine-made seed of a number below MADE_SEED_COUNT.");
    m.attr("MADE_SEED_COUNT") = made_seed_count;
}

}  // namespace jimbo
