// Edits for tests, fixtures and the protocol server: changes to a run that no rule makes. They keep the run consistent
// (passives, debuffs) but draw no random numbers.
#pragma once

#include "rules/effects.hpp"

namespace jimbo::edits {

void add_joker(RunState& run, JokerId key, Edition edition, Stickers stickers);
void add_consumable(RunState& run, ConsumableId key, Edition edition);
void redeem(RunState& run, VoucherId key);
void add_card(RunState& run, const Card& card, CardTo to);
void set_boss(RunState& run, BlindId boss);
void raise_level(RunState& run, HandType hand, int levels);
void set_ante(RunState& run, int ante);

}  // namespace jimbo::edits
