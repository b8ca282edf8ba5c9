#include "campaign/option_arrays.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace jimbo {
namespace {

constexpr int half_exponent_gap = 127 - 15;
constexpr int dropped_bits = 23 - 10;

}  // namespace

std::uint16_t half_of(float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
    const float size = std::abs(number);
    if (!(size < 65520.0F)) return static_cast<std::uint16_t>(sign | (std::isnan(number) ? 0x7E00U : 0x7C00U));
    if (size < 0x1p-14F) return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::lrint(size * 0x1p24F)));
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    const std::uint32_t odd = magnitude >> dropped_bits & 1U;
    const std::uint32_t rounded = magnitude + (1U << (dropped_bits - 1)) - 1 + odd;
    return static_cast<std::uint16_t>(sign | ((rounded >> dropped_bits) - (half_exponent_gap << 10)));
}

void OptionWriter::bind(const OptionArrays& arrays, int rows, int options) {
    arrays_ = arrays;
    options_ = options;
    shown_.assign(static_cast<std::size_t>(rows * (options + 1)), {});
    counts_.assign(static_cast<std::size_t>(rows), 0);
}

void OptionWriter::write_state(int row, const RunState& run, std::span<const ValueInput> inputs) {
    write_line(row, 0, inputs);
    if (arrays_.state_summary) {
        write_summary(run, nullptr, inputs, arrays_.state_summary + std::ptrdiff_t{row} * summary_size);
    }
}

void OptionWriter::write_option(int row, int place, const RunState& run, const Option& option,
                                std::span<const ValueInput> inputs) {
    const std::ptrdiff_t at = std::ptrdiff_t{row} * options_ + place;
    if (arrays_.kinds) arrays_.kinds[at] = static_cast<std::uint8_t>(kind_of(option));
    write_line(row, place + 1, inputs);
    if (arrays_.option_summary) write_summary(run, &option, inputs, arrays_.option_summary + at * summary_size);
}

void OptionWriter::end_row(int row, int count) {
    int& written = counts_[static_cast<std::size_t>(row)];
    for (int place = count; place < written; ++place) {
        const std::ptrdiff_t at = std::ptrdiff_t{row} * options_ + place;
        if (arrays_.kinds) arrays_.kinds[at] = 0;
        write_line(row, place + 1, {});
        if (arrays_.option_summary) std::fill_n(arrays_.option_summary + at * summary_size, summary_size, 0.0F);
    }
    written = count;
}

// An input that stands there twice, such as a joker held twice, counts twice.
template <typename T, typename Convert>
void OptionWriter::write_dense(T* to, Shown& known, std::span<const ValueInput> inputs, const Convert& convert) {
    thread_local std::array<float, value_input_count> sums{};
    for (const std::uint16_t index : known.indices) to[index] = 0;
    known.indices.clear();
    for (const ValueInput& input : inputs) {
        if (sums[input.index] == 0) known.indices.push_back(input.index);
        sums[input.index] += input.value;
    }
    for (const std::uint16_t index : known.indices) {
        to[index] = convert(sums[index]);
        sums[index] = 0;
    }
}

void OptionWriter::write_line(int row, int line, std::span<const ValueInput> inputs) {
    Shown& known = shown(row, line);
    const bool is_state = line == 0;
    const std::ptrdiff_t at = is_state ? row : std::ptrdiff_t{row} * options_ + line - 1;
    std::int16_t* indices = is_state ? arrays_.state_indices : arrays_.option_indices;
    float* values = is_state ? arrays_.state_values : arrays_.option_values;
    if (indices && values) {
        indices += at * sparse_width;
        values += at * sparse_width;
        const int count = std::min(static_cast<int>(inputs.size()), sparse_width);
        for (int i = 0; i < count; ++i) {
            indices[i] = static_cast<std::int16_t>(inputs[static_cast<std::size_t>(i)].index);
            values[i] = inputs[static_cast<std::size_t>(i)].value;
        }
        for (int i = count; i < known.sparse; ++i) {
            indices[i] = 0;
            values[i] = 0;
        }
        known.sparse = count;
    }
    const std::ptrdiff_t first = at * value_input_count;
    if (float* dense = is_state ? arrays_.state_inputs : arrays_.option_inputs) {
        write_dense(dense + first, known, inputs, [](float number) { return number; });
    }
    if (std::uint16_t* halves = is_state ? arrays_.half_state_inputs : arrays_.half_option_inputs) {
        write_dense(halves + first, known, inputs, half_of);
    }
}

}  // namespace jimbo
