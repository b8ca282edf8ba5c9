// One run played by an agent, from its start to the end of the episode, with its statistics.
#pragma once

#include <optional>
#include <span>

#include "learn/field.hpp"
#include "learn/rewards.hpp"
#include "learn/steps.hpp"

namespace jimbo {

enum class EpisodeEnd : std::uint8_t { running, won, lost, no_room, max_ante, max_steps };
inline constexpr std::array<std::string_view, 6> episode_end_names{"running", "won",      "lost",
                                                                   "no_room", "max_ante", "max_steps"};

struct EpisodeRules {
    std::optional<int> max_ante = win_ante;  // nothing: on until the run is lost
    int max_steps = 0;                       // 0: no limit
    bool moves = false;                      // cards may be rearranged
    float illegal_penalty = 0;
    RewardTerms weights{};
};

struct EpisodeStats {
    double best_hand = 0;  // highest score of a single hand
    std::int32_t money = 0;
    std::int32_t length = 0;     // steps
    std::int32_t decisions = 0;  // actions of the engine
    std::int32_t illegal = 0;    // refused steps
    float total = 0;             // return: the rewards so far
    std::int16_t ante = 0;
    std::int16_t round = 0;
    std::int16_t blinds = 0;  // beaten
    std::uint8_t won = 0;
    EpisodeEnd end = EpisodeEnd::running;
    std::uint8_t finished = 0;  // the episode ended in this step
};

std::span<const FieldSpec> stats_fields();

// What a step gives back.
struct StepReport {
    RewardTerms terms{};
    float reward = 0;
    bool terminated = false;
    bool truncated = false;

    // What a later action of the same step brought.
    void add(const StepReport& later);
};

class Episode {
public:
    Episode() = default;
    // An episode as it stood.
    Episode(const RunState& run, std::uint64_t selected, const EpisodeStats& stats)
        : run_(run), selected_(selected), stats_(stats) {}

    void start(const Seed& seed, DeckId deck, StakeId stake, std::optional<ChallengeId> challenge);

    // Begins with a given run, wherever it stands. If its episode would be over at once, says which end that is and
    // changes nothing; otherwise `running`.
    EpisodeEnd start_from(const RunState& run, const EpisodeRules& rules);

    StepReport take_action(const Action& action, const EpisodeRules& rules);
    StepReport take_step(int id, const EpisodeRules& rules);

    // One step made of several actions, for those whose decisions are larger: each action is followed by what it
    // brought, and the end adds it all up.
    void begin_step() { ++stats_.length; }
    StepReport follow(const Action& action, const EpisodeRules& rules);
    void end_step(StepReport& whole, const EpisodeRules& rules) { cut_off(whole, rules); }
    // What else a step pays.
    void pay(StepReport& report, float reward);

    // A step that names no action.
    StepReport refuse(const EpisodeRules& rules);
    // Nothing is done with an episode that is over.
    void rest() { stats_.finished = 0; }

    const RunState& run() const { return run_; }
    std::uint64_t selected() const { return selected_; }
    const EpisodeStats& stats() const { return stats_; }
    bool over() const { return stats_.end != EpisodeEnd::running; }

private:
    StepReport settle(const Glance& before, const StepResult& result, const EpisodeRules& rules);
    StepReport report_on(const Glance& before, const StepResult& result, const EpisodeRules& rules);
    void cut_off(StepReport& report, const EpisodeRules& rules);
    void begin();

    RunState run_{};
    std::uint64_t selected_ = 0;
    EpisodeStats stats_{};
};

}  // namespace jimbo
