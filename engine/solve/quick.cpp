#include "solve/quick.hpp"

#include <algorithm>

#include "play/scorer.hpp"
#include "play/step.hpp"
#include "solve/tuning.hpp"

namespace jimbo {

ScoredPlays score_plays(const RunState& run, const HandShape& shape) {
    ScoredPlays plays;
    HandScorer scorer(run);
    for (Positions line : play_lines(shape)) plays.push_back({line, scorer.score(line, Luck::expected).score});
    std::stable_sort(plays.begin(), plays.end(),
                     [](const ScoredPlay& a, const ScoredPlay& b) { return a.score > b.score; });
    return plays;
}

Action quick_action(const RunState& run, const BlindBasis& basis, SplitMix& random, int draw_samples) {
    const HandShape shape = shape_of(run, basis.traits);
    const ScoredPlays plays = score_plays(run, shape);
    const ScoredPlay best = plays[0];
    const double need = run.blind.target - run.chips;
    if (best.score >= need || run.discards_left <= 0) return {ActionKind::play, 0, 0, best.cards};
    const DiscardOutlook outlook(run, basis, shape.needed, need, draw_samples, random);
    Positions thrown = 0;
    double most = best.score * tuning::discard_margin;
    for (Positions line : discard_lines(shape, best.cards)) {
        const double worth = outlook.worth(line);
        if (worth <= most) continue;
        most = worth;
        thrown = line;
    }
    if (thrown != 0) return {ActionKind::discard, 0, 0, thrown};
    return {ActionKind::play, 0, 0, best.cards};
}

int play_round_out(RunState& run, const BlindBasis& basis, SplitMix& random, int draw_samples) {
    int actions = 0;
    while (run.phase == Phase::selecting_hand) {
        const Action action = quick_action(run, basis, random, draw_samples);
        if (step(run, action) != Refusal::none) break;
        ++actions;
    }
    return actions;
}

}  // namespace jimbo
