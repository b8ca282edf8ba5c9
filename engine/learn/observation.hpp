// What a player sees, as one fixed struct of small numbers for learning programs. The fields, with a sentence each,
// are listed in learn/observation_fields.hpp.
#pragma once

#include <span>

#include "learn/field.hpp"
#include "state/run_state.hpp"

namespace jimbo {

namespace cell {
using u8 = std::uint8_t;
using i16 = std::int16_t;
using f32 = float;
}  // namespace cell

struct Observation {
#define ID(name, rows, columns, vocabulary, parts, doc) Cells<cell::u8, rows, columns> name;
#define FLAG(name, rows, columns, parts, doc) Cells<cell::u8, rows, columns> name;
#define NUMBER(type, name, rows, columns, low, high, parts, doc) Cells<cell::type, rows, columns> name;
#include "learn/observation_fields.hpp"
#undef ID
#undef FLAG
#undef NUMBER
    // Not a field: tells the writer whether it has counted this deck before.
    std::array<std::uint8_t, 8> deck_number;
};
static_assert(std::is_trivially_copyable_v<Observation> && sizeof(Observation) <= 4096);

std::span<const FieldSpec> observation_fields();

// Scored in the present or last round, as a share of its target: 0 to 1.
double share_of_target(const RunState& run);

// Writes what the player sees; `selected` are the selected hand positions. `out` is all zeros or holds an earlier
// observation, of this run or of another one: lists are cleared only as far as they were filled, and what depends on
// something that did not change is left standing. Nobody else may write into it.
void write_observation(const RunState& run, std::uint64_t selected, Observation& out);

}  // namespace jimbo
