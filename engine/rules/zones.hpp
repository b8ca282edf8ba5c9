// Cards on the move: deck, hand, discard pile.
#pragma once

#include <span>

#include "rules/turn.hpp"

namespace jimbo {

// Cards the hand can hold now.
int hand_limit(const RunState& run);

// Draws from the end of the deck pile into the hand, face down where the blind says so, and sorts the hand.
void draw_cards(Turn& turn, int count);
// Why the hand is being filled.
enum class Draw : std::uint8_t { first, after_play, other };
// Fills the hand as the rules of the blind ask, then lets the blind react.
void draw_for_round(Turn& turn, Draw why);
// Hand size is live: in a round a rise draws that many cards at once, a fall discards nothing.
void change_hand_size(Turn& turn, int by);
// Rank descending, equal ranks by suit.
// ... or by suit first, whichever the player chose last.
void sort_hand(RunState& run);

// Moves hand positions, given as bits, to run.played.
void take_played(RunState& run, std::uint64_t positions);
// The same when the hand is still to be set to `hand`.
void split_hand(RunState& run, std::span<const CardIndex> hand, std::uint64_t positions);

// Sends cards of the hand to the discard pile, with everything that listens.
void discard_cards(Turn& turn, std::span<const CardIndex> cards, bool by_hook);

// The deck pile in creation order, then shuffled.
void shuffle_deck(RunState& run, StreamKey key);
// At the end of a round: discard pile, played cards, held cards, undrawn pile, all face up again.
void gather_deck(RunState& run);
// After a pack: the dealt hand goes under the deck.
void put_back_hand(RunState& run);

}  // namespace jimbo
