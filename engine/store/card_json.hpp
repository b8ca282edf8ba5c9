// One playing card as JSON.
#pragma once

#include <string>

#include "state/card.hpp"
#include "store/json.hpp"

namespace jimbo {

Json card_to_json(const Card& card);
// Throws a std::invalid_argument that names the field, as part of `path`.
Card card_from_json(const Json& json, const std::string& path);

}  // namespace jimbo
