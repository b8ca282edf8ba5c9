#include <algorithm>

#include "campaign/campaign.hpp"
#include "play/determinize.hpp"

namespace jimbo {
namespace {

constexpr Effort effort{.rollouts = many_rollouts, .finalists = 0};
constexpr double temperature = 0.05;  // of worths, which are logarithms
constexpr float unlisted = -8;        // logit of an action that is none of the player's options

// Whether an option begins with an action; to stay as it is begins with any hand.
bool begins_with(const Option& option, const Action& action) {
    if (!option.actions.empty()) return option.actions[0] == action;
    return action.kind == ActionKind::play || action.kind == ActionKind::discard;
}

// On the scale of outcomes: 1 for a win, else the share of blinds passed, less 1.
float expected_outcome(const ValueNet::Chances& chances, int next) {
    double passed = next;
    for (int blind = next; blind < value_blinds; ++blind) passed += chances[static_cast<std::size_t>(blind)];
    return static_cast<float>(passed / value_blinds - 1 + chances.back());
}

}  // namespace

float CampaignEvaluator::evaluate(const CampaignState& state, float* logits) {
    const RunState view = determinize(state.run, state.look);
    const auto judged = judge_.judge(view, effort, state.look);
    std::fill_n(logits, campaign_actions, unlisted);
    for (const JudgedOption& one : judged) {
        const auto logit = static_cast<float>((one.worth - judged.front().worth) / temperature);
        for (int i = 0; i < state.count; ++i) {
            if (begins_with(judge_.options()[one.option], state.actions[static_cast<std::size_t>(i)])) {
                logits[i] = std::max(logits[i], logit);
            }
        }
    }
    const JudgedOption& best = judged.front();
    return expected_outcome(net_.chances(judge_.inputs(best)), next_blind(judge_.options()[best.option].after));
}

}  // namespace jimbo
