// Working hypotheses: points of the game that no recording settles yet. Each is decided here and nowhere else.
#pragma once

#include <array>

#include "catalog/hands.hpp"

namespace jimbo::open_point {

// The hands among which Orbital Tag and To Do List choose stand in a hash table, whose order differs from one start
// of the game to the next. Assumed: best hand first, secret hands left out until they have been played.
inline constexpr std::array<HandType, hand_type_count> hand_order{
    HandType::flush_five,      HandType::flush_house, HandType::five_of_a_kind, HandType::straight_flush,
    HandType::four_of_a_kind,  HandType::full_house,  HandType::flush,          HandType::straight,
    HandType::three_of_a_kind, HandType::two_pair,    HandType::pair,           HandType::high_card,
};

// A Spectral card of a pack is polled for Black Hole even after The Soul has come up; Black Hole then wins.
inline constexpr bool black_hole_poll_after_soul = true;

// With Illusion every shop slot polls for an enhanced playing card first, whatever the slot becomes.
inline constexpr bool illusion_polls_every_slot = true;

// Hone and Glow Up raise the chance of editions on the cards of Standard packs too.
inline constexpr bool hone_raises_standard_editions = true;

// With Pareidolia a Stone card is a face card like every other.
inline constexpr bool pareidolia_includes_stone = true;

// Amber Acorn shuffles the jokers this many times in a row when its blind begins.
inline constexpr int amber_acorn_shuffles = 3;

// A consumable that creates jokers or consumables (The Fool, Judgement...) puts the hand back into its sorted order.
inline constexpr bool creating_items_sorts_hand = true;

}  // namespace jimbo::open_point
