// What one step of an episode brought, in terms that a reward can be made of.
#pragma once

#include <array>
#include <string_view>

#include "state/run_state.hpp"

namespace jimbo {

enum class RewardTerm : std::uint8_t { win, loss, ante, blind, boss, score, money, potential };
inline constexpr int reward_term_count = 8;

struct RewardTermFact {
    std::string_view name;
    std::string_view doc;
};
inline constexpr std::array<RewardTermFact, reward_term_count> reward_term_facts{{
    {"win", "1 when the boss of ante 8 is beaten."},
    {"loss", "1 when the run is lost."},
    {"ante", "Antes gained; -1 for one that a voucher takes back."},
    {"blind", "1 when a blind is beaten."},
    {"boss", "1 when a boss blind is beaten."},
    {"score", "Gain of min(1, chips / target) within the round: adds up to 1 for each blind beaten."},
    {"money", "Dollars gained or lost, divided by 10."},
    {"potential",
     "Gain of phi = (blinds beaten + min(1, chips / target) of the blind in play) / 24, which is 0 when the run is "
     "lost "
     "or won: shapes the way without changing which policy is best."},
}};

using RewardTerms = std::array<float, reward_term_count>;

// What the terms compare.
struct Glance {
    Phase phase{};
    EndCode end{};
    bool won = false;
    int ante = 0;
    int dollars = 0;
    double share = 0;  // of the target, in the present or last round
    bool active = false;
    bool boss = false;  // the blind in play, or the next one, is a boss
};

Glance glance_at(const RunState& run);

// Whether the step beat a blind.
inline bool beat_blind(const Glance& before, const Glance& after) {
    return before.phase == Phase::selecting_hand && after.phase == Phase::round_eval;
}

// `blinds`: beaten before the step; `terminated`: the step ended the episode by winning or losing.
RewardTerms reward_terms(const Glance& before, const Glance& after, int blinds, bool terminated);

}  // namespace jimbo
