// Gaining and using tags. What each of them does is in rules/tags.
#pragma once

#include "rules/turn.hpp"

namespace jimbo {

// Takes a tag: Double Tags copy it, and what acts at once acts.
void gain_tag(Turn& turn, const HeldTag& tag);
inline void gain_tag(Turn& turn, TagId key) { gain_tag(turn, HeldTag{key, {}}); }

// On the way to the blind choice the first held tag that opens a pack or rerolls the boss is used; others wait.
void apply_blind_choice_tag(Turn& turn);

}  // namespace jimbo
