// A small network from the inputs of a run that are not zero to a few numbers.
#pragma once

#include <span>
#include <vector>

#include "strategy/inputs.hpp"

namespace jimbo {

// Rows of weights by input, so that only inputs that are not zero are read. Everything is added up in one order, so
// that the same weights give the same numbers on every machine.
class SparseNet {
public:
    struct Layer {
        int inputs = 0;
        int outputs = 0;
        std::vector<float> weights;  // [inputs][outputs]
        std::vector<float> bias;     // [outputs]
    };

    // Three layers with rectifiers between them.
    SparseNet(std::vector<Layer> layers, int outputs);

    void evaluate(std::span<const ValueInput> inputs, float* outputs) const;
    // One output by each of the networks that stand side by side; their mean is that of all.
    std::vector<float> by_network(std::span<const ValueInput> inputs, int output) const;

private:
    // What the second layer makes of the inputs; returns how many numbers.
    int write_seconds(std::span<const ValueInput> inputs, std::span<float> seconds) const;

    Layer first_;
    std::vector<Layer> seconds_;  // of networks that stand side by side: each reads its own part of the first layer
    Layer third_;
};

}  // namespace jimbo
