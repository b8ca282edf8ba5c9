// The value of a build: a small network from a few numbers to the chance that this run clears each blind ahead. Beside
// it there may be a policy, which was trained on top of the value and corrects what it chooses.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "catalog/stakes.hpp"
#include "strategy/sparse_net.hpp"

namespace jimbo {

class ValueNet {
public:
    using Layer = SparseNet::Layer;
    using Chances = std::array<double, value_blinds>;

    // The value's last layer has one output for each blind: the logit of this run's clearing it. The policy's has one;
    // without layers there is no policy.
    explicit ValueNet(std::vector<Layer> value, std::vector<Layer> policy = {});

    // That this run clears each blind. No later chance is conditional on an earlier one: the last is the chance to win.
    Chances chances(std::span<const ValueInput> inputs) const;
    // The chance to win by each of the networks that stand side by side; the mean of their logits is that of all.
    std::vector<double> wins(std::span<const ValueInput> inputs) const;

    bool has_policy() const { return policy_.has_value(); }
    // What the policy adds to the worth of an option, by the run that follows it, without a forecast.
    double correction(std::span<const ValueInput> inputs) const;

private:
    SparseNet value_;
    std::optional<SparseNet> policy_;
};

// What options are compared by, with `next` the blind that comes next: the logarithm of the chance to win and of
// smaller and smaller shares of the chances to beat the bosses before the last, because where hardly any run is won
// only they tell options apart. Bosses alone: other blinds can be skipped, and that is no progress.
double worth(const ValueNet::Chances& chances, int next);
inline constexpr double ante_share = 0.2;
// That sum, of all bosses: those before `next` count as beaten.
double progress(double worth, int next);

}  // namespace jimbo
