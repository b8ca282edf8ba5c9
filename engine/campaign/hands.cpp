#include "campaign/hands.hpp"

#include "play/determinize.hpp"
#include "play/legal.hpp"
#include "solve/quick.hpp"
#include "solve/solver.hpp"

namespace jimbo {
namespace {

constexpr int real_rollouts = 200;
constexpr int imagined_rollouts = 24;

}  // namespace

Action HandPlayer::action(const RunState& run, SplitMix& random) {
    const std::uint64_t nonce = random.next();
    const RunState world = determinize(run, nonce);
    const auto solved = solve_blind(world, {.rollouts = imagined_ ? imagined_rollouts : real_rollouts, .nonce = nonce});
    // A sale that ends the boss's ability is the network's to choose.
    for (const SolvedAction& found : solved) {
        if (found.action.kind == ActionKind::play || found.action.kind == ActionKind::discard) return found.action;
    }
    return quick(world, random);
}

Action HandPlayer::quick(const RunState& world, SplitMix& random) {
    if (!basis_ || round_ != world.round) {
        basis_ = blind_basis(world, random);
        round_ = world.round;
    }
    return quick_action(world, *basis_, random);
}

}  // namespace jimbo
