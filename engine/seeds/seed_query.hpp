// What a seed must hold, and where a seed holds it.
#pragma once

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "seeds/explore.hpp"

namespace jimbo {

// A playing card; what is left open does not matter. A Stone card shows no rank and no suit.
struct CardPattern {
    std::optional<Rank> rank{};
    std::optional<Suit> suit{};
    std::optional<Enhancement> enhancement{};
    std::optional<Seal> seal{};
    std::optional<Edition> edition{};
};

bool fits(const CardPattern& pattern, const Card& card);

struct JokerPattern {
    JokerId id{};
    std::optional<Edition> edition{};
    Stickers stickers{};  // those that it must have
};

using Thing = std::variant<JokerPattern, ConsumableId, VoucherId, BoosterId, TagId, BlindId, CardPattern>;

// The thing of a game key such as "j_blueprint" or "tag_negative".
std::optional<Thing> thing_by_key(std::string_view key);

// Which places count, by their numbers less 1; empty: all of them.
struct Places {
    std::vector<bool> shop{};
    std::vector<bool> packs{};  // and of what Souls in them give
    std::vector<bool> tags{};
};

// One of these things turns up in these antes; or none of them does.
struct TurnsUp {
    std::vector<Thing> any_of{};
    int first_ante = 1;
    int last_ante = 1;
    bool wanted = true;
    std::vector<bool> antes{};  // which of these antes count, from the first on; empty: all of them
    Places places{};

    bool counts(int ante) const { return antes.empty() || antes[static_cast<std::size_t>(ante - first_ante)]; }
};

struct CardCount {
    CardPattern card{};
    int min_cards = 1;
    int max_cards = front_count;
};

// The starting deck holds the right number of cards of one of these kinds.
struct DeckHolds {
    std::vector<CardCount> any_of{};
};

using Condition = std::variant<TurnsUp, DeckHolds>;

enum class Where : std::uint8_t { boss, voucher, tag, shop, pack, soul };
inline constexpr std::array<std::string_view, 6> where_names{"boss", "voucher", "tag", "shop", "pack", "soul"};

// Where a wanted thing turns up first.
struct Place {
    std::string_view key{};  // of the item, or the front of a playing card
    int ante = 1;
    Where where{};
    int position = 1;                 // counted from 1: the two tags, places in the shop queue, packs
    std::optional<BoosterId> pack{};  // that holds it, or the Soul that gives it
    Edition edition = Edition::base;  // where the condition asks for one, and of every playing card
    Enhancement enhancement{};        // of a playing card
    Seal seal{};                      // of a playing card
};

std::optional<Place> first_place(const TurnsUp& condition, Explorer& explorer);

// The first count that satisfies the condition: its number and how many cards there are.
struct Counted {
    int number = 0;
    int cards = 0;
};
std::optional<Counted> first_count(const DeckHolds& condition, const StartingDeck& deck);

bool holds(const Condition& condition, Explorer& explorer);

// The chance that a seed meets a condition, where it can be computed: of tags, vouchers and packs by their names.
std::optional<double> exact_chance(const TurnsUp& condition, const Opening& opening);

// About how many random draws it takes to refute a condition.
double cost_of(const Condition& condition, const Opening& opening, int shop_queue);

}  // namespace jimbo
