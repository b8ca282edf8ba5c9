// The 12 Planets, which are one rule, and Black Hole, a Spectral that is all of them.
#pragma once

#include "rules/consumables.hpp"

namespace jimbo::consumables {

inline void raise_own_hand(Turn& turn, const Use& use) { level_up(turn, *fact(use.key).hand, 1); }

inline constexpr std::array<ConsumableRule, planet_count> planets = [] {
    std::array<ConsumableRule, planet_count> rules{};
    for (int i = 0; i < planet_count; ++i) {
        const auto key = static_cast<ConsumableId>(static_cast<int>(first_planet) + i);
        rules[static_cast<std::size_t>(i)] = {.key = key, .chance = Chance::none, .use = raise_own_hand};
    }
    return rules;
}();

inline constexpr ConsumableRule black_hole{
    .key = ConsumableId::black_hole,
    .chance = Chance::none,
    .use =
        [](Turn& turn, const Use&) {
            for (const HandFact& hand : hand_facts) level_up(turn, hand.id, 1);
        },
};

}  // namespace jimbo::consumables
