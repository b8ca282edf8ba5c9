// What boss blinds do, as hooks: one BlindRule constant each. A disabled blind's hooks are not called.
#pragma once

#include "rules/score.hpp"
#include "rules/zones.hpp"

namespace jimbo {

struct BlindRule {
    BlindId key{};
    void (*started)(Turn&) = nullptr;                            // when the blind is selected, before any joker acts
    void (*jokers_asked)(Turn&) = nullptr;                       // when they have acted, even if one has disabled it
    void (*ended)(Turn&) = nullptr;                              // when the round is over or the ability is disabled
    void (*disabled)(Turn&) = nullptr;                           // gives back what it took from this round
    void (*charges_play)(Turn&) = nullptr;                       // takes money for the played cards, also for a try
    void (*play_pressed)(Turn&) = nullptr;                       // the played cards have left the hand
    bool (*blocks_hand)(Score&) = nullptr;                       // true: the hand scores nothing
    void (*modify_base)(Score&) = nullptr;                       // after the hand's base chips and mult are set
    bool (*flips)(Turn&, const Card&, const Traits&) = nullptr;  // a card drawn to the hand comes face down
    bool (*hides)(const Card&, const Traits&) = nullptr;         // all that it flips, so that a player knows them by it
    void (*hand_drawn)(Turn&, Draw) = nullptr;                   // after each draw to the hand but a single card's
    bool (*debuffs)(const RunState&, const Card&, const Traits&) = nullptr;
    void (*joker_sold)(Turn&) = nullptr;
};

const BlindRule& rule_of(BlindId key);
// The blind's rule while it acts: an empty one when there is no blind or its ability is disabled.
const BlindRule& acting_blind(const RunState& run);

bool blocks_hand(Score& score);
void modify_base(Score& score);

// Which blind stands in a slot of this ante.
BlindId blind_in(const RunState& run, BlindSlot slot);
inline BlindId blind_on_deck(const RunState& run) { return blind_in(run, run.on_deck); }

// What a blind of score X1 asks for: the stake's base chips of an ante, times the deck's multiplier.
double base_score(DeckId deck, StakeId stake, int ante);
// What this blind asks for in the present ante.
double target_score(const RunState& run, BlindId blind);
// Dollars for beating it.
int blind_reward(const RunState& run, BlindId blind);

}  // namespace jimbo
