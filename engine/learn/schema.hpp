// What learning programs must agree on with the engine, as one short text that changes when any of it does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jimbo {

// Of observations, steps and candidates.
std::string batch_schema_hash();

// Names of a vocabulary of ids (see learn/field.hpp) from 0 on; none if there is no such vocabulary.
std::vector<std::string> vocabulary_names(std::string_view name);

}  // namespace jimbo
