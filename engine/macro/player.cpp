#include "macro/player.hpp"

#include <algorithm>

#include "solve/quick.hpp"
#include "solve/solver.hpp"

namespace jimbo {

double Judge::value(const ValueInputs& inputs, int next) const {
    double log_win = net_.log_win({inputs.data(), static_cast<std::size_t>(inputs.size())}, next);
    if (!taste_.empty()) {
        for (const ValueInput& input : inputs) log_win += double{taste_[input.index]} * input.value;
    }
    return log_win;
}

std::span<const ValueInput> Judge::inputs(const JudgedOption& judged) const {
    const ValueInputs& inputs = inputs_[static_cast<std::size_t>(judged.option)];
    return {inputs.data(), static_cast<std::size_t>(inputs.size())};
}

std::span<const JudgedOption> Judge::judge(const RunState& run, const MacroSettings& settings, std::uint64_t nonce) {
    const auto better = [](const JudgedOption& a, const JudgedOption& b) { return a.log_win > b.log_win; };
    options_.list(run);
    judged_.clear();
    if (inputs_.size() < static_cast<std::size_t>(options_.size())) {
        inputs_.resize(static_cast<std::size_t>(options_.size()));
    }
    for (int i = 0; i < options_.size(); ++i) {
        ValueInputs& inputs = inputs_[static_cast<std::size_t>(i)];
        inputs.clear();
        write_inputs(options_[i].after, options_[i].pending, settings.rollouts, inputs);
        judged_.push_back({i, value(inputs, next_blind(options_[i].after))});
    }
    std::stable_sort(judged_.begin(), judged_.end(), better);
    const int finalists = options_.size() > 1 ? std::min(settings.finalists, options_.size()) : 0;
    for (int f = 0; f < finalists; ++f) {
        JudgedOption& judged = judged_[static_cast<std::size_t>(f)];
        const RunState& after = options_[judged.option].after;
        const Forecast ahead =
            forecast(after, {.rounds = forecast_rounds(after), .worlds = settings.worlds, .nonce = nonce});
        ValueInputs& inputs = inputs_[static_cast<std::size_t>(judged.option)];
        write_forecast(after, ahead, settings.worlds, inputs);
        judged.log_win = value(inputs, next_blind(after));
        judged.forecast = true;
    }
    std::stable_sort(judged_.begin(), judged_.begin() + finalists, better);
    return judged_;
}

Action blind_action(const RunState& seen, int rollouts, std::uint64_t nonce) {
    if (rollouts > 1) return solve_blind(seen, {.rollouts = rollouts, .nonce = nonce}).front().action;
    SplitMix random(nonce);
    const BlindBasis basis = blind_basis(seen, random);
    return quick_action(seen, basis, random);
}

}  // namespace jimbo
