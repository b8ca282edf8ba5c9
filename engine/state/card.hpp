// One playing card.
#pragma once

#include <cstdint>

#include "catalog/cards.hpp"

namespace jimbo {

struct Card {
    std::uint16_t id = 0;     // creation order: shuffles and random choices sort by it
    std::uint16_t bonus = 0;  // chips gained for good (Hiker)
    Rank rank : 4 = Rank::two;
    Suit suit : 2 = Suit::spades;
    Enhancement enhancement : 4 = Enhancement::none;
    Edition edition : 3 = Edition::base;
    Seal seal : 3 = Seal::none;
    bool debuffed : 1 = false;
    bool face_down : 1 = false;
    bool forced : 1 = false;               // Cerulean Bell keeps it selected
    bool played_this_ante : 1 = false;     // The Pillar debuffs it
    bool worn : 1 = false;                 // debuffed for good: it has scored in Double or Nothing
    Suit created_suit : 2 = Suit::spades;  // decides the order of equal cards in the hand, whatever the suit is now

    constexpr Front front() const { return {rank, suit}; }
    // For a new card: the suit of one that exists is changed alone.
    constexpr void set_front(Front f) {
        rank = f.rank;
        suit = created_suit = f.suit;
    }
    // A new enhancement makes the card forget what playing it has left on it.
    constexpr void enhance(Enhancement e) {
        enhancement = e;
        played_this_ante = worn = false;
    }
};
static_assert(sizeof(Card) == 8);

}  // namespace jimbo
