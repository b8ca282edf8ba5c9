// The allowed actions in groups: one entry stands for all choices of hand cards of one action. Counting and drawing
// whole actions then needs no list of hundreds of plays.
#pragma once

#include "base/fixed_vector.hpp"
#include "play/action.hpp"
#include "state/run_state.hpp"

namespace jimbo {

struct ActionGroup {
    ActionKind kind{};
    std::uint8_t index = 0;
    std::uint8_t min_cards = 0;  // how many hand cards are selected
    std::uint8_t max_cards = 0;
    std::uint64_t choice = 0;  // out of these positions
    std::uint64_t forced = 0;  // and these always
    std::uint64_t count = 1;   // actions in the group
};

inline constexpr int max_groups =
    5 + 2 + 2 * max_shop_cards + max_shop_vouchers + max_shop_boosters + 2 * max_consumables + max_jokers + 5;
using ActionGroups = ScratchVector<ActionGroup, max_groups>;

// All allowed actions but moves and sorts; selling only where asked for.
ActionGroups action_groups(const RunState& run, bool with_sales);

// The n-th action of a group, 0 <= n < count: fewer cards first, then by position.
Action action_of(const ActionGroup& group, std::uint64_t n);

}  // namespace jimbo
