// A hash of 128 bits over numbers: wide enough to stand for what it was made of.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace jimbo {

struct Hash128 {
    std::uint64_t low = 0x243F6A8885A308D3ULL;
    std::uint64_t high = 0x13198A2E03707344ULL;

    constexpr bool operator==(const Hash128&) const = default;

    constexpr void add(std::uint64_t word) {
        low = (low ^ word) * 0x9E3779B97F4A7C15ULL;
        low ^= low >> 32;
        high = (high + word) * 0xD1B54A32D192ED03ULL;
        high ^= high >> 29;
    }
    constexpr void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    template <typename T>
        requires(std::is_integral_v<T> || std::is_enum_v<T>)
    constexpr void add(T number) {
        add(static_cast<std::uint64_t>(number));
    }
};

}  // namespace jimbo
