// Texts from Python to engine values; a bad one raises ValueError with a sentence that says what is allowed.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "catalog/lookup.hpp"
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

template <typename Facts>
std::string keys_of(const Facts& facts, std::size_t count) {
    std::string keys;
    for (std::size_t i = 0; i < count; ++i) {
        if (!keys.empty()) keys += ", ";
        keys += facts[i].key;
    }
    return keys;
}

inline DeckId deck_from(std::string_view key) {
    const auto deck = deck_by_key(key);
    if (!deck || *deck == DeckId::challenge) {
        throw std::invalid_argument("deck \"" + std::string(key) + "\" does not exist: choose one of " +
                                    keys_of(deck_facts, playable_deck_count));
    }
    return *deck;
}

// Takes "stake_gold" and plain "gold".
inline StakeId stake_from(std::string_view text) {
    for (const StakeFact& stake : stake_facts) {
        if (text == stake.key || text == stake.key.substr(std::string_view("stake_").size())) return stake.id;
    }
    throw std::invalid_argument(
        "stake \"" + std::string(text) +
        "\" does not exist: choose one of white, red, green, black, blue, purple, orange, gold");
}

}  // namespace jimbo
