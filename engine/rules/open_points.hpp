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
inline constexpr bool creating_items_sorts_hand = false;

// The cards that Cryptid, Grim, Familiar and Incantation make stand at the right end of the hand until the next draw.
inline constexpr bool new_cards_stay_at_the_right = true;

// A card that Death, Cryptid or DNA makes into a copy counts as created in the suit that it then has.
inline constexpr bool copies_are_created_in_their_suit = true;

// The Ox takes the money before the hand scores, so that Vagabond sees an empty purse.
inline constexpr bool ox_empties_purse_at_once = true;

// A Negative consumable keeps its slot while it acts: The Fool finds room among full slots.
inline constexpr bool negative_keeps_slot_while_acting = true;

// Matador pays when The Hook discards or The Tooth takes money.
inline constexpr bool matador_pays_at_hook_and_tooth = false;

// The cards of a pack are made before Hallucination's tarot, which therefore is none of them.
inline constexpr bool hallucination_excludes_pack = true;

// A joker that Madness destroys keeps its slot until every joker has been asked, so Riff-raff does not fill it; one
// that Ceremonial Dagger destroys leaves a slot at once, even if it was Negative.
inline constexpr bool slots_free_up_after_the_pass = true;

// Typecast makes eternal only what may carry the sticker.
inline constexpr bool typecast_spares_incompatible_jokers = true;

// Without joker slots a Negative joker cannot be bought or taken either.
inline constexpr bool negative_joker_needs_slots = true;

// Rich get Richer caps Chips at the money held before the hand scores, when The Tooth and The Ox have taken theirs.
inline constexpr bool chips_cap_is_fixed_before_scoring = true;

// Reroll Surplus and Reroll Glut take $2 off the price that stands, also where a D6 Tag has set it; from the next
// reroll on the tag's own price counts.
inline constexpr bool reroll_vouchers_cut_present_price = true;

// Golden Needle: a discard needs the money that it costs.
inline constexpr bool golden_needle_needs_money = false;

// Inflation: a pack that a tag opens raises prices like a bought one.
inline constexpr bool inflation_counts_packs_of_tags = true;

// Luxury Tax works both ways: every $5 of debt begun add a card to the hand.
inline constexpr bool luxury_tax_rewards_debt = true;

}  // namespace jimbo::open_point
