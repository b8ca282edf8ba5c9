#include "strategy/value_net.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "catalog/stakes.hpp"

namespace jimbo {
namespace {

constexpr int max_width = 1024;
constexpr double ante_share = 0.2;

// Wider registers add up more outputs at a time where a processor has them. Each output is still summed in one order
// and nothing is contracted, so the last bits are the same.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define JIMBO_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define JIMBO_WIDE
#endif

// One row after another, never several at a time: the order of the sums decides their last bits.
inline void add_row(float* __restrict sum, const ValueNet::Layer& layer, int row, float factor) {
    const float* __restrict weights = layer.weights.data() + static_cast<std::ptrdiff_t>(row) * layer.outputs;
    for (int j = 0; j < layer.outputs; ++j) sum[j] += factor * weights[j];
}

JIMBO_WIDE void sparse(const ValueNet::Layer& layer, std::span<const ValueInput> in, float* sum) {
    std::copy(layer.bias.begin(), layer.bias.end(), sum);
    for (const ValueInput& input : in) add_row(sum, layer, input.index, input.value);
}

JIMBO_WIDE void dense(const ValueNet::Layer& layer, const float* in, float* sum) {
    std::copy(layer.bias.begin(), layer.bias.end(), sum);
    for (int i = 0; i < layer.inputs; ++i) {
        if (in[i] != 0) add_row(sum, layer, i, in[i]);
    }
}

void relu(float* values, int width) {
    for (int j = 0; j < width; ++j) values[j] = std::max(0.0F, values[j]);
}

double chance(float logit) { return 1 / (1 + std::exp(-double{logit})); }

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

ValueNet::Chances ValueNet::chances(std::span<const ValueInput> inputs) const {
    alignas(64) std::array<float, max_width> first;
    alignas(64) std::array<float, max_width> second;
    std::array<float, value_blinds> logits;
    sparse(layers_[0], inputs, first.data());
    relu(first.data(), layers_[0].outputs);
    dense(layers_[1], first.data(), second.data());
    relu(second.data(), layers_[1].outputs);
    dense(layers_[2], second.data(), logits.data());
    Chances chances;
    std::transform(logits.begin(), logits.end(), chances.begin(), chance);
    return chances;
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

}  // namespace jimbo
