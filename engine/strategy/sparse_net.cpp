#include "strategy/sparse_net.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace jimbo {
namespace {

constexpr int max_width = 4096;
constexpr int most_side_by_side = 16;

// Wider registers add up more outputs at a time where a processor has them. Each output is still summed in one order
// and nothing is contracted, so the last bits are the same.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define JIMBO_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define JIMBO_WIDE
#endif

// Sums that stay in registers while all rows are added. GCC and Clang make of a vector what the processor has.
using Wide = float __attribute__((vector_size(8 * sizeof(float))));
constexpr int wide = 8;
constexpr int most_wides = 8;

template <int wides>
[[gnu::always_inline]] inline void add_block(const SparseNet::Layer& layer, std::span<const ValueInput> rows, int first,
                                             float* sum) {
    std::array<Wide, wides> sums;
    std::memcpy(sums.data(), layer.bias.data() + first, sizeof(sums));
    for (const ValueInput& row : rows) {
        const float* from = layer.weights.data() + std::ptrdiff_t{row.index} * layer.outputs + first;
#pragma GCC unroll 8
        for (std::size_t k = 0; k < wides; ++k) {
            Wide part;
            std::memcpy(&part, from + k * wide, sizeof(part));
            sums[k] += row.value * part;
        }
    }
    std::memcpy(sum + first, sums.data(), sizeof(sums));
}

// One row after another, never several at a time: the order of the sums decides their last bits.
JIMBO_WIDE void add_rows(const SparseNet::Layer& layer, std::span<const ValueInput> rows, float* sum) {
    int first = 0;
    for (; first + most_wides * wide <= layer.outputs; first += most_wides * wide) {
        add_block<most_wides>(layer, rows, first, sum);
    }
    for (; first + wide <= layer.outputs; first += wide) add_block<1>(layer, rows, first, sum);
    for (; first < layer.outputs; ++first) {
        sum[first] = layer.bias[static_cast<std::size_t>(first)];
        for (const ValueInput& row : rows) {
            sum[first] += row.value * layer.weights[static_cast<std::size_t>(row.index * layer.outputs + first)];
        }
    }
}

using Hidden = ScratchVector<ValueInput, max_width>;

// Those above zero.
void relu(const float* values, int width, Hidden& hidden) {
    hidden.clear();
    for (int j = 0; j < width; ++j) {
        if (values[j] > 0) hidden.push_back({static_cast<std::uint16_t>(j), values[j]});
    }
}

std::span<const ValueInput> span_of(const Hidden& hidden) {
    return {hidden.data(), static_cast<std::size_t>(hidden.size())};
}

// A second layer as those of `count` networks of one size; none where they do not stand side by side in it.
std::vector<SparseNet::Layer> split(const SparseNet::Layer& layer, int count) {
    if (layer.inputs % count != 0 || layer.outputs % count != 0) return {};
    const int in = layer.inputs / count;
    const int out = layer.outputs / count;
    std::vector<SparseNet::Layer> parts(static_cast<std::size_t>(count));
    for (int i = 0; i < layer.inputs; ++i) {
        const float* row = layer.weights.data() + std::ptrdiff_t{i} * layer.outputs;
        const int own = i / in * out;
        if (std::any_of(row, row + own, [](float w) { return w != 0; })) return {};
        if (std::any_of(row + own + out, row + layer.outputs, [](float w) { return w != 0; })) return {};
        auto& weights = parts[static_cast<std::size_t>(i / in)].weights;
        weights.insert(weights.end(), row + own, row + own + out);
    }
    for (int p = 0; p < count; ++p) {
        SparseNet::Layer& part = parts[static_cast<std::size_t>(p)];
        part.inputs = in;
        part.outputs = out;
        part.bias.assign(layer.bias.begin() + p * out, layer.bias.begin() + (p + 1) * out);
    }
    return parts;
}

}  // namespace

SparseNet::SparseNet(std::vector<Layer> layers, int outputs) {
    const auto fits = [](const Layer& layer) {
        const auto in = static_cast<std::size_t>(layer.inputs);
        const auto out = static_cast<std::size_t>(layer.outputs);
        return layer.inputs > 0 && layer.outputs > 0 && layer.outputs <= max_width && layer.bias.size() == out &&
               layer.weights.size() == in * out;
    };
    if (layers.size() != 3 || !std::all_of(layers.begin(), layers.end(), fits)) {
        throw std::invalid_argument("a value has three layers with weights and biases of their sizes");
    }
    if (layers[0].inputs != value_input_count || layers[2].outputs != outputs ||
        layers[1].inputs != layers[0].outputs || layers[2].inputs != layers[1].outputs) {
        throw std::invalid_argument("the layers of this value do not fit the inputs, the blinds or one another");
    }
    for (int count = most_side_by_side; seconds_.empty(); --count) seconds_ = split(layers[1], count);
    first_ = std::move(layers[0]);
    third_ = std::move(layers[2]);
}

int SparseNet::write_seconds(std::span<const ValueInput> inputs, std::span<float> seconds) const {
    std::array<float, max_width> sums;
    Hidden hidden;
    add_rows(first_, inputs, sums.data());
    int in = 0;
    int out = 0;
    for (const Layer& part : seconds_) {
        relu(sums.data() + in, part.inputs, hidden);
        add_rows(part, span_of(hidden), seconds.data() + out);
        in += part.inputs;
        out += part.outputs;
    }
    return out;
}

void SparseNet::evaluate(std::span<const ValueInput> inputs, float* outputs) const {
    std::array<float, max_width> seconds;
    Hidden hidden;
    relu(seconds.data(), write_seconds(inputs, seconds), hidden);
    add_rows(third_, span_of(hidden), outputs);
}

std::vector<float> SparseNet::by_network(std::span<const ValueInput> inputs, int output) const {
    std::array<float, max_width> seconds;
    write_seconds(inputs, seconds);
    const auto column = static_cast<std::size_t>(output);
    const auto outputs = static_cast<std::size_t>(third_.outputs);
    std::vector<float> found;
    std::size_t j = 0;
    for (const Layer& part : seconds_) {
        float sum = 0;
        for (const std::size_t end = j + static_cast<std::size_t>(part.outputs); j < end; ++j) {
            sum += std::max(0.0F, seconds[j]) * third_.weights[j * outputs + column];
        }
        found.push_back(third_.bias[column] + static_cast<float>(seconds_.size()) * sum);
    }
    return found;
}

}  // namespace jimbo
