#include "rng/hash.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace jimbo {
namespace {

// x mod 1 for x >= 0, infinity or NaN; infinity gives NaN as fmod would.
double fraction(double x) { return x - std::floor(x); }

}  // namespace

double hash_step(double hash, unsigned char character, int position) {
    const double scaled = 1.1239285023 / hash * character * std::numbers::pi;
    return fraction(scaled + std::numbers::pi * position);
}

void hash_behind(std::string_view text, std::span<double> hashes) {
    std::fill(hashes.begin(), hashes.end(), 1.0);
    for (int i = static_cast<int>(text.size()); i >= 1; --i) {
        const auto character = static_cast<unsigned char>(text[static_cast<std::size_t>(i) - 1]);
        int position = i;
        for (double& hash : hashes) hash = hash_step(hash, character, position++);
    }
}

double pseudohash(std::string_view text) {
    double hash = 1.0;
    for (int i = static_cast<int>(text.size()); i >= 1; --i) {
        hash = hash_step(hash, static_cast<unsigned char>(text[static_cast<std::size_t>(i) - 1]), i);
    }
    return hash;
}

double round13(double x) {
    if (std::isnan(x)) return x;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52);
    if (exponent < 1023 - 45) return 0.0;  // below 2^-45 < 0.5e-13
    const std::uint64_t mantissa = (bits & 0x000FFFFFFFFFFFFFULL) | 0x0010000000000000ULL;
    const int shift = 1075 - exponent;  // x = mantissa / 2^shift exactly, 53 <= shift <= 97
    // The exact product with 10^13 needs 97 bits; multiplying doubles would round wrongly once in 2,500 draws.
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{mantissa} * 10'000'000'000'000ULL;
    auto units = static_cast<std::uint64_t>(product >> shift);
    const Wide rest = product & ((Wide{1} << shift) - 1);
    const Wide half = Wide{1} << (shift - 1);
    if (rest > half || (rest == half && (units & 1) != 0)) ++units;
    return static_cast<double>(units) / 1e13;
}

double advance_state(double state) {
    const double product = state * 1.72431234;
    return std::abs(round13(fraction(2.134453429141 + product)));
}

}  // namespace jimbo
