// The value of a build: a small network from a few numbers to the chance that this run clears each blind ahead.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "strategy/inputs.hpp"

namespace jimbo {

// Rows of weights by input, so that only inputs that are not zero are read. Everything is added up in one order, so
// that the same weights give the same value on every machine.
class ValueNet {
public:
    struct Layer {
        int inputs = 0;
        int outputs = 0;
        std::vector<float> weights;  // [inputs][outputs]
        std::vector<float> bias;     // [outputs]
    };
    using Chances = std::array<double, value_blinds>;

    // Three layers, the last with one output for each blind: the logit of this run's clearing it.
    explicit ValueNet(std::vector<Layer> layers);

    // That this run clears each blind. No later chance is conditional on an earlier one: the last is the chance to win.
    Chances chances(std::span<const ValueInput> inputs) const;
    // The chance to win by each of the networks that stand side by side; the mean of their logits is that of all.
    std::vector<double> wins(std::span<const ValueInput> inputs) const;

private:
    // What the second layer makes of the inputs; returns how many numbers.
    int write_seconds(std::span<const ValueInput> inputs, std::span<float> seconds) const;

    Layer first_;
    std::vector<Layer> seconds_;  // of networks that stand side by side: each reads its own part of the first layer
    Layer third_;
};

// What options are compared by, with `next` the blind that comes next: the logarithm of the chance to win and of
// smaller and smaller shares of the chances to beat the bosses before the last, because where hardly any run is won
// only they tell options apart. Bosses alone: other blinds can be skipped, and that is no progress.
double worth(const ValueNet::Chances& chances, int next);

}  // namespace jimbo
