// One step in progress: the run it changes and the log of what happens.
#pragma once

#include <cstdint>
#include <vector>

#include "state/run_state.hpp"

namespace jimbo {

enum class Actor : std::uint8_t { none, card, held_card, joker, consumable, blind, deck, tag, voucher };

// clang-format off
enum class EventKind : std::uint8_t {
    // Scoring: amount is what was added or multiplied.
    hand, chips, mult, x_mult, level, balanced, blocked, score,
    // Elsewhere.
    dollars, blind_selected, blind_skipped, blind_disabled, round_won, saved, lost, won,
    card_added, card_destroyed, card_changed, joker_added, joker_destroyed, consumable_added, consumable_used,
    tag_gained, tag_used, voucher_redeemed, drawn, discarded, no_effect,
};
// clang-format on

struct Event {
    EventKind kind{};
    Actor actor = Actor::none;
    std::uint8_t index = 0;  // which card (place in RunState::cards), joker slot or tag
    std::uint8_t key = 0;    // enumerator of what it is about (HandType, JokerId, ConsumableId...)
    double amount = 0.0;
    double chips = 0.0;  // during scoring: the totals after this event
    double mult = 0.0;
};

using EventLog = std::vector<Event>;

struct Turn;

// The jokers being asked in turn about one event. What they create comes into being once all have been asked; what
// they destroy is marked at once and goes after that.
struct Pass {
    ScratchVector<void (*)(Turn&), 2 * max_jokers> queue;  // a joker creates two things at most
    int jokers_coming = 0;
    int consumables_coming = 0;
    int slots_cleared = 0;  // of jokers, by Ceremonial Dagger
};

struct Turn {
    RunState& run;
    EventLog* log = nullptr;  // nothing is written without one
    Pass* pass = nullptr;     // while jokers are being asked

    void note(const Event& event) const {
        if (log != nullptr) [[unlikely]]
            log->push_back(event);
    }
};

}  // namespace jimbo
