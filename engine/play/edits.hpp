// Edits for tests, fixtures and the protocol server: changes to a run that no rule makes. They keep the run consistent
// (passives, debuffs) and draw no random numbers, but for the shop that is stocked anew.
#pragma once

#include "rules/effects.hpp"

namespace jimbo::edits {

// A perishable one lasts for `rounds`.
void add_joker(RunState& run, JokerId key, Edition edition, Stickers stickers, int rounds = Joker{}.perish_left);
void add_consumable(RunState& run, ConsumableId key, Edition edition);
void redeem(RunState& run, VoucherId key);
void add_card(RunState& run, const Card& card, CardTo to);
void set_boss(RunState& run, BlindId boss);
void raise_level(RunState& run, HandType hand, int levels);
void set_ante(RunState& run, int ante);
void set_round(RunState& run, int round);
// Of a shop that is open. What is shown needs room for it.
void restock_shop(RunState& run);
void show_voucher(RunState& run, VoucherId key);
void show_booster(RunState& run, BoosterId key);

}  // namespace jimbo::edits
