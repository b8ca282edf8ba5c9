// The rules of all jokers, and which of them a Blueprint or Brainstorm acts as.
#include <array>

#include "rules/jokers/blind_jokers.hpp"
#include "rules/jokers/card_jokers.hpp"
#include "rules/jokers/constant_jokers.hpp"
#include "rules/jokers/creating_jokers.hpp"
#include "rules/jokers/fading_jokers.hpp"
#include "rules/jokers/growing_jokers.hpp"
#include "rules/jokers/hand_jokers.hpp"
#include "rules/jokers/held_jokers.hpp"
#include "rules/jokers/legendary_jokers.hpp"
#include "rules/jokers/money_jokers.hpp"
#include "rules/jokers/passive_jokers.hpp"
#include "rules/jokers/retrigger_jokers.hpp"
#include "rules/jokers/suit_jokers.hpp"
#include "rules/jokers/tally_jokers.hpp"

namespace jimbo {

namespace {

// In catalogue order.
// clang-format off
constexpr std::array<const JokerRule*, joker_count> rules{
    &jokers::joker, &jokers::greedy_joker, &jokers::lusty_joker, &jokers::wrathful_joker, &jokers::gluttenous_joker,
    &jokers::jolly, &jokers::zany, &jokers::mad, &jokers::crazy, &jokers::droll, &jokers::sly, &jokers::wily,
    &jokers::clever, &jokers::devious, &jokers::crafty, &jokers::half, &jokers::stencil, &jokers::four_fingers,
    &jokers::mime, &jokers::credit_card, &jokers::ceremonial, &jokers::banner, &jokers::mystic_summit,
    &jokers::marble, &jokers::loyalty_card, &jokers::eight_ball, &jokers::misprint, &jokers::dusk,
    &jokers::raised_fist, &jokers::chaos, &jokers::fibonacci, &jokers::steel_joker, &jokers::scary_face,
    &jokers::abstract, &jokers::delayed_grat, &jokers::hack, &jokers::pareidolia, &jokers::gros_michel,
    &jokers::even_steven, &jokers::odd_todd, &jokers::scholar, &jokers::business, &jokers::supernova,
    &jokers::ride_the_bus, &jokers::space, &jokers::egg, &jokers::burglar, &jokers::blackboard, &jokers::runner,
    &jokers::ice_cream, &jokers::dna, &jokers::splash, &jokers::blue_joker, &jokers::sixth_sense,
    &jokers::constellation, &jokers::hiker, &jokers::faceless, &jokers::green_joker, &jokers::superposition,
    &jokers::todo_list, &jokers::cavendish, &jokers::card_sharp, &jokers::red_card, &jokers::madness,
    &jokers::square, &jokers::seance, &jokers::riff_raff, &jokers::vampire, &jokers::shortcut, &jokers::hologram,
    &jokers::vagabond, &jokers::baron, &jokers::cloud_9, &jokers::rocket, &jokers::obelisk, &jokers::midas_mask,
    &jokers::luchador, &jokers::photograph, &jokers::gift, &jokers::turtle_bean, &jokers::erosion,
    &jokers::reserved_parking, &jokers::mail, &jokers::to_the_moon, &jokers::hallucination, &jokers::fortune_teller,
    &jokers::juggler, &jokers::drunkard, &jokers::stone, &jokers::golden, &jokers::lucky_cat, &jokers::baseball,
    &jokers::bull, &jokers::diet_cola, &jokers::trading, &jokers::flash, &jokers::popcorn, &jokers::trousers,
    &jokers::ancient, &jokers::ramen, &jokers::walkie_talkie, &jokers::selzer, &jokers::castle, &jokers::smiley,
    &jokers::campfire, &jokers::ticket, &jokers::mr_bones, &jokers::acrobat, &jokers::sock_and_buskin,
    &jokers::swashbuckler, &jokers::troubadour, &jokers::certificate, &jokers::smeared, &jokers::throwback,
    &jokers::hanging_chad, &jokers::rough_gem, &jokers::bloodstone, &jokers::arrowhead, &jokers::onyx_agate,
    &jokers::glass, &jokers::ring_master, &jokers::flower_pot, &jokers::blueprint, &jokers::wee, &jokers::merry_andy,
    &jokers::oops, &jokers::idol, &jokers::seeing_double, &jokers::matador, &jokers::hit_the_road, &jokers::duo,
    &jokers::trio, &jokers::family, &jokers::order, &jokers::tribe, &jokers::stuntman, &jokers::invisible,
    &jokers::brainstorm, &jokers::satellite, &jokers::shoot_the_moon, &jokers::drivers_license, &jokers::cartomancer,
    &jokers::astronomer, &jokers::burnt, &jokers::bootstraps, &jokers::caino, &jokers::triboulet, &jokers::yorick,
    &jokers::chicot, &jokers::perkeo,
};
// clang-format on

constexpr bool every_rule_stands_at_its_key() {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (static_cast<std::size_t>(rules[i]->key) != i) return false;
    }
    return true;
}
static_assert(every_rule_stands_at_its_key(), "a joker is missing, stands twice or stands in the wrong place");

// A joker that gives its own number says what it is.
constexpr bool every_rule_says_what_its_numbers_mean() {
    for (const JokerRule* rule : rules) {
        const bool chips = rule->hand_scored == jokers::count_as_chips;
        const bool mult = rule->hand_scored == jokers::count_as_mult;
        if (chips != (rule->count_means == ShownKind::chips)) return false;
        if (mult != (rule->count_means == ShownKind::mult)) return false;
        if ((rule->hand_scored == jokers::own_x_mult) != rule->grows_x_mult) return false;
        if (rule->start_count != 0 && rule->count_means == ShownKind::nothing) return false;
    }
    return true;
}
static_assert(every_rule_says_what_its_numbers_mean());

// The slot that a copying joker at `slot` looks at, or -1.
int looked_at(const RunState& run, int slot) {
    if (run.jokers[slot].key == JokerId::brainstorm) return 0;
    return slot + 1 < run.jokers.size() ? slot + 1 : -1;
}

constexpr bool copies(JokerId key) { return key == JokerId::blueprint || key == JokerId::brainstorm; }

bool works(const Joker& joker) { return !joker.debuffed && !joker.leaving; }

}  // namespace

int acting_slot(const RunState& run, int slot) {
    int at = slot;
    for (int link = 0; copies(run.jokers[at].key); ++link) {
        at = looked_at(run, at);
        if (link == run.jokers.size() || at < 0 || !works(run.jokers[at])) return slot;
    }
    return at == slot || fact(run.jokers[at].key).copyable ? at : slot;
}

const JokerRule& rule_of(JokerId key) { return *rules[static_cast<std::size_t>(key)]; }

JokerCalls resolve_jokers(RunState& run) {
    JokerCalls calls;
    for (int slot = 0; slot < run.jokers.size(); ++slot) {
        if (!works(run.jokers[slot])) continue;
        const int acting = acting_slot(run, slot);
        Joker& self = run.jokers[acting];
        calls.push_back({.slot = slot, .self = &self, .rule = &rule_of(self.key), .copied = acting != slot});
    }
    return calls;
}

}  // namespace jimbo
