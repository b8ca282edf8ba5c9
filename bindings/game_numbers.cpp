// The game's own numbers that Python speaks of, so that they are written in the engine alone.
#include <nanobind/nanobind.h>

#include "catalog/blinds.hpp"
#include "catalog/stakes.hpp"
#include "rules/hand_type.hpp"
#include "rules/prices.hpp"

namespace nb = nanobind;

namespace jimbo {

void bind_game_numbers(nb::module_& m) {
    m.attr("LAST_ANTE") = win_ante;
    m.attr("BLINDS_PER_ANTE") = blinds_per_ante;
    m.attr("USUAL_BOSS_SCORE") = usual_boss_score;
    m.attr("MAX_SELECTED") = max_selected;
    m.attr("BOSS_REROLL_PRICE") = boss_reroll_price;
}

}  // namespace jimbo
