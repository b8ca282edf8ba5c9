// A card that can be taken: on display in the shop or lying in an open pack.
#pragma once

#include <cstdint>

#include "catalog/consumables.hpp"
#include "catalog/jokers.hpp"
#include "state/card.hpp"

namespace jimbo {

// Which stickers a joker bears.
struct Stickers {
    bool eternal = false;
    bool perishable = false;
    bool rental = false;
    bool operator==(const Stickers&) const = default;
};

enum class OfferKind : std::uint8_t { joker, consumable, playing_card };

struct Offer {
    OfferKind kind = OfferKind::joker;
    JokerId joker{};                  // of a joker
    ConsumableId consumable{};        // of a consumable
    Edition edition = Edition::base;  // of a joker or consumable; a playing card carries its own
    Stickers stickers{};
    Card card{};           // of a playing card
    std::uint16_t id = 0;  // creation order; 0 = not numbered yet (a playing card keeps it too)

    static Offer of(JokerId id) { return {.kind = OfferKind::joker, .joker = id}; }
    static Offer of(ConsumableId id) { return {.kind = OfferKind::consumable, .consumable = id}; }
    static Offer of(const Card& c) { return {.kind = OfferKind::playing_card, .card = c}; }
};

}  // namespace jimbo
