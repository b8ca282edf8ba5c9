// Options judged by the value of what they lead to, the best of them with a forecast of their next blinds.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/splitmix.hpp"
#include "strategy/options.hpp"
#include "strategy/value_net.hpp"

namespace jimbo {

struct Effort {
    int rollouts = 30;  // of the blind solver for each of its decisions; 1: the quick player alone
    int finalists = 4;  // options whose next blinds are forecast; 0: none
    int worlds = 2;     // of such a forecast
    // Cheating, to measure its worth: forecasts meet the cards to come, finalists are judged by what they bring.
    bool clairvoyant = false;
    bool sees_outcomes = false;
};

struct JudgedOption {
    int option = 0;
    double worth = 0;       // by the value
    double correction = 0;  // by the policy and the game's bias
    double preference = 0;  // what it is chosen by: its worth and the correction
    double win = 0;         // the chance to win
    bool forecast = false;  // whether it was looked at longer: its next blinds were forecast, or its outcome was seen
};

// Judges options, all in the same worlds.
class Judge {
public:
    explicit Judge(const ValueNet& net, std::span<const float> bias = {}) : net_(net), bias_(bias) {}

    // Best first, finalists before all others. `run` is a run as its player may know it.
    std::span<const JudgedOption> judge(const RunState& run, const Effort& settings, std::uint64_t nonce);

    const OptionList& options() const { return options_; }
    // The network's inputs for an option.
    std::span<const ValueInput> inputs(const JudgedOption& judged) const;
    // Which blind comes next once it is done.
    int next_after(const JudgedOption& judged) const { return next_blind(options_[judged.option].after); }

private:
    std::span<JudgedOption> choose_finalists(int count);
    void correct(JudgedOption& judged) const;
    void evaluate(JudgedOption& judged) const;
    void add_forecast(JudgedOption& judged, const Effort& settings, std::uint64_t nonce);
    bool evaluate_outcome(JudgedOption& judged, const RunState& run, const Effort& settings, std::uint64_t nonce);

    const ValueNet& net_;
    std::span<const float> bias_;  // added to the value for each input
    OptionList options_;
    std::vector<ValueInputs> inputs_;
    std::vector<JudgedOption> judged_;
    std::unique_ptr<Judge> answers_;  // to outcomes that are seen
};

}  // namespace jimbo
