#include <array>

#include "bench/bench.hpp"
#include "play/random_play.hpp"
#include "play/step.hpp"
#include "store/fingerprint.hpp"
#include "store/state_json.hpp"

namespace jimbo {
namespace {

constexpr std::array stakes{StakeId::white, StakeId::black, StakeId::gold};
constexpr int max_decisions = 400;

RunState played_run(DeckId deck, StakeId stake, bool wins, SplitMix& random) {
    RunState run = start_run(random_seed(random), deck, stake);
    for (int n = 0; n < max_decisions; ++n) {
        const auto action = random_action(run, random);
        if (!action) break;
        if (wins && action->kind == ActionKind::play) run.chips = run.blind.target;
        step(run, *action);
    }
    return run;
}

}  // namespace

std::string signature() {
    std::string text;
    SplitMix random(1);
    for (int deck = 0; deck < playable_deck_count; ++deck) {
        for (StakeId stake : stakes) {
            // Random play alone hardly leaves the first ante: half of the runs are given every blind.
            for (bool wins : {false, true}) {
                text += state_to_json(played_run(static_cast<DeckId>(deck), stake, wins, random)).dump();
            }
        }
    }
    return fingerprint(text);
}

}  // namespace jimbo
