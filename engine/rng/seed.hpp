// Seed texts: 1 to 8 characters of 0-9 and A-Z.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jimbo {

struct Seed {
    static constexpr int max_length = 8;

    std::array<char, max_length> text{};
    std::uint8_t length = 0;

    constexpr std::string_view view() const { return {text.data(), length}; }
    constexpr bool operator==(const Seed&) const = default;
};

// Nothing for an empty or too long text, or one with other characters. A 0 stays a 0: only the game's own input
// field turns it into an O.
constexpr std::optional<Seed> parse_seed(std::string_view text) {
    if (text.empty() || text.size() > Seed::max_length) return std::nullopt;
    Seed seed;
    for (char c : text) {
        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'))) return std::nullopt;
        seed.text[seed.length++] = c;
    }
    return seed;
}

}  // namespace jimbo
