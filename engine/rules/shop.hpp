// The shop, vouchers, packs and the choice of blinds between rounds.
#pragma once

#include "rules/turn.hpp"

namespace jimbo {

// Boss, tags and voucher of the present ante.
void prepare_ante(Turn& turn);
// Whether the player may have another boss, for `boss_reroll_price`.
bool may_reroll_boss(const RunState& run);
void reroll_boss(Turn& turn);

void open_shop(Turn& turn);
void close_shop(Turn& turn);
// Puts cards into the empty slots.
void fill_shop(Turn& turn);
void reroll_shop(Turn& turn);

void redeem(Turn& turn, VoucherId voucher);

// Opens a pack whose price has been paid, from the present phase.
void open_pack(Turn& turn, BoosterId booster);
// Back to where the pack was opened, or into the next pack that a tag opens.
void close_pack(Turn& turn);

}  // namespace jimbo
