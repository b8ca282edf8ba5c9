// What tarots, planets and spectrals do. One ConsumableRule constant each, in a table checked at compile time.
#pragma once

#include "rules/effects.hpp"

namespace jimbo {

// A consumable being used. `targets` are places in run.cards of the selected hand cards, left to right.
struct Use {
    ConsumableId key{};
    FixedVector<CardIndex, max_hand> targets{};
    int own_slots = 0;  // that it still brings while it acts: one of a Negative card
};

// Whether what comes of it is drawn from a stream when it is used.
enum class Chance : std::uint8_t { undeclared, none, drawn };

struct ConsumableRule {
    ConsumableId key{};
    Chance chance = Chance::undeclared;
    // Beyond the number of targets (checked by can_use): nothing here means always.
    bool (*usable)(const RunState&) = nullptr;
    // The cards it may be used on: nothing here means all.
    bool (*takes)(const Card&) = nullptr;
    void (*use)(Turn&, const Use&) = nullptr;
};

const ConsumableRule& rule_of(ConsumableId key);

// Whether it could be used now on this number of selected hand cards. `from_pack`: it lies in an open pack (needs no
// slot and does not occupy one); otherwise it is owned and its slot is free while it acts.
bool can_use(const RunState& run, ConsumableId key, int targets, bool from_pack);

// Applies it and everything that listens (Fortune Teller, Constellation, The Fool's memory). The card itself has
// already left its slot.
void use_consumable(Turn& turn, const Use& use);

}  // namespace jimbo
