#include "macro/hands.hpp"

#include <cmath>

#include "play/step.hpp"
#include "solve/quick.hpp"

namespace jimbo {
namespace {

constexpr int many_rollouts = 100;  // from here on; a few would take half as long again, and gain little

double worth_of(const ValueNet& net, const RunState& run, int rollouts) {
    ValueInputs inputs;
    write_inputs(run, {}, rollouts, inputs);
    const auto chances = net.chances({inputs.data(), static_cast<std::size_t>(inputs.size())});
    return std::exp(worth(chances, next_blind(run)));
}

}  // namespace

std::vector<SolvedAction> solve_by_value(const ValueNet& net, const RunState& seen, SolveOptions options) {
    if (options.rollouts < many_rollouts) return solve_blind(seen, options);
    const double now = worth_of(net, seen, options.rollouts);
    options.after = [&net, now, rollouts = options.rollouts](const RunState& cleared) {
        if (cleared.won) return 1 / now;
        RunState run = cleared;
        step(run, {ActionKind::cash_out});
        step(run, {ActionKind::leave_shop});  // what is on offer there is luck, and the same for every action
        return worth_of(net, run, rollouts) / now;
    };
    return solve_blind(seen, options);
}

Action blind_action(const ValueNet& net, const RunState& seen, int rollouts, std::uint64_t nonce) {
    if (rollouts > 1) return solve_by_value(net, seen, {.rollouts = rollouts, .nonce = nonce}).front().action;
    SplitMix random(nonce);
    const BlindBasis basis = blind_basis(seen, random);
    return quick_action(seen, basis, random);
}

}  // namespace jimbo
