#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "catalog/lookup.hpp"
#include "opening.hpp"
#include "play/edits.hpp"
#include "run_parts.hpp"
#include "seeds/explore_json.hpp"
#include "seeds/sources.hpp"
#include "store/json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

constexpr std::string_view gros_michel_extinct = "Gros Michel is extinct";

// Something that a run may have come to have, by its key or name.
void have(RunState& run, const std::string& key) {
    if (const auto joker = joker_by_key(key)) return edits::add_joker(run, *joker, Edition::base, {});
    if (const auto consumable = consumable_by_key(key)) return edits::add_consumable(run, *consumable, Edition::base);
    if (const auto voucher = voucher_by_key(key)) return edits::redeem(run, *voucher);
    for (const EnhancementFact& f : enhancement_facts) {
        if (f.key != key) continue;
        Card card;
        card.enhancement = f.id;
        return edits::add_card(run, card, CardTo::deck);
    }
    for (const HandFact& f : hand_facts) {
        if (f.name == key) {
            run.stats(f.id).played += 1;
            return;
        }
    }
    if (key != gros_michel_extinct) throw std::invalid_argument('"' + key + "\" is nothing that a run has");
    run.gros_michel_extinct = true;
}

// The voucher that an ante shows first, with what is held besides.
std::string rest_voucher(RunState run, int ante, const std::vector<std::string>& held) {
    if (ante < run.ante) throw std::invalid_argument("this ante does not come");
    for (const std::string& key : held) have(run, key);
    return std::string(fact(Explorer(run, 0, ante).voucher(ante)).key);
}

// The antes that a run has before it, from its own on. What it has now stays as it is: bosses, tags, vouchers.
std::string rest_report(RunState run, int last_ante, int shop_queue, const std::vector<std::string>& held,
                        bool packs_alone, bool packs) {
    if (last_ante < run.ante || last_ante > run.ante + 64) throw std::invalid_argument("these antes do not come");
    for (const std::string& key : held) have(run, key);
    Explorer explorer(run, shop_queue, last_ante, packs_alone);
    std::string out = "[";
    for (int ante = run.ante; ante <= last_ante; ++ante) {
        if (out.back() != '[') out += ',';
        append_json(out, explorer, ante, packs);
    }
    return out + ']';
}

// What all seeds hold with one deck, stake and challenge in the same antes.
class SeedReports {
public:
    SeedReports(const Opening& opening, std::string_view stake, int first_ante, int last_ante, int shop_queue,
                const OptionalText& challenge)
        : opening_(opening), first_ante_(first_ante), last_ante_(last_ante), shop_queue_(shop_queue) {
        rules_ = ",\"deck\":\"" + std::string(fact(opening_.deck).key) + "\",\"stake\":\"" +
                 std::string(fact(stake_from(stake)).key) + '"';
        if (challenge) rules_ += ",\"challenge\":\"" + *challenge + '"';
    }

    std::string json(std::string_view seed) const {
        Explorer explorer(opening_, shop_queue_, last_ante_);
        explorer.start(seed_from(seed));
        std::string out;
        out.reserve(static_cast<std::size_t>(last_ante_ - first_ante_ + 1) * usual_length);
        out += "{\"seed\":" + Json(seed).dump() + rules_;
        if (fact(opening_.deck).erratic) {
            out += ",\"starting_deck\":";
            append_json(out, explorer.deck());
        }
        out += ",\"antes\":[";
        for (int ante = first_ante_; ante <= last_ante_; ++ante) {
            if (out.back() != '[') out += ',';
            append_json(out, explorer, ante);
        }
        out += "]}";
        return out;
    }

private:
    static constexpr std::size_t usual_length = 2500;  // of an ante

    Opening opening_;
    int first_ante_;
    int last_ante_;
    int shop_queue_;
    std::string rules_;
};

std::string seed_report(std::string_view seed, std::string_view deck, std::string_view stake, int first_ante,
                        int last_ante, int shop_queue, const Conventions& conventions) {
    const Opening opening = opening_from(deck, stake, {}, conventions);
    return SeedReports(opening, stake, first_ante, last_ante, shop_queue, {}).json(seed);
}

