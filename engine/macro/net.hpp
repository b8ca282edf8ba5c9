// The value of a build: a small network from a few numbers to the chance of clearing each blind that lies ahead.
#pragma once

#include <span>
#include <vector>

#include "macro/inputs.hpp"

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

    // Three layers, the last with one output for each blind: the logit of its being cleared once it is reached.
    explicit ValueNet(std::vector<Layer> layers);

    void logits(std::span<const ValueInput> inputs, std::array<float, value_blinds>& out) const;
    // The logarithm of the chance to clear every blind from `next` to the last.
    double log_win(std::span<const ValueInput> inputs, int next) const;

private:
    std::vector<Layer> layers_;
};

}  // namespace jimbo
