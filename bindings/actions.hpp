// Actions and events as Python sees them, and the texts that repr() shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "play/action.hpp"

namespace jimbo {

std::uint64_t mask_of(const std::vector<int>& positions);
std::string describe(const Action& action);

// A number for people: whole numbers in full, others and very large ones to four digits.
std::string number_text(double number);

}  // namespace jimbo
