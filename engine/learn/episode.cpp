#include "learn/episode.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "rules/pools.hpp"

namespace jimbo {
namespace {

constexpr double whole_limit = std::numeric_limits<std::int32_t>::max();
constexpr double short_limit = std::numeric_limits<std::int16_t>::max();
constexpr double no_limit = std::numeric_limits<double>::infinity();

constexpr FieldSpec stats[] = {
#define STAT(name, member, dtype, high, doc) \
    {name, dtype, 0, 0, offsetof(EpisodeStats, member), -(high), high, Vocabulary::number, "", doc}
    STAT("best_hand", best_hand, "float64", no_limit, "Highest score of a single hand."),
    STAT("money", money, "int32", whole_limit, "Dollars."),
    STAT("length", length, "int32", whole_limit, "Steps taken."),
    STAT("decisions", decisions, "int32", whole_limit, "Actions of the engine among them."),
    STAT("illegal", illegal, "int32", whole_limit, "Steps that were refused."),
    STAT("return", total, "float32", no_limit, "Sum of the rewards."),
    STAT("ante", ante, "int16", short_limit, "Ante."),
    STAT("round", round, "int16", short_limit, "Blinds started."),
    STAT("blinds", blinds, "int16", short_limit, "Blinds beaten."),
    STAT("won", won, "bool", 1, "The boss of ante 8 has been beaten."),
    STAT("end", end, "uint8", 5, "0 running, 1 won, 2 lost, 3 no_room, 4 max_ante, 5 max_steps."),
    STAT("finished", finished, "bool", 1, "The episode ended in this step."),
#undef STAT
};

// Beating the boss of ante 8 ends an episode that goes that far and no further.
EpisodeEnd end_of(const RunState& run, const EpisodeRules& rules) {
    if (run.end == EndCode::lost) return EpisodeEnd::lost;
    if (run.end == EndCode::no_room) return EpisodeEnd::no_room;
    if (!rules.max_ante) return EpisodeEnd::running;
    if (*rules.max_ante == win_ante && run.won) return EpisodeEnd::won;
    return run.ante > *rules.max_ante ? EpisodeEnd::max_ante : EpisodeEnd::running;
}

}  // namespace

std::span<const FieldSpec> stats_fields() { return stats; }

void Episode::start(const Seed& seed, DeckId deck, StakeId stake, std::optional<ChallengeId> challenge) {
    new (&run_) RunState(start_run(seed, deck, stake, challenge));  // built in place: an assignment would copy it
    begin();
}

EpisodeEnd Episode::start_from(const RunState& run, const EpisodeRules& rules) {
    const EpisodeEnd end = end_of(run, rules);
    if (end != EpisodeEnd::running) return end;
    run_ = run;
    begin();
    return end;
}

void Episode::begin() {
    selected_ = 0;
    stats_ = {};
    if (run_.last.any) stats_.best_hand = run_.last.score;
    stats_.money = run_.dollars;
    stats_.ante = run_.ante;
    stats_.round = run_.round;
    stats_.won = run_.won;
}

StepReport Episode::take_action(const Action& action, const EpisodeRules& rules) {
    const Glance before = glance_at(run_);
    return settle(before, {step(run_, action), true}, rules);
}

StepReport Episode::take_step(int id, const EpisodeRules& rules) {
    const Glance before = glance_at(run_);
    return settle(before, apply_step(run_, selected_, id, rules.moves), rules);
}

StepReport Episode::refuse(const EpisodeRules& rules) {
    return settle(glance_at(run_), {Refusal::no_such_place, true}, rules);
}

StepReport Episode::settle(const Glance& before, const StepResult& result, const EpisodeRules& rules) {
    ++stats_.length;
    StepReport report = report_on(before, result, rules);
    cut_off(report, rules);
    return report;
}

StepReport Episode::report_on(const Glance& before, const StepResult& result, const EpisodeRules& rules) {
    StepReport report;
    if (result.refusal != Refusal::none) {
        ++stats_.illegal;
        report.reward = -rules.illegal_penalty;
    } else if (result.whole) {
        ++stats_.decisions;
        const Glance after = glance_at(run_);
        if (run_.last.any) stats_.best_hand = std::max(stats_.best_hand, run_.last.score);
        stats_.money = run_.dollars;
        stats_.ante = run_.ante;
        stats_.round = run_.round;
        stats_.won = run_.won;
        stats_.end = end_of(run_, rules);
        report.terminated = stats_.end == EpisodeEnd::won || stats_.end == EpisodeEnd::lost;
        report.terms = reward_terms(before, after, stats_.blinds, report.terminated);
        for (std::size_t i = 0; i < report.terms.size(); ++i) report.reward += rules.weights[i] * report.terms[i];
        if (beat_blind(before, after)) ++stats_.blinds;
    }
    stats_.total += report.reward;
    return report;
}

void Episode::cut_off(StepReport& report, const EpisodeRules& rules) {
    if (!over() && rules.max_steps > 0 && stats_.length >= rules.max_steps) stats_.end = EpisodeEnd::max_steps;
    report.truncated = over() && !report.terminated;
    stats_.finished = over();
}

StepReport Episode::follow(const Action& action, const EpisodeRules& rules) {
    const Glance before = glance_at(run_);
    return report_on(before, {step(run_, action), true}, rules);
}

void Episode::pay(StepReport& report, float reward) {
    report.reward += reward;
    stats_.total += reward;
}

void StepReport::add(const StepReport& later) {
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i] += later.terms[i];
    reward += later.reward;
    terminated |= later.terminated;
}

}  // namespace jimbo
