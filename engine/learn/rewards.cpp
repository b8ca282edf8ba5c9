#include "learn/rewards.hpp"

#include "learn/observation.hpp"

namespace jimbo {
namespace {

constexpr double blinds_to_win = 24;

double potential(const Glance& at, int blinds) { return (blinds + (at.active ? at.share : 0.0)) / blinds_to_win; }

}  // namespace

Glance glance_at(const RunState& run) {
    return {run.phase,        run.end,
            run.won,          run.ante,
            run.dollars,      share_of_target(run),
            run.blind.active, run.on_deck == BlindSlot::boss};
}

RewardTerms reward_terms(const Glance& before, const Glance& after, int blinds, bool terminated) {
    RewardTerms terms{};
    const auto set = [&](RewardTerm term, double value) {
        terms[static_cast<std::size_t>(term)] = static_cast<float>(value);
    };
    const bool beat = beat_blind(before, after);
    set(RewardTerm::win, after.won && !before.won ? 1 : 0);
    set(RewardTerm::loss, after.end == EndCode::lost ? 1 : 0);
    set(RewardTerm::ante, after.ante - before.ante);
    set(RewardTerm::blind, beat ? 1 : 0);
    set(RewardTerm::boss, beat && before.boss ? 1 : 0);
    set(RewardTerm::score, before.phase == Phase::selecting_hand ? after.share - before.share : 0);
    set(RewardTerm::money, (after.dollars - before.dollars) / 10.0);
    const double phi = terminated ? 0.0 : potential(after, blinds + (beat ? 1 : 0));
    set(RewardTerm::potential, phi - potential(before, blinds));
    return terms;
}

}  // namespace jimbo
