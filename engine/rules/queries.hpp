// Questions about cards and jokers that many rules ask. Pareidolia, Smeared Joker, Oops! All 6s and debuffs act here,
// and so everywhere at once.
#pragma once

#include "state/run_state.hpp"

namespace jimbo {

// Working jokers that change how cards are read; looked up once per step.
struct Traits {
    bool pareidolia = false;
    bool smeared = false;
    bool four_fingers = false;
    bool shortcut = false;
    bool splash = false;
};

Traits traits_of(const RunState& run);

// Jokers of this key that are not debuffed. Copies by Blueprint do not count.
int count_working(const RunState& run, JokerId key);
inline bool has_working(const RunState& run, JokerId key) { return count_working(run, key) > 0; }

// "1 in N" chances have this numerator: doubled by each working Oops! All 6s.
double odds_numerator(const RunState& run);

constexpr bool is_stone(const Card& card) { return card.enhancement == Enhancement::stone; }
// Its enhancement, or none while it is debuffed.
constexpr Enhancement working_enhancement(const Card& card) {
    return card.debuffed ? Enhancement::none : card.enhancement;
}
// A stone card keeps a hidden rank and suit but shows none.
constexpr bool has_rank(const Card& card) { return !is_stone(card); }
constexpr bool has_rank(const Card& card, Rank rank) { return !is_stone(card) && card.rank == rank; }

constexpr bool is_face_rank(Rank rank) { return rank == Rank::jack || rank == Rank::queen || rank == Rank::king; }
// A debuffed card is not a face card unless the blind asks (`even_debuffed`).
bool is_face(const Card& card, const Traits& traits, bool even_debuffed = false);
// As an effect sees the card's suit: Wild is every suit, a debuffed or stone card none.
bool is_suit(const Card& card, Suit suit, const Traits& traits, bool even_debuffed = false);
// The suits as a flush sees them, as bits: a debuffed card keeps its suit, a debuffed Wild only its printed one.
std::uint32_t flush_suits(const Card& card, const Traits& traits);
inline bool is_suit_for_flush(const Card& card, Suit suit, const Traits& traits) {
    return ((flush_suits(card, traits) >> static_cast<int>(suit)) & 1) != 0;
}

// Chips a card adds when it scores, without edition.
int card_chips(const Card& card);

// Poker order: rank first, then suit (spades, hearts, clubs, diamonds), then the suit it was created with, then
// creation; higher is better.
int nominal_order(const RunState& run, CardIndex card);

// Free places. Negative cards bring their own place.
int consumable_room(const RunState& run);
int joker_room(const RunState& run);

}  // namespace jimbo
