#include "macro/hands.hpp"

#include <algorithm>
#include <cmath>

#include "play/step.hpp"
#include "solve/quick.hpp"

namespace jimbo {
namespace {

constexpr double hopeless = 1e-12;  // what cannot be told from nothing

// Of the run by the bosses from `first` on; those that it has passed by then are beaten.
double worth_from(int first, const ValueNet& net, const RunState& run, int rollouts) {
    ValueInputs inputs;
    write_inputs(run, {}, rollouts, inputs);
    auto chances = net.chances({inputs.data(), static_cast<std::size_t>(inputs.size())});
    std::fill_n(chances.begin(), run.won ? value_blinds : next_blind(run), 1.0);
    return std::exp(worth(chances, first));
}

}  // namespace

std::vector<SolvedAction> solve_by_value(const ValueNet& net, const RunState& seen, SolveOptions options) {
    if (options.rollouts < many_rollouts || seen.won) return solve_blind(seen, options);
    const int first = next_blind(seen);
    const double now = std::max(hopeless, worth_from(first, net, seen, options.rollouts));
    options.after = [&net, first, now, rollouts = options.rollouts](const RunState& cleared) {
        RunState run = cleared;
        step(run, {ActionKind::cash_out});
        step(run, {ActionKind::leave_shop});  // what is on offer there is luck, and the same for every action
        return worth_from(first, net, run, rollouts) / now;
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
