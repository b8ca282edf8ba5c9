#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "names.hpp"
#include "parse.hpp"
#include "rules/deck_making.hpp"
#include "run/explore_json.hpp"
#include "run/seed_search.hpp"
#include "run/sources.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

std::string seed_report(std::string_view seed, std::string_view deck, std::string_view stake, int first_ante,
                        int last_ante, int shop_queue, const Conventions& conventions) {
    Explorer explorer(seed_from(seed), deck_from(deck), stake_from(stake), conventions);
    std::string out = "{\"seed\":\"" + std::string(seed) + "\",\"deck\":\"" + std::string(deck) + "\",\"stake\":\"" +
                      std::string(fact(stake_from(stake)).key) + "\",\"antes\":[";
    for (int ante = 1; ante <= last_ante; ++ante) {
        const AnteReport report = explorer.next_ante({.shop = shop_queue});
        if (ante < first_ante) continue;
        if (out.back() != '[') out += ',';
        append_json(out, report);
    }
    return out + "]}";
}

std::string source_queue(std::string_view seed, std::string_view deck, std::string_view stake, int ante,
                         std::string_view source, int count, const Conventions& conventions) {
    for (const CardSource& s : card_sources()) {
        if (s.name != source) continue;
        Streams streams(seed_from(seed));
        Making making = start_making(deck_from(deck), stake_from(stake), conventions);
        making.ante = ante;
        open_shop_packs(streams, making);
        std::string out = "[";
        for (int i = 0; i < count; ++i) {
            if (i > 0) out += ',';
            append_json(out, s.draw(streams, making));
        }
        return out + ']';
    }
    throw std::invalid_argument("there is no card source \"" + std::string(source) + '"');
}

std::vector<std::string> pack_queue(std::string_view seed, int ante, int count) {
    Streams streams(seed_from(seed));
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.emplace_back(fact(pick_booster(streams, ante, Blocked{})).key);
    return names;
}

std::vector<std::string> starting_deck(std::string_view seed, std::string_view deck) {
    Streams streams(seed_from(seed));
    StartingDeck cards = make_deck(streams, deck_from(deck));
    std::vector<std::string> keys;
    for (const Card& card : cards) keys.emplace_back(front_key(card.front()));
    return keys;
}

SeedQuery query_from(const std::vector<std::string>& items, int by_ante, std::string_view deck, std::string_view stake,
                     int shop_queue) {
    SeedQuery query{
        .items = {}, .by_ante = by_ante, .shop_queue = shop_queue, .deck = deck_from(deck), .stake = stake_from(stake)};
    for (const std::string& key : items) {
        const auto item = item_by_key(key);
        if (!item)
            throw std::invalid_argument('"' + key + "\" is no key of a joker, consumable, voucher, pack, tag or boss");
        query.items.push_back(*item);
    }
    return query;
}

std::vector<std::string> search(const SeedQuery& query, std::uint64_t first, std::uint64_t count, int threads) {
    std::vector<Seed> found;
    {
        nb::gil_scoped_release free;
        found = search_seeds(query, first, count, threads);
    }
    std::vector<std::string> texts;
    for (const Seed& seed : found) texts.emplace_back(seed.view());
    return texts;
}

}  // namespace

void bind_explore(nb::module_& m) {
    nb::class_<Conventions>(m, "Conventions", "What an explorer assumes; the defaults are the game's own rules.")
        .def(
            "__init__",
            [](Conventions* self, bool cards_in_use_exclude, bool vouchers_count_as_owned, bool gated_cards_appear,
               bool soul_ends_polling, bool short_perishable_list) {
                new (self) Conventions{cards_in_use_exclude, vouchers_count_as_owned, gated_cards_appear,
                                       soul_ends_polling, short_perishable_list};
            },
            nb::kw_only(), "cards_in_use_exclude"_a = true, "vouchers_count_as_owned"_a = false,
            "gated_cards_appear"_a = false, "soul_ends_polling"_a = false, "short_perishable_list"_a = false);
    m.def("seed_report", &seed_report, "seed"_a, "deck"_a, "stake"_a, "first_ante"_a, "last_ante"_a, "shop_queue"_a,
          "conventions"_a, nb::call_guard<nb::gil_scoped_release>(), "What a seed holds, as JSON text.");
    m.def("source_queue", &source_queue, "seed"_a, "deck"_a, "stake"_a, "ante"_a, "source"_a, "count"_a,
          "conventions"_a,
          "The cards that one creation source gives after the shop packs of an ante were opened, as JSON text.");
    m.def("pack_queue", &pack_queue, "seed"_a, "ante"_a, "count"_a, "The booster keys that the shops of an ante draw.");
    m.def("starting_deck", &starting_deck, "seed"_a, "deck"_a, "The fronts of the starting deck in creation order.");

    nb::class_<SeedQuery>(m, "SeedQuery", "What a seed must hold.")
        .def(
            "__init__",
            [](SeedQuery* self, const std::vector<std::string>& items, int by_ante, std::string_view deck,
               std::string_view stake,
               int shop_queue) { new (self) SeedQuery(query_from(items, by_ante, deck, stake, shop_queue)); },
            "items"_a, "by_ante"_a, "deck"_a, "stake"_a, "shop_queue"_a)
        .def(
            "matches", [](const SeedQuery& q, std::string_view seed) { return matches(seed_from(seed), q); }, "seed"_a);
    m.def("search_seeds", &search, "query"_a, "first"_a, "count"_a, "threads"_a,
          "The matching seeds among `count` machine-made ones from number `first` on.");
    m.def(
        "seed_number", [](std::string_view seed) { return number_of(seed_from(seed)); }, "seed"_a,
        "The number of a machine-made seed, None for any other.");
    m.def(
        "made_seed", [](std::uint64_t number) { return std::string(numbered_seed(number).view()); }, "number"_a,
        "The machine-made seed of a number below MADE_SEED_COUNT.");
    m.attr("MADE_SEED_COUNT") = made_seed_count;
}

}  // namespace jimbo
