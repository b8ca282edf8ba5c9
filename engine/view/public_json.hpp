// A public state as JSON (schema public_v1) and back.
#pragma once

#include <string>

#include "store/json.hpp"
#include "view/public_state.hpp"

namespace jimbo {

inline constexpr std::string_view public_schema = "public_v1";

Json public_to_json(const PublicState& state);
// Derived fields are made anew, whatever stands there. Throws std::invalid_argument that names the field.
PublicState public_from_json(const Json& json);

// One line for each field: path, kind, meaning.
std::string public_schema_table();
// A hash of all field names and kinds.
std::string public_schema_hash();

}  // namespace jimbo
