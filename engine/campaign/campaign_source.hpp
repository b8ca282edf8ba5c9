// Whole runs at the decisions of the strategic player, many side by side: hands, the order of jokers and cards, what a
// blind pays and whatever has no alternative are played by the engine, and a learner chooses among the options that the
// player of strategy/strategist.hpp chooses from.
//
// Options, their inputs and hands come from a run imagined from what its player may know, never from the run itself.
#pragma once

#include <memory>
#include <vector>

#include "campaign/option_arrays.hpp"
#include "learn/option_source.hpp"
#include "strategy/strategist.hpp"

namespace jimbo {

struct CampaignSettings {
    int options = 48;  // shown at most; the first ones of the list
    Effort effort{.rollouts = 1, .finalists = 0};
    // Potential-based shaping: each step pays gamma * phi(after) - phi(before) more, where phi is what the value
    // expects of win, bosses and blinds, by their weights, and 0 once the run is won or lost. It changes no policy's
    // rank.
    bool shaping = false;
    double gamma = 1;

    bool asks_value() const { return shaping || effort.finalists > 0 || effort.rollouts >= many_rollouts; }
};

class CampaignSource final : public OptionSource {
public:
    // `net` may be null where the settings never ask it; it outlives the source.
    CampaignSource(const CampaignSettings& settings, const ValueNet* net);

    // The rows of these arrays are those of the batch.
    void bind(const OptionArrays& arrays) { open_.bind(arrays, rows_, settings_.options); }
    void bind_final(const OptionArrays& arrays) { final_.bind(arrays, rows_, settings_.options); }
    const CampaignSettings& settings() const { return settings_; }
    int rows() const { return rows_; }
    // What an option of a row does.
    std::span<const Action> actions(int row, int option) const;
    // How many there are in a row, shown or not.
    int all_options(int row) const { return rows_known_[static_cast<std::size_t>(row)].all; }

    int width() const override { return settings_.options; }
    void resize(int rows, int parts) override;
    void open(int row, Episode& episode, const EpisodeRules& rules, int part) override;
    void resume(int row, const Episode& episode, const EpisodeRules& rules, int part) override;
    void list(int row, const Episode& episode, int part) override;
    int count(int row) const override { return rows_known_[static_cast<std::size_t>(row)].count; }
    StepReport take(int row, Episode& episode, int option, const EpisodeRules& rules, int part) override;
    void write_final(int row, const Episode& episode, int part) override;

private:
    using Actions = ScratchVector<Action, 2>;

    struct Row {
        std::vector<Actions> actions;  // of the options that are shown
        int count = 0;
        int all = 0;
        double potential = 0;
    };

    // What a thread works with; it keeps its memory.
    struct Desk {
        Desk(const ValueNet& net, const Effort& effort) : hands(net, effort, {.consumables = false}), judge(net) {}

        RunState view;
        OptionList options;
        Strategist hands;
        Judge judge;
        ValueInputs inputs;
        int listed = -1;  // the row whose options are in `options`
    };

    void go_on(int row, Desk& desk, Episode& episode, const EpisodeRules& rules, StepReport& report, bool in_hand);
    void play_hand(Desk& desk, Episode& episode, const EpisodeRules& rules, StepReport& report) const;
    double potential(Desk& desk, const Episode& episode, const EpisodeRules& rules) const;
    void write_state(OptionWriter& writer, int row, Desk& desk, const Episode& episode) const;
    void list_judged(int row, Desk& desk, const Episode& episode);

    CampaignSettings settings_;
    ValueNet unasked_;  // stands where no value is given
    const ValueNet& net_;
    int rows_ = 0;
    std::vector<Row> rows_known_;
    std::vector<std::unique_ptr<Desk>> desks_;
    OptionWriter open_;
    OptionWriter final_;
};

}  // namespace jimbo
