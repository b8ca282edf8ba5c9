// JSON values as Python's own, and back.
#pragma once

#include <nanobind/nanobind.h>

#include "store/json.hpp"

namespace jimbo {

nanobind::object to_plain(const Json& json);
// Throws std::invalid_argument for what JSON cannot hold.
Json from_plain(nanobind::handle value);

}  // namespace jimbo
