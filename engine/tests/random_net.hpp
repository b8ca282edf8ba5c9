// Networks of random weights, for what holds whatever a value has learnt.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/splitmix.hpp"
#include "strategy/value_net.hpp"

namespace jimbo::tests {

inline ValueNet::Layer random_layer(int inputs, int outputs, SplitMix& random) {
    const auto draw = [&] { return (static_cast<float>(random.below(2001)) - 1000) / 2000; };
    ValueNet::Layer layer{inputs, outputs, {}, {}};
    for (int i = 0; i < inputs * outputs; ++i) layer.weights.push_back(draw());
    for (int i = 0; i < outputs; ++i) layer.bias.push_back(draw());
    return layer;
}

inline std::vector<ValueNet::Layer> random_layers() {
    SplitMix random(4);
    return {random_layer(value_input_count, 16, random), random_layer(16, 8, random),
            random_layer(8, value_blinds, random)};
}

// With a policy that says something else.
inline const ValueNet& corrected_net() {
    static const ValueNet net = [] {
        SplitMix random(5);
        return ValueNet(random_layers(), {random_layer(value_input_count, 8, random), random_layer(8, 4, random),
                                          random_layer(4, 1, random)});
    }();
    return net;
}

inline const ValueNet& random_net() {
    static const ValueNet net(random_layers());
    return net;
}

inline bool same_inputs(std::span<const ValueInput> a, std::span<const ValueInput> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ValueInput& x, const ValueInput& y) {
        return x.index == y.index && x.value == y.value;
    });
}

}  // namespace jimbo::tests
