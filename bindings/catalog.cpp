// The catalogue's fact rows as read-only classes, made from the rows' field lists. References between rows (a voucher's
// prerequisite, a challenge's bans) are given by key; `order` is the place in the set, counted from 0.
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "catalog/lookup.hpp"
#include "rules/starting_deck.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

template <class T>
using Several = nb::typed<nb::tuple, T, nb::ellipsis>;

// --- What Python sees of a field -----------------------------------------------------------------------------------

template <class Number>
    requires std::is_arithmetic_v<Number>
Number shown(Number number) {
    return number;
}
std::string_view shown(std::string_view text) { return text; }

std::string_view shown(Rarity rarity) { return rarity_names[static_cast<std::size_t>(rarity)]; }
std::string_view shown(ConsumableKind kind) { return consumable_kind_names[static_cast<std::size_t>(kind)]; }
std::string_view shown(BoosterKind kind) { return booster_kind_names[static_cast<std::size_t>(kind)]; }
std::string_view shown(BoosterSize size) { return booster_size_names[static_cast<std::size_t>(size)]; }

std::optional<std::string_view> unless_empty(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(text);
}
std::optional<std::string_view> shown(PoolGate gate) {
    return unless_empty(pool_gate_names[static_cast<std::size_t>(gate)]);
}
std::optional<std::string_view> shown(Enhancement id) { return unless_empty(fact(id).key); }
std::optional<std::string_view> shown(Seal id) { return unless_empty(fact(id).key); }
std::string_view shown(Edition id) { return fact(id).key; }

template <class Id>
std::optional<std::string_view> shown(const std::optional<Id>& id) {
    return id ? std::optional(key_of(fact(*id))) : std::nullopt;
}

template <class Id, std::size_t N>
Several<nb::str> shown(const Few<Id, N>& ids) {
    nb::list keys;
    for (const Id id : ids) keys.append(key_of(fact(id)));
    return nb::tuple(keys);
}

// A ban of a kind of booster covers all its packs.
Several<nb::str> shown(const Few<BoosterKind, 1>& kinds) {
    nb::list keys;
    for (const BoosterFact& pack : booster_facts) {
        if (kinds.contains(pack.kind)) keys.append(pack.key);
    }
    return nb::tuple(keys);
}

const RunStart& shown(const RunStart& start) { return start; }

template <std::size_t N>
Several<ChallengeJoker> shown(const Few<ChallengeJoker, N>& jokers) {
    nb::list list;
    for (const ChallengeJoker& joker : jokers) list.append(nb::cast(&joker, nb::rv_policy::reference));
    return nb::tuple(list);
}

struct ChallengeCard {
    Card card;
};

Several<ChallengeCard> shown(const ChallengeDeck& deck) {
    nb::list cards;
    for (const Card& card : make_challenge_deck(deck)) cards.append(ChallengeCard{card});
    return nb::tuple(cards);
}

// --- Classes -------------------------------------------------------------------------------------------------------

template <class Row>
void bind_fields(nb::class_<Row>& row) {
    const auto bind = [&row](const auto& field) {
        const auto member = field.member;
        row.def_prop_ro(
            field.name, [member](const Row& r) -> decltype(auto) { return shown(r.*member); },
            nb::rv_policy::reference_internal, field.meaning);
    };
    std::apply([&](const auto&... field) { (bind(field), ...); }, FieldsOf<Row>::list);
}

// A set of the catalogue: its class and a function that lists its rows. "No enhancement" and "no seal" have no key and
// are no items.
template <class Row, std::size_t N>
void bind_set(nb::module_& m, const char* name, const char* list, const std::array<Row, N>& rows,
              const char* doc = "") {
    nb::class_<Row> row(m, name, doc);
    row.def_prop_ro("key", [](const Row& r) { return key_of(r); })
        .def_prop_ro("name", [](const Row& r) { return r.name; })
        .def_prop_ro(
            "order", [](const Row& r) { return static_cast<int>(r.id); }, "Its place in the set.")
        .def_prop_ro("text", [](const Row& r) { return r.text; });
    bind_fields(row);
    row.def("__repr__",
            [name](const Row& r) {
                return "<" + std::string(name) + " " + std::string(key_of(r)) + ": " + std::string(r.name) + ">";
            })
        .def("__reduce__", [](const Row& r) -> Several<nb::any> {
            return nb::make_tuple(nb::module_::import_("jimbo.engine.catalog").attr("fact"), nb::make_tuple(key_of(r)));
        });
    m.def(list, [&rows] {
        nb::typed<nb::list, Row> items;
        for (const Row& item : rows) {
            if (!key_of(item).empty()) items.append(nb::cast(&item, nb::rv_policy::reference));
        }
        return items;
    });
}

void bind_challenge_parts(nb::module_& m) {
    nb::class_<RunStart> start(m, "RunStart", "What a run starts from before its deck and stake change it.");
    bind_fields(start);
    nb::class_<ChallengeJoker> joker(m, "ChallengeJoker");
    joker.def_prop_ro("key", [](const ChallengeJoker& j) { return fact(j.id).key; });
    bind_fields(joker);
    nb::class_<ChallengeCard>(m, "ChallengeCard")
        .def_prop_ro(
            "front", [](const ChallengeCard& c) { return std::string(front_key(c.card.front())); },
            "Such as ``H_T``, the Ten of Hearts.")
        .def_prop_ro("enhancement", [](const ChallengeCard& c) { return shown(Enhancement{c.card.enhancement}); })
        .def_prop_ro("seal", [](const ChallengeCard& c) { return shown(Seal{c.card.seal}); });
}

}  // namespace

void bind_catalog(nb::module_& m) {
    bind_challenge_parts(m);
    bind_set(m, "JokerFact", "joker_facts", joker_facts);
    bind_set(m, "ConsumableFact", "consumable_facts", consumable_facts, "Tarots first, then Planets, then Spectrals.");
    bind_set(m, "VoucherFact", "voucher_facts", voucher_facts);
    bind_set(m, "BoosterFact", "booster_facts", booster_facts);
    bind_set(m, "TagFact", "tag_facts", tag_facts);
    bind_set(m, "BlindFact", "blind_facts", blind_facts);
    bind_set(m, "DeckFact", "deck_facts", deck_facts);
    bind_set(m, "StakeFact", "stake_facts", stake_facts,
             "The fields hold everything up to this stake; the text says what it adds to the one below.");
    bind_set(m, "ChallengeFact", "challenge_facts", challenge_facts);
    bind_set(m, "EnhancementFact", "enhancement_facts", enhancement_facts,
             "The order begins with 1: 0 is a card without enhancement.");
    bind_set(m, "EditionFact", "edition_facts", edition_facts);
    bind_set(m, "SealFact", "seal_facts", seal_facts, "The order begins with 1: 0 is a card without seal.");
    bind_set(m, "StickerFact", "sticker_facts", sticker_facts);
    bind_set(m, "HandFact", "hand_facts", hand_facts,
             "A poker hand; its key is its name. The order ascends: of several hands in one play the highest counts.");
}

}  // namespace jimbo
