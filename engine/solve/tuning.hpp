// Every number by which the fast player, the blind solver and the orders of jokers and cards choose. All were chosen by
// hand and none was fitted to games; docs/expert.md tells where the expert's other constants come from.
#pragma once

namespace jimbo::tuning {

// --- How dear a card is (shape), about in chips ----------------------------------------------------------------------
// As a card that scores, beside the chips it has:
inline constexpr int mult_card = 40;
inline constexpr int lucky_card = 45;
inline constexpr int glass_card = 120;
inline constexpr int steel_card = -60;  // better held
inline constexpr int foil_card = 50;
inline constexpr int holo_card = 80;
inline constexpr int polychrome_card = 100;
inline constexpr int red_seal_factor = 2;  // of all the above
inline constexpr int gold_seal = 30;
// As a card that stays in the hand, beside its rank:
inline constexpr int held_steel = 200;
inline constexpr int held_gold = 60;
inline constexpr int held_blue_seal = 60;
inline constexpr int held_share = 8;  // what it is worth as a card that scores, divided by this

// --- Which plays and discards are thought of (lines) -----------------------------------------------------------------
inline constexpr int max_pairs_joined = 4;   // the highest pairs, of which every two are tried together
inline constexpr int min_suited = 2;         // cards of a suit worth drawing to a flush
inline constexpr int min_straight_draw = 3;  // cards of a row worth drawing to a straight
inline constexpr int dearest_kept = 3;       // cards kept when everything else goes

// --- What hands and discards promise (outlook) -----------------------------------------------------------------------
inline constexpr int flush_examples = 2;       // scored to value a flush of one suit
inline constexpr int hand_examples = 3;        // the same for two pair, full house, straight and straight flush
inline constexpr int example_held = 3;         // cards held beside the five of an example
inline constexpr int example_tries = 8;        // draws of a card that is not there yet
inline constexpr int draw_samples = 16;        // draws tried for a discard ...
inline constexpr int solver_draw_samples = 4;  // the same where the solver plays a world out
inline constexpr int max_drawn = 8;            // ... and the cards of each, at most

// --- The fast player (quick) and the solver --------------------------------------------------------------------------
inline constexpr double discard_margin = 1.02;  // a discard must promise more than the hand holds already
inline constexpr int solver_plays = 6;          // how many are tried, best first, and how many discards
inline constexpr int solver_discards = 8;
inline constexpr int many_tries_from = 160;  // rollouts; with fewer, so few plays and discards are tried:
inline constexpr int few_plays = 4;
inline constexpr int few_discards = 4;
inline constexpr int min_worlds = 2;            // in which each is tried, whatever the time
inline constexpr int race_worlds = 8;           // after so many what falls behind the best is given up ...
inline constexpr double race_errors = 2.5;      // ... where the difference is so many standard errors
inline constexpr double progress_worth = 0.05;  // of a lost blind that came close; a cleared one: about 1

// --- Orders of jokers and played cards -------------------------------------------------------------------------------
inline constexpr int order_hands = 6;   // sampled hands by which orders of jokers are compared
inline constexpr int max_permuted = 5;  // jokers of which all 120 orders are tried; more are moved one at a time
inline constexpr double joker_order_margin = 1.001;  // an order must score more than the best one so far by this factor
inline constexpr double hand_order_margin = 1.01;    // the same for cards: moving them is a bother

}  // namespace jimbo::tuning
