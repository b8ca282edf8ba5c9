// A short hash of a text: what schemas are told apart by.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jimbo {

// 64-bit FNV-1a as sixteen hexadecimal digits.
inline std::string fingerprint(std::string_view text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15];
    return digits;
}

}  // namespace jimbo
