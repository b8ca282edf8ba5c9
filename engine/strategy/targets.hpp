// Which cards of the hand a consumable could be used on: a few choices worth comparing.
#pragma once

#include "play/legal.hpp"

namespace jimbo {

inline constexpr int max_target_choices = 8;
using TargetChoices = ScratchVector<std::uint64_t, max_target_choices>;

// Hand positions as bits; one empty choice for a consumable that takes no cards, none where it can take nothing.
TargetChoices target_choices(const RunState& run, ConsumableId key);

}  // namespace jimbo
