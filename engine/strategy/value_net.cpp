#include "strategy/value_net.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jimbo {
namespace {

double chance(float logit) { return 1 / (1 + std::exp(-double{logit})); }

}  // namespace

ValueNet::ValueNet(std::vector<Layer> value, std::vector<Layer> policy) : value_(std::move(value), value_blinds) {
    if (!policy.empty()) policy_.emplace(std::move(policy), 1);
}

ValueNet::Chances ValueNet::chances(std::span<const ValueInput> inputs) const {
    std::array<float, value_blinds> logits;
    value_.evaluate(inputs, logits.data());
    Chances chances;
    std::transform(logits.begin(), logits.end(), chances.begin(), chance);
    return chances;
}

std::vector<double> ValueNet::wins(std::span<const ValueInput> inputs) const {
    const std::vector<float> logits = value_.by_network(inputs, value_blinds - 1);
    std::vector<double> wins(logits.size());
    std::transform(logits.begin(), logits.end(), wins.begin(), chance);
    return wins;
}

double ValueNet::correction(std::span<const ValueInput> inputs) const {
    if (!policy_) return 0;
    float found = 0;
    policy_->evaluate(inputs, &found);
    return double{found};
}

double worth(const ValueNet::Chances& chances, int next) {
    double sum = 0;
    double share = 1;
    for (int boss = value_blinds - 1; boss >= next; boss -= blinds_per_ante) {
        sum += share * chances[static_cast<std::size_t>(boss)];
        share *= ante_share;
    }
    return std::log(sum);
}

double progress(double worth, int next) {
    double sum = std::exp(worth);
    double share = 1;
    for (int boss = value_blinds - 1; boss >= 0; boss -= blinds_per_ante, share *= ante_share)
        if (boss < next) sum += share;
    return sum;
}

}  // namespace jimbo
