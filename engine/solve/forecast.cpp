#include "solve/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/splitmix.hpp"
#include "play/determinize.hpp"
#include "play/step.hpp"
#include "solve/quick.hpp"

namespace jimbo {
namespace {

constexpr double beyond_reach = 1e300;

// On to the next blind's hand; false if the run is over.
bool enter_blind(RunState& run) {
    for (int guard = 0; guard < 16 && run.phase != Phase::selecting_hand; ++guard) {
        switch (run.phase) {
            case Phase::blind_select:
                step(run, {ActionKind::select_blind});
                break;
            case Phase::round_eval:
                step(run, {ActionKind::cash_out});
                break;
            case Phase::shop:
                step(run, {ActionKind::leave_shop});
                break;
            case Phase::pack_opening:
                step(run, {ActionKind::skip_pack});
                break;
            default:
                return false;
        }
    }
    return run.phase == Phase::selecting_hand;
}

// All hands are played; the last one wins the blind by decree. Returns what they scored together.
double play_all_hands(RunState& run, const BlindBasis& basis, SplitMix& random) {
    run.blind.target = beyond_reach;
    double chips = run.chips;
    while (run.phase == Phase::selecting_hand) {
        const Action action = quick_action(run, basis, random);
        const bool last = action.kind == ActionKind::play && run.hands_left == 1;
        if (last) run.blind.target = 0.0;
        if (step(run, action) != Refusal::none) break;
        chips = run.chips;
    }
    return chips;
}

struct Sums {
    double log = 0.0;
    double log_squared = 0.0;
    double dollars = 0.0;
    double target = 0.0;
    int worlds = 0;
};

}  // namespace

Forecast forecast(const RunState& run, const ForecastOptions& options) {
    const int rounds = std::clamp(options.rounds, 1, max_forecast_rounds);
    std::array<Sums, max_forecast_rounds> sums{};
    // One basis for each round serves all worlds: they differ in draws, hardly in what hands are worth.
    std::array<std::optional<BlindBasis>, max_forecast_rounds> bases{};
    for (int w = options.first_world; w < options.first_world + options.worlds; ++w) {
        const std::uint64_t world_nonce = SplitMix(options.nonce + static_cast<std::uint64_t>(w)).next();
        RunState world = options.clairvoyant ? run : determinize(run, world_nonce);
        SplitMix random(world_nonce);
        for (int r = 0; r < rounds; ++r) {
            if (!enter_blind(world)) break;
            Sums& sum = sums[static_cast<std::size_t>(r)];
            const double target = std::log(world.blind.target);
            auto& basis = bases[static_cast<std::size_t>(r)];
            if (!basis) basis = blind_basis(world, random);
            const double score = std::log(std::max(1.0, play_all_hands(world, *basis, random)));
            if (world.phase != Phase::round_eval) break;  // this world ends here and counts for no part of the round
            sum.target += target;
            sum.log += score;
            sum.log_squared += score * score;
            sum.dollars += world.dollars + world.payout.total();
            ++sum.worlds;
        }
    }
    Forecast result;
    result.count = rounds;
    for (int r = 0; r < rounds; ++r) {
        const Sums& sum = sums[static_cast<std::size_t>(r)];
        if (sum.worlds == 0) {
            result.count = r;
            break;
        }
        const double n = sum.worlds;
        RoundForecast& round = result.rounds[static_cast<std::size_t>(r)];
        round.target = sum.target / n;
        round.log_score = sum.log / n;
        round.spread = std::sqrt(std::max(0.0, sum.log_squared / n - round.log_score * round.log_score));
        round.dollars = sum.dollars / n;
        round.worlds = sum.worlds;
    }
    return result;
}

}  // namespace jimbo
