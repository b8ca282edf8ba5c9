#include "macro/player.hpp"

#include <algorithm>

#include "solve/quick.hpp"
#include "solve/solver.hpp"

namespace jimbo {

std::span<const ValueInput> Judge::inputs(const JudgedOption& judged) const {
    const ValueInputs& inputs = inputs_[static_cast<std::size_t>(judged.option)];
    return {inputs.data(), static_cast<std::size_t>(inputs.size())};
}

std::span<const JudgedOption> Judge::judge(const RunState& run, const MacroSettings& settings, std::uint64_t nonce) {
    const auto better = [](const JudgedOption& a, const JudgedOption& b) { return a.liked > b.liked; };
    options_.list(run);
    judged_.clear();
    inputs_.resize(std::max(inputs_.size(), static_cast<std::size_t>(options_.size())));
    for (int i = 0; i < options_.size(); ++i) {
        ValueInputs& inputs = inputs_[static_cast<std::size_t>(i)];
        inputs.clear();
        write_inputs(options_[i].after, options_[i].pending, settings.rollouts, inputs);
        look(judged_.emplace_back(JudgedOption{.option = i}));
    }
    std::stable_sort(judged_.begin(), judged_.end(), better);
    const int finalists = options_.size() > 1 ? std::min(settings.finalists, options_.size()) : 0;
    for (int f = 0; f < finalists; ++f) look_ahead(judged_[static_cast<std::size_t>(f)], settings.worlds, nonce);
    std::stable_sort(judged_.begin(), judged_.begin() + finalists, better);
    return judged_;
}

void Judge::look(JudgedOption& judged) const {
    const auto known = inputs(judged);
    const ValueNet::Chances chances = net_.chances(known);
    judged.win = chances.back();
    judged.worth = worth(chances, next_blind(options_[judged.option].after));
    judged.liked = judged.worth;
    if (taste_.empty()) return;
    for (const ValueInput& input : known) judged.liked += double{taste_[input.index]} * input.value;
}

// Again, with what its next blinds would bring.
void Judge::look_ahead(JudgedOption& judged, int worlds, std::uint64_t nonce) {
    const RunState& after = options_[judged.option].after;
    const Forecast ahead = forecast(after, {.rounds = forecast_rounds(after), .worlds = worlds, .nonce = nonce});
    write_forecast(after, ahead, worlds, inputs_[static_cast<std::size_t>(judged.option)]);
    look(judged);
    judged.forecast = true;
}

Action blind_action(const RunState& seen, int rollouts, std::uint64_t nonce) {
    if (rollouts > 1) return solve_blind(seen, {.rollouts = rollouts, .nonce = nonce}).front().action;
    SplitMix random(nonce);
    const BlindBasis basis = blind_basis(seen, random);
    return quick_action(seen, basis, random);
}

}  // namespace jimbo
