// Seed texts. The game hashes any text; its own input field takes 1 to 8 characters of 0-9 and A-Z.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jimbo {

struct Seed {
    static constexpr int max_length = 32;  // bytes

    std::array<char, max_length> text{};
    std::uint8_t length = 0;

    constexpr std::string_view view() const { return {text.data(), length}; }
    constexpr bool operator==(const Seed&) const = default;
};

inline constexpr std::string_view seed_rule = "a seed has 1 to 32 bytes of UTF-8 without control characters";

// Nothing for a text that breaks the rule above. A 0 stays a 0 and an a stays an a: only the game's own input field
// turns them into O and A.
std::optional<Seed> parse_seed(std::string_view text);

// The seeds that the game makes itself: eight characters without 0 and O, numbered from 11111111 = 0 on.
inline constexpr std::string_view made_seed_letters = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";
inline constexpr int made_seed_length = 8;
inline constexpr std::uint64_t made_seed_count = 1'785'793'904'896;  // 34^8

constexpr Seed numbered_seed(std::uint64_t number) {
    Seed seed;
    seed.length = made_seed_length;
    for (std::size_t i = made_seed_length; i-- > 0; number /= made_seed_letters.size()) {
        seed.text[i] = made_seed_letters[number % made_seed_letters.size()];
    }
    return seed;
}

// Nothing for other seeds.
constexpr std::optional<std::uint64_t> number_of(const Seed& seed) {
    if (seed.length != made_seed_length) return std::nullopt;
    std::uint64_t number = 0;
    for (char c : seed.view()) {
        const auto digit = made_seed_letters.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        number = number * made_seed_letters.size() + digit;
    }
    return number;
}

}  // namespace jimbo
