// A run as JSON (schema state_v1) and back.
#pragma once

#include <string>
#include <string_view>

#include "state/run_state.hpp"
#include "store/json.hpp"

namespace jimbo {

inline constexpr std::string_view state_schema = "state_v1";

Json state_to_json(const RunState& run);
// Throws a std::invalid_argument that names the field.
RunState state_from_json(const Json& json);

// A hash of the paths and kinds of all fields: stored with saved runs, so that one of another layout is refused.
std::string schema_hash();
// One line for each field: path, kind, meaning.
std::string schema_table();

// A run as bytes that carry version and schema hash; loading refuses what does not fit with a sentence.
std::string save_run(const RunState& run);
RunState load_run(std::string_view bytes);

}  // namespace jimbo
