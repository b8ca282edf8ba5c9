// Explorer reports as JSON text; written here because a Python writer could not keep up with the explorer.
#pragma once

#include <string>

#include "seeds/explore.hpp"

namespace jimbo {

void append_json(std::string& out, const Offer& offer);
void append_json(std::string& out, Explorer& explorer, int ante);
void append_json(std::string& out, const StartingDeck& deck);  // by their fronts

}  // namespace jimbo
