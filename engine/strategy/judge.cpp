#include "strategy/judge.hpp"

#include <algorithm>

#include "play/step.hpp"

namespace jimbo {
namespace {

constexpr int answer_finalists = 3;  // options that an outcome may be answered with and that are looked at longer

}  // namespace

std::span<const ValueInput> Judge::inputs(const JudgedOption& judged) const {
    const ValueInputs& inputs = inputs_[static_cast<std::size_t>(judged.option)];
    return {inputs.data(), static_cast<std::size_t>(inputs.size())};
}

std::span<const JudgedOption> Judge::judge(const RunState& run, const Effort& settings, std::uint64_t nonce) {
    const auto better = [](const JudgedOption& a, const JudgedOption& b) { return a.preference > b.preference; };
    options_.list(run);
    judged_.clear();
    inputs_.resize(std::max(inputs_.size(), static_cast<std::size_t>(options_.size())));
    for (int i = 0; i < options_.size(); ++i) {
        ValueInputs& inputs = inputs_[static_cast<std::size_t>(i)];
        inputs.clear();
        write_inputs(options_[i].after, options_[i].pending, settings.rollouts, inputs);
        JudgedOption& judged = judged_.emplace_back(JudgedOption{.option = i});
        correct(judged);
        evaluate(judged);
    }
    std::stable_sort(judged_.begin(), judged_.end(), better);
    const auto finalists = choose_finalists(settings.finalists);
    for (JudgedOption& finalist : finalists) {
        if (!settings.sees_outcomes || !evaluate_outcome(finalist, run, settings, nonce))
            add_forecast(finalist, settings, nonce);
        finalist.forecast = true;
    }
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

// Once, before there is a forecast: a policy is trained on decisions without one.
void Judge::correct(JudgedOption& judged) const {
    const auto known = inputs(judged);
    judged.correction = net_.correction(known);
    if (bias_.empty()) return;
    for (const ValueInput& input : known) judged.correction += double{bias_[input.index]} * input.value;
}

void Judge::evaluate(JudgedOption& judged) const {
    const ValueNet::Chances chances = net_.chances(inputs(judged));
    judged.win = chances.back();
    judged.worth = worth(chances, next_after(judged));
    judged.preference = judged.worth + judged.correction;
}

// Again, with what its next blinds would bring.
void Judge::add_forecast(JudgedOption& judged, const Effort& settings, std::uint64_t nonce) {
    const RunState& after = options_[judged.option].after;
    const Forecast ahead = forecast(after, {.rounds = forecast_rounds(after),
                                            .worlds = settings.worlds,
                                            .nonce = nonce,
                                            .clairvoyant = settings.clairvoyant});
    write_forecast(after, ahead, settings.worlds, inputs_[static_cast<std::size_t>(judged.option)]);
    evaluate(judged);
}

// Again, by the best answer to what it brings; false where it brings nothing that is hidden.
bool Judge::evaluate_outcome(JudgedOption& judged, const RunState& run, const Effort& settings, std::uint64_t nonce) {
    const Option& option = options_[judged.option];
    if (option.pending.kind == Pending::Kind::none) return false;
    RunState world = run;
    const auto refused = [&](const Action& action) { return step(world, action) != Refusal::none; };
    if (std::any_of(option.actions.begin(), option.actions.end(), refused)) return false;
    if (!answers_) answers_ = std::make_unique<Judge>(net_, bias_);
    Effort answering = settings;
    answering.sees_outcomes = false;
    answering.finalists = std::min(settings.finalists, answer_finalists);
    const auto answers = answers_->judge(world, answering, nonce);
    if (answers.empty()) return false;
    judged.win = answers[0].win;
    judged.worth = answers[0].worth;
    judged.preference = answers[0].preference;
    return true;
}

}  // namespace jimbo
