// One playing card as JSON.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "state/card.hpp"
#include "store/json.hpp"

namespace jimbo {

// Every field that a card may have.
inline constexpr std::array<std::string_view, 8> card_names{"uid",      "rank",  "suit",  "key",
                                                            "modifier", "state", "bonus", "created_suit"};

Json card_to_json(const Card& card);
// Throws a std::invalid_argument that names the field, as part of `path`.
Card card_from_json(const Json& json, const std::string& path);

}  // namespace jimbo
