#include "macro/net.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace jimbo {
namespace {

constexpr int max_width = 1024;
// Where hardly any run is won, getting further counts.
constexpr double progress_share = 0.05;

// Four rows at a time would change the order of the sums: one row after another it is.
void add_row(float* __restrict sum, const float* __restrict row, float factor, int width) {
    for (int j = 0; j < width; ++j) sum[j] += factor * row[j];
}

void relu(float* values, int width) {
    for (int j = 0; j < width; ++j) values[j] = std::max(0.0F, values[j]);
}

}  // namespace

ValueNet::ValueNet(std::vector<Layer> layers) : layers_(std::move(layers)) {
    const auto fits = [](const Layer& layer) {
        const auto in = static_cast<std::size_t>(layer.inputs);
        const auto out = static_cast<std::size_t>(layer.outputs);
        return layer.inputs > 0 && layer.outputs > 0 && layer.outputs <= max_width && layer.bias.size() == out &&
               layer.weights.size() == in * out;
    };
    if (layers_.size() != 3 || !std::all_of(layers_.begin(), layers_.end(), fits)) {
        throw std::invalid_argument("a value has three layers with weights and biases of their sizes");
    }
    if (layers_[0].inputs != value_input_count || layers_[2].outputs != value_blinds ||
        layers_[1].inputs != layers_[0].outputs || layers_[2].inputs != layers_[1].outputs) {
        throw std::invalid_argument("the layers of this value do not fit the inputs, the blinds or one another");
    }
}

void ValueNet::logits(std::span<const ValueInput> inputs, std::array<float, value_blinds>& out) const {
    alignas(64) std::array<float, max_width> first;
    alignas(64) std::array<float, max_width> second;
    const Layer& a = layers_[0];
    std::copy(a.bias.begin(), a.bias.end(), first.begin());
    for (const ValueInput& input : inputs) {
        add_row(first.data(), a.weights.data() + static_cast<std::ptrdiff_t>(input.index) * a.outputs, input.value,
                a.outputs);
    }
    relu(first.data(), a.outputs);
    const auto dense = [](const Layer& layer, const float* in, float* sum) {
        std::copy(layer.bias.begin(), layer.bias.end(), sum);
        for (int i = 0; i < layer.inputs; ++i) {
            if (in[i] == 0) continue;
            add_row(sum, layer.weights.data() + static_cast<std::ptrdiff_t>(i) * layer.outputs, in[i], layer.outputs);
        }
    };
    dense(layers_[1], first.data(), second.data());
    relu(second.data(), layers_[1].outputs);
    dense(layers_[2], second.data(), out.data());
}

double ValueNet::log_win(std::span<const ValueInput> inputs, int next) const {
    std::array<float, value_blinds> out;
    logits(inputs, out);
    const auto chance = [&](int b) { return 1 / (1 + std::exp(-double{out[static_cast<std::size_t>(b)]})); };
    double progress = next;
    for (int b = next; b < value_blinds; ++b) progress += chance(b);
    return std::log(chance(value_blinds - 1) + progress_share * progress / value_blinds);
}

}  // namespace jimbo
