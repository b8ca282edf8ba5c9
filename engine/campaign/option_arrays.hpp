// What learners see of decisions: arrays of the caller, written row by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "campaign/option_kinds.hpp"
#include "campaign/summary.hpp"

namespace jimbo {

inline constexpr int sparse_width = 128;  // most inputs of a run or an option that are shown

// `rows` of each; what is null is not written. Unused places hold 0. Nobody else may write into them, because only what
// was written before is cleared.
struct OptionArrays {
    std::uint8_t* kinds = nullptr;  // [options]
    // The inputs of the value that are not zero, as pairs of index and number; of the run and of each option.
    std::int16_t* state_indices = nullptr;   // [sparse_width]
    float* state_values = nullptr;           // likewise
    std::int16_t* option_indices = nullptr;  // [options][sparse_width]
    float* option_values = nullptr;          // likewise
    // All of them, zeros included, as float32 or as the bits of float16, one of the two.
    float* state_inputs = nullptr;                // [value_input_count]
    float* option_inputs = nullptr;               // [options][value_input_count]
    std::uint16_t* half_state_inputs = nullptr;   // likewise
    std::uint16_t* half_option_inputs = nullptr;  // likewise
    // Summaries.
    float* state_summary = nullptr;   // [summary_size]
    float* option_summary = nullptr;  // [options][summary_size]
};

// Nearest, ties to even.
std::uint16_t half_of(float number);

// Writes rows of arrays, and remembers what to clear.
class OptionWriter {
public:
    // What the arrays hold is cleared as it is written over.
    void bind(const OptionArrays& arrays, int rows, int options);

    // The run itself, or an option of it.
    void write_state(int row, const RunState& run, std::span<const ValueInput> inputs);
    void write_option(int row, int place, const RunState& run, const Option& option,
                      std::span<const ValueInput> inputs);
    // No further options in this row.
    void end_row(int row, int count);

private:
    struct Shown {
        std::vector<std::uint16_t> indices;  // that are not zero in a dense line
        int sparse = 0;                      // pairs in use
    };

    // `line`: 0 for the run itself, then the options.
    Shown& shown(int row, int line) { return shown_[static_cast<std::size_t>(row * (options_ + 1) + line)]; }
    void write_line(int row, int line, std::span<const ValueInput> inputs);
    template <typename T, typename Convert>
    void write_dense(T* to, Shown& known, std::span<const ValueInput> inputs, const Convert& convert);

    OptionArrays arrays_{};
    int options_ = 0;
    std::vector<Shown> shown_;
    std::vector<int> counts_;  // options written in each row
};

}  // namespace jimbo
