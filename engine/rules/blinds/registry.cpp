#include <algorithm>
#include <array>
#include <cmath>

#include "rules/blinds/bosses.hpp"
#include "rules/challenge_rules.hpp"

namespace jimbo {
namespace {

// clang-format off
constexpr std::array<const BlindRule*, blind_count> rules{
    &blinds::small, &blinds::big, &blinds::hook, &blinds::ox, &blinds::house, &blinds::wall, &blinds::wheel,
    &blinds::arm, &blinds::club, &blinds::fish, &blinds::psychic, &blinds::goad, &blinds::water, &blinds::window,
    &blinds::manacle, &blinds::eye, &blinds::mouth, &blinds::plant, &blinds::serpent, &blinds::pillar, &blinds::needle,
    &blinds::head, &blinds::tooth, &blinds::flint, &blinds::mark, &blinds::final_acorn, &blinds::final_leaf,
    &blinds::final_vessel, &blinds::final_heart, &blinds::final_bell,
};
// clang-format on

constexpr bool in_order() {
    for (int i = 0; i < blind_count; ++i) {
        if (rules[static_cast<std::size_t>(i)]->key != static_cast<BlindId>(i)) return false;
    }
    return true;
}
static_assert(in_order(), "every blind needs its rule, in the order of the catalogue");

constexpr BlindRule no_rule{};

}  // namespace

const BlindRule& rule_of(BlindId key) { return *rules[static_cast<std::size_t>(key)]; }

const BlindRule& acting_blind(const RunState& run) {
    return run.blind.active && !run.blind.disabled ? rule_of(run.blind.key) : no_rule;
}

bool blocks_hand(Score& score) {
    const BlindRule& blind = *score.basis.blind;
    if (blind.blocks_hand == nullptr) return false;
    score.actor = Actor::blind;
    const bool blocked = blind.blocks_hand(score);
    if (blocked) score.run.blind.triggered = true;
    return blocked;
}

void modify_base(Score& score) {
    const BlindRule& blind = *score.basis.blind;
    if (blind.modify_base == nullptr) return;
    blind.modify_base(score);
    score.turn.note(
        {EventKind::hand, Actor::blind, 0, static_cast<std::uint8_t>(score.hand), 0.0, score.chips, score.mult});
}

BlindId blind_in(const RunState& run, BlindSlot slot) {
    switch (slot) {
        case BlindSlot::small:
            return BlindId::small;
        case BlindSlot::big:
            return BlindId::big;
        case BlindSlot::boss:
            break;
    }
    return run.boss;
}

namespace {

double base_chips_of(StakeId stake, int ante) {
    if (ante < 1) return 100;
    const auto& table = base_chips[fact(stake).base_table];
    if (ante <= win_ante) return table[static_cast<std::size_t>(ante) - 1];
    const double beyond = ante - win_ante;
    const double grown = std::floor(table.back() * std::pow(1.6 + std::pow(0.75 * beyond, 1 + 0.2 * beyond), beyond));
    // Two significant digits, cut downwards.
    const double unit = std::pow(10, std::floor(std::log10(grown)) - 1);
    return grown - std::fmod(grown, unit);
}

}  // namespace

double base_score(DeckId deck, StakeId stake, int ante) { return base_chips_of(stake, ante) * fact(deck).ante_scaling; }

double target_score(const RunState& run, BlindId blind) {
    return base_score(run.deck, run.stake, run.ante) * fact(blind).score;
}

int blind_reward(const RunState& run, BlindId blind) {
    const ChallengeFact& challenge = challenge_of(run);
    const bool small = blind == BlindId::small;
    if (challenge.no_reward || (small && (challenge.no_reward_small || !fact(run.stake).small_blind_pays))) return 0;
    if (blind == BlindId::big && challenge.no_reward_big) return 0;
    return fact(blind).dollars;
}

}  // namespace jimbo
