// An observation and its candidates as one row of floats, by a plan that the caller makes: which value goes to which
// columns, and how.
#pragma once

#include <vector>

#include "learn/candidates.hpp"
#include "learn/observation.hpp"

namespace jimbo {

// Where a value lies: in the observation, by its type, or in the candidates.
enum class FlatSource : std::uint8_t { u8, i16, f32, candidate_id, candidate_number };

// What becomes of it. `kinds` adds 1 in the column of the id, the first being that of id 1; `bits` writes an id as
// binary digits, lowest first; ids of 0 leave their columns as they are. `numbers` are scaled, `logs` before that
// logarithmic.
enum class FlatHow : std::uint8_t { kinds, bits, numbers, logs };

struct FlatEntry {
    std::int32_t place = 0;   // in bytes in the observation, in items in the candidates
    std::int32_t column = 0;  // the first one
    std::int32_t width = 1;   // columns; those of an id beyond them are not there
    std::int32_t base = 0;    // added to an id but 0
    float scale = 1;
};

class FlatPlan {
public:
    explicit FlatPlan(int size) : size_(size) {}

    int size() const { return size_; }
    void add(FlatSource source, FlatHow how, const FlatEntry& entry);

    // Writes one row of `size` floats; the candidates may be null where no entry needs them.
    void write(const Observation& observation, const std::int16_t* ids, const float* numbers, float* row) const;

private:
    struct Group {
        FlatSource source{};
        FlatHow how{};
        std::vector<FlatEntry> entries;
    };

    int size_;
    std::vector<Group> groups_;  // in the order in which they were first named
};

}  // namespace jimbo
