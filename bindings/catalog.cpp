// The fact rows of the catalogue as plain dicts, which jimbo.engine.catalog turns into typed facts once, at import.
// References between rows (a voucher's prerequisite, a challenge's bans) are given by key; `order` counts from 0.
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "catalog/lookup.hpp"

namespace nb = nanobind;

namespace jimbo {

namespace {

using Row = nb::typed<nb::dict, nb::str, nb::any>;
using Rows = nb::typed<nb::list, Row>;

template <class Id>
nb::object key_or_none(const std::optional<Id>& id) {
    return id ? nb::cast(key_of(fact(*id))) : nb::none();
}

nb::object key_or_none(Enhancement id) { return id == Enhancement::none ? nb::none() : nb::cast(fact(id).key); }

nb::object key_or_none(Seal id) { return id == Seal::none ? nb::none() : nb::cast(fact(id).key); }

template <class Ids>
nb::tuple keys_of(const Ids& ids) {
    nb::list keys;
    for (auto id : ids) keys.append(key_of(fact(id)));
    return nb::tuple(keys);
}

template <class Fact>
Row row_with_key(const Fact& item) {
    Row row;
    row["key"] = key_of(item);
    row["name"] = item.name;
    row["order"] = static_cast<int>(item.id);
    row["text"] = item.text;
    return row;
}

nb::object pool_gate(PoolGate gate) {
    switch (gate) {
        case PoolGate::none:
            break;
        case PoolGate::needs_gros_michel_alive:
            return nb::str("needs_gros_michel_alive");
        case PoolGate::needs_gros_michel_extinct:
            return nb::str("needs_gros_michel_extinct");
    }
    return nb::none();
}

Row to_row(const JokerFact& item) {
    Row row = row_with_key(item);
    row["rarity"] = rarity_names[static_cast<std::size_t>(item.rarity)];
    row["cost"] = item.cost;
    row["copyable"] = item.copyable;
    row["eternal"] = item.eternal;
    row["perishable"] = item.perishable;
    row["gate"] = key_or_none(item.gate);
    row["pool_gate"] = pool_gate(item.pool_gate);
    row["locked_on_fresh_profile"] = item.locked_on_fresh_profile;
    return row;
}

Row to_row(const ConsumableFact& item) {
    Row row = row_with_key(item);
    row["kind"] = consumable_kind_names[static_cast<std::size_t>(item.kind)];
    row["cost"] = item.cost;
    row["min_targets"] = item.min_targets;
    row["max_targets"] = item.max_targets;
    row["hand"] = key_or_none(item.hand);
    row["softlocked"] = item.softlocked;
    return row;
}

Row to_row(const VoucherFact& item) {
    Row row = row_with_key(item);
    row["cost"] = item.cost;
    row["prerequisite"] = key_or_none(item.prerequisite);
    return row;
}

Row to_row(const BoosterFact& item) {
    Row row = row_with_key(item);
    row["kind"] = booster_kind_names[static_cast<std::size_t>(item.kind)];
    row["size"] = booster_size_names[static_cast<std::size_t>(item.size)];
    row["cost"] = item.cost;
    row["weight"] = item.weight;
    row["cards"] = item.cards;
    row["picks"] = item.picks;
    return row;
}

Row to_row(const TagFact& item) {
    Row row = row_with_key(item);
    row["min_ante"] = item.min_ante;
    row["locked_on_fresh_profile"] = item.locked_on_fresh_profile;
    return row;
}

Row to_row(const BlindFact& item) {
    Row row = row_with_key(item);
    row["dollars"] = item.dollars;
    row["score"] = item.score;
    row["boss"] = item.boss;
    row["showdown"] = item.showdown;
    row["min_ante"] = item.min_ante;
    row["debuffed_suit"] = item.debuffed_suit ? nb::cast(fact(*item.debuffed_suit).name) : nb::none();
    row["debuffs_faces"] = item.debuffs_faces;
    row["min_cards"] = item.min_cards;
    return row;
}

Row to_row(const DeckFact& item) {
    Row row = row_with_key(item);
    row["hands"] = item.hands;
    row["discards"] = item.discards;
    row["dollars"] = item.dollars;
    row["hand_size"] = item.hand_size;
    row["joker_slots"] = item.joker_slots;
    row["consumable_slots"] = item.consumable_slots;
    row["dollars_per_hand"] = item.dollars_per_hand;
    row["dollars_per_discard"] = item.dollars_per_discard;
    row["no_interest"] = item.no_interest;
    row["vouchers"] = keys_of(item.vouchers);
    row["consumables"] = keys_of(item.consumables);
    row["spectral_rate"] = item.spectral_rate;
    row["remove_faces"] = item.remove_faces;
    row["checkered"] = item.checkered;
    row["erratic"] = item.erratic;
    row["ante_scaling"] = item.ante_scaling;
    row["double_tag_after_boss"] = item.double_tag_after_boss;
    row["balances_score"] = item.balances_score;
    return row;
}

Row to_row(const StakeFact& item) {
    Row row = row_with_key(item);
    row["small_blind_pays"] = item.small_blind_pays;
    row["base_table"] = item.base_table;
    row["discards"] = item.discards;
    row["eternal"] = item.eternal;
    row["perishable"] = item.perishable;
    row["rental"] = item.rental;
    return row;
}

Row to_row(const RunStart& start) {
    Row row;
    row["dollars"] = start.dollars;
    row["hands"] = start.hands;
    row["discards"] = start.discards;
    row["hand_size"] = start.hand_size;
    row["joker_slots"] = start.joker_slots;
    row["consumable_slots"] = start.consumable_slots;
    row["reroll_cost"] = start.reroll_cost;
    return row;
}

Row to_row(const ChallengeJoker& joker) {
    Row row;
    row["key"] = fact(joker.id).key;
    row["edition"] = fact(joker.edition).key;
    row["eternal"] = joker.eternal;
    row["pinned"] = joker.pinned;
    return row;
}

// One dict per card, in the order of creation.
nb::list cards_of(const ChallengeDeck& deck) {
    nb::list cards;
    for (Front front : fronts) {
        const bool face = front.rank == Rank::jack || front.rank == Rank::queen || front.rank == Rank::king;
        for (int copy = 0; copy < deck.copies[static_cast<std::size_t>(front.rank)]; ++copy) {
            Row card;
            card["front"] = front_key(front);
            card["enhancement"] = key_or_none(face && deck.face_enhancement != Enhancement::none ? deck.face_enhancement
                                                                                                 : deck.enhancement);
            card["seal"] = key_or_none(deck.seal);
            cards.append(card);
        }
    }
    return cards;
}

// A ban of a kind of booster covers all its packs.
nb::tuple keys_of(const Few<BoosterKind, 1>& kinds) {
    nb::list keys;
    for (const BoosterFact& pack : booster_facts) {
        if (kinds.contains(pack.kind)) keys.append(pack.key);
    }
    return nb::tuple(keys);
}

Row to_row(const ChallengeFact& item) {
    Row row = row_with_key(item);
    row["no_reward"] = item.no_reward;
    row["no_reward_small"] = item.no_reward_small;
    row["no_reward_big"] = item.no_reward_big;
    row["no_extra_hand_money"] = item.no_extra_hand_money;
    row["no_interest"] = item.no_interest;
    row["chips_dollar_cap"] = item.chips_dollar_cap;
    row["flipped_cards"] = item.flipped_cards;
    row["minus_hand_size_per_x_dollar"] = item.minus_hand_size_per_x_dollar;
    row["debuff_played_cards"] = item.debuff_played_cards;
    row["discard_cost"] = item.discard_cost;
    row["set_eternal_ante"] = item.set_eternal_ante;
    row["set_joker_slots_ante"] = item.set_joker_slots_ante;
    row["all_eternal"] = item.all_eternal;
    row["inflation"] = item.inflation;
    row["no_shop_jokers"] = item.no_shop_jokers;
    row["start"] = to_row(item.start);
    nb::list jokers;
    for (const ChallengeJoker& joker : item.jokers) jokers.append(to_row(joker));
    row["jokers"] = jokers;
    row["consumables"] = keys_of(item.consumables);
    row["vouchers"] = keys_of(item.vouchers);
    row["deck"] = cards_of(item.deck);
    row["banned_jokers"] = keys_of(item.banned_jokers);
    row["banned_consumables"] = keys_of(item.banned_consumables);
    row["banned_vouchers"] = keys_of(item.banned_vouchers);
    row["banned_boosters"] = keys_of(item.banned_boosters);
    row["banned_tags"] = keys_of(item.banned_tags);
    row["banned_blinds"] = keys_of(item.banned_blinds);
    return row;
}

Row to_row(const EnhancementFact& item) {
    Row row = row_with_key(item);
    row["word"] = item.word;
    return row;
}

Row to_row(const EditionFact& item) {
    Row row = row_with_key(item);
    row["price"] = item.price;
    return row;
}

Row to_row(const SealFact& item) { return row_with_key(item); }

Row to_row(const StickerFact& item) { return row_with_key(item); }

Row to_row(const HandFact& item) {
    Row row = row_with_key(item);
    row["chips"] = item.chips;
    row["mult"] = item.mult;
    row["chips_per_level"] = item.chips_per_level;
    row["mult_per_level"] = item.mult_per_level;
    row["secret"] = item.secret;
    return row;
}

// "No enhancement" and "no seal" have no key and are not items.
template <class Fact, std::size_t N>
nb::list to_rows(const std::array<Fact, N>& facts) {
    nb::list rows;
    for (const Fact& item : facts) {
        if (!key_of(item).empty()) rows.append(to_row(item));
    }
    return rows;
}

nb::typed<nb::dict, nb::str, Rows> catalog_rows() {
    nb::typed<nb::dict, nb::str, Rows> sets;
    sets["jokers"] = to_rows(joker_facts);
    sets["consumables"] = to_rows(consumable_facts);
    sets["vouchers"] = to_rows(voucher_facts);
    sets["boosters"] = to_rows(booster_facts);
    sets["tags"] = to_rows(tag_facts);
    sets["blinds"] = to_rows(blind_facts);
    sets["decks"] = to_rows(deck_facts);
    sets["stakes"] = to_rows(stake_facts);
    sets["challenges"] = to_rows(challenge_facts);
    sets["enhancements"] = to_rows(enhancement_facts);
    sets["editions"] = to_rows(edition_facts);
    sets["seals"] = to_rows(seal_facts);
    sets["stickers"] = to_rows(sticker_facts);
    sets["hands"] = to_rows(hand_facts);
    return sets;
}

}  // namespace

void bind_catalog(nb::module_& m) {
    m.def("catalog_rows", &catalog_rows, "The rows of every set of the catalogue, in order.");
}

}  // namespace jimbo
