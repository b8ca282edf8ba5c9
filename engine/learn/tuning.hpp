// Which candidates a full list keeps is a matter of habit, not of rules: these are the weights of a sensible player,
// set by hand. They rank candidates and are told to nobody; another choice would list other actions, all allowed.
#pragma once

#include <array>
#include <cstddef>

namespace jimbo::tuning {

// --- How much is looked at -----------------------------------------------------------------------------------------

inline constexpr int considered_cards = 12;           // of a large hand
inline constexpr std::size_t max_scored_plays = 256;  // exactly; more are first ranked by hand, level and cards alone
inline constexpr int leading_plays = 1;               // for each poker hand and number of cards: before all others
inline constexpr int leading_discards = 3;            // for each number of cards

// Shares of the list for each kind, once all actions that choose no cards are in it.
inline constexpr double use_share = 0.1;
inline constexpr double discard_share = 0.33;
inline constexpr double play_share = 0.5;
inline constexpr double sale_share = 0.05;
inline constexpr double move_share = 0.02;

// --- Cards that belong together ------------------------------------------------------------------------------------

// A card's company: others of its rank count more than others of its suit.
inline constexpr int company_of_rank = 3;
inline constexpr int company_of_suit = 1;

// --- What a discard leaves -----------------------------------------------------------------------------------------

// By the number of cards that stay, five or more counting as five: of one rank, of one suit, of neighbouring ranks.
inline constexpr std::array<double, 6> kept_of_rank{0, 0, 2, 4, 7, 10};
inline constexpr std::array<double, 6> kept_of_suit{0, 0, 0, 1, 3, 5};
inline constexpr std::array<double, 6> kept_in_a_row{0, 0, 0, 0.5, 2.5, 4.5};
inline constexpr double further_pair = 1.5;
inline constexpr double new_card = 0.2;  // for each card discarded
inline constexpr double kept_chip = 0.002;

// --- What a consumable is used on ----------------------------------------------------------------------------------

// The worth of a card, besides its chips and its company.
inline constexpr double hidden_card = 5.0;  // instead of everything else: as good as any
inline constexpr double enhanced_card = 20.0;
inline constexpr double edition_card = 20.0;
inline constexpr double sealed_card = 15.0;

// The value of one target, to which the worth of the card is added ...
inline constexpr double bettered_card = 10.0;
// ... or from which it is taken, when the card is destroyed.
inline constexpr double destroyed_card = 40.0;
inline constexpr double unchanged_card = -1.0;  // it has that suit already
inline constexpr double replaced_card = 1.0;    // it would lose the enhancement it has

}  // namespace jimbo::tuning
