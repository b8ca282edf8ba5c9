// Seeds from Python; a bad one raises ValueError with a sentence that says what is allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "rng/seed.hpp"

namespace jimbo {

inline Seed seed_from(std::string_view text) {
    const auto seed = parse_seed(text);
    if (!seed) {
        throw std::invalid_argument("seed \"" + std::string(text) +
                                    "\" is not valid: a seed has 1 to 8 characters out of 0-9 and A-Z");
    }
    return *seed;
}

}  // namespace jimbo
