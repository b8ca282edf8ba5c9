// Finding an item by the game's key, and the proof that every table is complete, in order and without duplicates.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "catalog/blinds.hpp"
#include "catalog/boosters.hpp"
#include "catalog/cards.hpp"
#include "catalog/challenges.hpp"
#include "catalog/consumables.hpp"
#include "catalog/decks.hpp"
#include "catalog/hands.hpp"
#include "catalog/jokers.hpp"
#include "catalog/stakes.hpp"
#include "catalog/tags.hpp"
#include "catalog/vouchers.hpp"

namespace jimbo {

// Hands have no key of their own: the game calls them by their names.
template <class Fact>
constexpr std::string_view key_of(const Fact& row) {
    if constexpr (requires { row.key; }) {
        return row.key;
    } else {
        return row.name;
    }
}

// Rows with an empty key ("no enhancement", "no seal") are never found.
template <class Fact, std::size_t N>
constexpr auto id_by_key(const std::array<Fact, N>& rows, std::string_view key) -> std::optional<decltype(Fact::id)> {
    for (const Fact& row : rows) {
        if (!key.empty() && key_of(row) == key) return row.id;
    }
    return std::nullopt;
}

constexpr std::optional<JokerId> joker_by_key(std::string_view key) { return id_by_key(joker_facts, key); }
constexpr std::optional<ConsumableId> consumable_by_key(std::string_view key) {
    return id_by_key(consumable_facts, key);
}
constexpr std::optional<VoucherId> voucher_by_key(std::string_view key) { return id_by_key(voucher_facts, key); }
constexpr std::optional<BoosterId> booster_by_key(std::string_view key) { return id_by_key(booster_facts, key); }
constexpr std::optional<TagId> tag_by_key(std::string_view key) { return id_by_key(tag_facts, key); }
constexpr std::optional<BlindId> blind_by_key(std::string_view key) { return id_by_key(blind_facts, key); }
constexpr std::optional<Enhancement> enhancement_by_key(std::string_view key) {
    return id_by_key(enhancement_facts, key);
}
constexpr std::optional<Edition> edition_by_key(std::string_view key) { return id_by_key(edition_facts, key); }
constexpr std::optional<Seal> seal_by_key(std::string_view key) { return id_by_key(seal_facts, key); }

constexpr std::optional<Front> front_by_key(std::string_view key) {
    for (Front front : fronts) {
        if (front_key(front) == key) return front;
    }
    return std::nullopt;
}

// Every row stands at the place of its id, so that `fact(id)` is one index, and no key occurs twice. Only the first row
// of a table may lack a key: "no enhancement", "no seal".
template <class Fact, std::size_t N>
consteval bool is_well_kept(const std::array<Fact, N>& rows) {
    for (std::size_t i = 0; i < N; ++i) {
        if (static_cast<std::size_t>(rows[i].id) != i) return false;
        if (i > 0 && (key_of(rows[i]).empty() || rows[i].name.empty())) return false;
        for (std::size_t j = 0; j < i; ++j) {
            if (key_of(rows[i]) == key_of(rows[j])) return false;
        }
    }
    return true;
}

template <class Fact, std::size_t N>
consteval bool has_all_texts(const std::array<Fact, N>& rows) {
    for (const Fact& row : rows) {
        if (!key_of(row).empty() && row.text.empty()) return false;
    }
    return true;
}

static_assert(is_well_kept(joker_facts) && has_all_texts(joker_facts));
static_assert(is_well_kept(consumable_facts) && has_all_texts(consumable_facts));
static_assert(is_well_kept(voucher_facts) && has_all_texts(voucher_facts));
static_assert(is_well_kept(booster_facts) && has_all_texts(booster_facts));
static_assert(is_well_kept(tag_facts) && has_all_texts(tag_facts));
static_assert(is_well_kept(blind_facts) && has_all_texts(blind_facts));
static_assert(is_well_kept(deck_facts) && has_all_texts(deck_facts));
static_assert(is_well_kept(stake_facts) && has_all_texts(stake_facts));
static_assert(is_well_kept(challenge_facts) && has_all_texts(challenge_facts));
static_assert(is_well_kept(enhancement_facts) && has_all_texts(enhancement_facts));
static_assert(is_well_kept(edition_facts) && has_all_texts(edition_facts));
static_assert(is_well_kept(seal_facts) && has_all_texts(seal_facts));
static_assert(is_well_kept(sticker_facts) && has_all_texts(sticker_facts));
static_assert(is_well_kept(hand_facts) && has_all_texts(hand_facts));

// Whether a value of an enum has a name, which the compiler writes in place of a cast number.
template <auto value>
consteval bool is_named() {
#if defined(_MSC_VER) && !defined(__clang__)
    constexpr std::string_view text = __FUNCSIG__;
    constexpr std::string_view before = "is_named<";
#else
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::string_view before = "value = ";
#endif
    return text[text.find(before) + before.size()] != '(';
}
static_assert(is_named<JokerId::joker>());

// Every name of an enum has a row.
template <class Fact, std::size_t N>
consteval bool is_complete(const std::array<Fact, N>&) {
    return !is_named<static_cast<decltype(Fact::id)>(N)>();
}
static_assert(is_complete(joker_facts) && is_complete(consumable_facts) && is_complete(voucher_facts));
static_assert(is_complete(booster_facts) && is_complete(tag_facts) && is_complete(blind_facts));
static_assert(is_complete(deck_facts) && is_complete(stake_facts) && is_complete(challenge_facts));
static_assert(is_complete(hand_facts));

}  // namespace jimbo
