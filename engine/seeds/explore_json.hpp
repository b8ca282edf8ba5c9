// Explorer reports as JSON text; written here because a Python writer could not keep up with the explorer.
#pragma once

#include <string>

#include "seeds/explore.hpp"

namespace jimbo {

void append_json(std::string& out, const Offer& offer);
// Without packs nothing is opened, and no Soul is used.
void append_json(std::string& out, Explorer& explorer, int ante, bool packs = true);
void append_json(std::string& out, const StartingDeck& deck);  // by their fronts

}  // namespace jimbo
