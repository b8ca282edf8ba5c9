#include "macro/player.hpp"

#include <algorithm>
#include <cmath>

#include "play/determinize.hpp"
#include "play/step.hpp"

namespace jimbo {
namespace {

constexpr int answer_finalists = 3;  // options that an outcome may be answered with and that are looked at longer

}  // namespace

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
    const auto finalists = choose_finalists(settings.finalists);
    for (JudgedOption& finalist : finalists) look_longer(finalist, run, settings, nonce);
    std::stable_sort(finalists.begin(), finalists.end(), better);
    return judged_;
}

// The best, and the first in any case: it is to go on without doing anything, which all others are measured by.
std::span<JudgedOption> Judge::choose_finalists(int count) {
    if (count == 0 || judged_.size() < 2) return {};
    const auto best = static_cast<std::ptrdiff_t>(std::min(static_cast<std::size_t>(count), judged_.size()));
    const auto is_first = [](const JudgedOption& judged) { return judged.option == 0; };
    const auto first = std::find_if(judged_.begin() + best, judged_.end(), is_first);
    if (first == judged_.end()) return {judged_.begin(), judged_.begin() + best};
    std::rotate(judged_.begin() + best, first, first + 1);
    return {judged_.begin(), judged_.begin() + best + 1};
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

void Judge::look_longer(JudgedOption& judged, const RunState& run, const MacroSettings& settings, std::uint64_t nonce) {
    const bool hidden = options_[judged.option].pending.kind != Pending::Kind::none;
    if (!hidden || settings.outcomes == 0 || !try_out(judged, run, settings, nonce))
        look_ahead(judged, settings, nonce);
    judged.forecast = true;
}

// Again, with what its next blinds would bring.
void Judge::look_ahead(JudgedOption& judged, const MacroSettings& settings, std::uint64_t nonce) {
    const RunState& after = options_[judged.option].after;
    const Forecast ahead = forecast(after, {.rounds = forecast_rounds(after),
                                            .worlds = settings.worlds,
                                            .nonce = nonce,
                                            .clairvoyant = settings.clairvoyant});
    write_forecast(after, ahead, settings.worlds, inputs_[static_cast<std::size_t>(judged.option)]);
    look(judged);
}

// Again, by what the best answer to each of some outcomes is worth; false where none of them could be had.
bool Judge::try_out(JudgedOption& judged, const RunState& run, const MacroSettings& settings, std::uint64_t nonce) {
    if (!answers_) answers_ = std::make_unique<Judge>(net_, taste_);
    MacroSettings answering = settings;
    answering.outcomes = 0;
    answering.finalists = std::min(settings.finalists, answer_finalists);
    const int outcomes = settings.clairvoyant ? 1 : settings.outcomes;  // the run has but one
    JudgedOption mean{.option = judged.option};
    int tried = 0;
    for (int n = 0; n < outcomes; ++n) {
        const std::uint64_t world_nonce = SplitMix(nonce + static_cast<std::uint64_t>(n)).next();
        RunState world = settings.clairvoyant ? run : determinize(run, world_nonce);
        const auto& actions = options_[judged.option].actions;
        const auto refused = [&](const Action& action) { return step(world, action) != Refusal::none; };
        if (std::any_of(actions.begin(), actions.end(), refused)) continue;
        const auto answers = answers_->judge(world, answering, nonce);
        if (answers.empty()) continue;
        mean.win += answers[0].win;
        mean.worth += std::exp(answers[0].worth);
        mean.liked += std::exp(answers[0].liked);
        ++tried;
    }
    if (tried == 0) return false;
    judged.win = mean.win / tried;
    judged.worth = std::log(mean.worth / tried);
    judged.liked = std::log(mean.liked / tried);
    return true;
}

}  // namespace jimbo
