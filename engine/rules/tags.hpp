// What tags do and when they are used up.
#pragma once

#include "rules/turn.hpp"

namespace jimbo {

// Takes a tag: Double Tags copy it, and what acts at once acts.
void gain_tag(Turn& turn, HeldTag tag);
inline void gain_tag(Turn& turn, TagId key) { gain_tag(turn, HeldTag{key, {}}); }

// Uses up the first held tag of this key; false if there is none.
bool use_tag(Turn& turn, TagId key);

// On the way to the blind choice the first held tag that opens a pack or rerolls the boss is used; others wait.
void apply_blind_choice_tag(Turn& turn);

// The hands that Orbital Tag and To Do List choose from, in the game's assumed order.
FixedVector<HandType, hand_type_count> visible_hands(const RunState& run);

}  // namespace jimbo
