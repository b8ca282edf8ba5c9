// How a run would fare in its next blinds as it stands: what it can score in each, and its money.
#pragma once

#include <array>
#include <cstdint>

#include "state/run_state.hpp"

namespace jimbo {

inline constexpr int max_forecast_rounds = 6;

struct RoundForecast {
    double target = 0.0;
    double log_score = 0.0;  // mean of the natural logarithm of all that its hands score together
    double spread = 0.0;     // standard deviation of it between worlds
    double dollars = 0.0;    // after the cash-out, nothing bought
    int worlds = 0;
};

struct Forecast {
    std::array<RoundForecast, max_forecast_rounds> rounds{};
    int count = 0;
};

struct ForecastOptions {
    int rounds = 3;
    int worlds = 16;
    int first_world = 0;  // go on where another forecast of the same nonce stopped
    std::uint64_t nonce = 0;
    bool clairvoyant = false;  // plays in the run itself: cheating, to measure its worth
};

// Plays the next blinds in each world, all hands of each whatever the target, and wins them by decree: what grows
// with play grows on. Shops are left at once, packs skipped.
Forecast forecast(const RunState& run, const ForecastOptions& options);

}  // namespace jimbo
