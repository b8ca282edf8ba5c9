// A round from the choice of the blind to the cash-out.
#pragma once

#include "rules/turn.hpp"

namespace jimbo {

void start_round(Turn& turn);
// What a play does before anything is drawn or scored, also where it is only tried. Its cards are in run.played.
void begin_play(Turn& turn);
// The selected cards have left the hand for run.played; scores them and goes on to the next decision.
void play_hand(Turn& turn);
void discard_hand(Turn& turn, std::span<const CardIndex> cards);
// After any action: a round is won if the target has come down to the score (a boss lost its ability), and an empty
// hand (a consumable took the last cards) is filled again. If nothing is left to draw or the hand size is 0 (which even
// Mr. Bones does not save), the round cannot go on.
void settle_round(Turn& turn);
void skip_blind(Turn& turn);
void cash_out(Turn& turn);
// Cashes out and leaves the shop without a look at it, for those who try out what follows a round: the run is as it
// would be, but for the order of the deck, what was on display there and the streams that chose it. Tags may act in a
// shop, so with one it is opened all the same.
void pass_shop(Turn& turn);

}  // namespace jimbo