std::string source_queue(std::string_view seed, std::string_view deck, std::string_view stake, int ante,
                         std::string_view source, int count, const Conventions& conventions) {
    for (const CardSource& s : card_sources()) {
        if (s.name != source) continue;
        Streams streams(seed_from(seed));
        PoolContext context = opening_from(deck, stake, {}, conventions).context;
        context.ante = ante;
        for (BoosterId booster : shop_boosters(streams, context)) open_pack(streams, context, booster);
        std::string out = "[";
        for (int i = 0; i < count; ++i) {
            if (i > 0) out += ',';
            append_json(out, s.draw(streams, context));
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

template <typename Facts, typename Set>
void add_keys(std::vector<std::string>& keys, const Facts& facts, const Set& blocked) {
    for (const auto& f : facts) {
        if (blocked.has(f.id)) keys.emplace_back(f.key);
    }
}

std::vector<std::string> blocked_at_start(std::string_view deck, const OptionalText& challenge) {
    const Blocked blocked = opening_from(deck, "white", challenge).context.blocked;
    std::vector<std::string> keys;
    add_keys(keys, joker_facts, blocked.jokers);
    add_keys(keys, consumable_facts, blocked.consumables);
    add_keys(keys, voucher_facts, blocked.vouchers);
    add_keys(keys, tag_facts, blocked.tags);
    add_keys(keys, booster_facts, blocked.boosters);
    add_keys(keys, blind_facts, blocked.blinds);
    return keys;
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
    nb::class_<SeedReports>(m, "SeedReports", "What seeds hold with one deck, stake and challenge in the same antes.")
        .def(
            "__init__",
            [](SeedReports* self, std::string_view deck, std::string_view stake, int first_ante, int last_ante,
               int shop_queue, const OptionalText& challenge) {
                const Opening opening = opening_from(deck, stake, challenge);
                new (self) SeedReports(opening, stake, first_ante, last_ante, shop_queue, challenge);
            },
            "deck"_a, "stake"_a, "first_ante"_a, "last_ante"_a, "shop_queue"_a, "challenge"_a.none())
        .def("json", &SeedReports::json, "seed"_a, nb::call_guard<nb::gil_scoped_release>(),
             "What a seed holds, as JSON text.");
    m.def("rest_report", &rest_report, "run"_a, "last_ante"_a, "shop_queue"_a, "held"_a = std::vector<std::string>{},
          "packs_alone"_a = false, "packs"_a = true, nb::call_guard<nb::gil_scoped_release>(),
          "What the antes of a run hold from now on when nothing is bought, as JSON text; with what it has besides: "
          "keys of jokers, consumables and vouchers, enhancements of a card in the deck, names of hands that were "
          "played, GROS_MICHEL_EXTINCT. packs_alone: each pack is the next of its kind that is opened. Without packs, "
          "none is told.");
    m.def("rest_voucher", &rest_voucher, "run"_a, "ante"_a, "held"_a,
          "The key of the voucher that a later ante shows first, with what is held besides.");
    m.attr("GROS_MICHEL_EXTINCT") = std::string(gros_michel_extinct);
    m.def(
        "edition_chance",
        [](std::string_view edition) { return edition_chance(key_from<Edition>(edition, "edition"), 1, 1, true); },
        "edition"_a, "How likely a new joker has an edition, without Hone.");
    m.def("seed_report", &seed_report, "seed"_a, "deck"_a, "stake"_a, "first_ante"_a, "last_ante"_a, "shop_queue"_a,
          "conventions"_a, nb::call_guard<nb::gil_scoped_release>(), "What a seed holds, as JSON text.");
    m.def("source_queue", &source_queue, "seed"_a, "deck"_a, "stake"_a, "ante"_a, "source"_a, "count"_a,
          "conventions"_a,
          "The cards that one creation source gives after the shop packs of an ante were opened, as JSON text.");
    m.def("pack_queue", &pack_queue, "seed"_a, "ante"_a, "count"_a, "The booster keys that the shops of an ante draw.");
    m.def("starting_deck", &starting_deck, "seed"_a, "deck"_a, "The fronts of the starting deck in creation order.");
    m.def("blocked_at_start", &blocked_at_start, "deck"_a, "challenge"_a,
          "The keys that cannot come up while nothing was bought or played.");
}

}  // namespace jimbo
