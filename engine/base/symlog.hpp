// Large numbers on a small scale: sign(x) * ln(1 + |x|). Plain arithmetic instead of the library's log1p, which is
// slower and whose last digit differs between machines.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace jimbo {

// Of numbers from 1 up, to seven digits.
inline double natural_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    constexpr std::uint64_t mantissa_bits = (std::uint64_t{1} << 52) - 1;
    constexpr std::uint64_t one = std::bit_cast<std::uint64_t>(1.0);
    const double exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023);
    const double m = std::bit_cast<double>((bits & mantissa_bits) | one);  // in [1, 2)
    constexpr double root_two = 1.4142135623730951;
    constexpr double ln_root_two = 0.34657359027997264;
    const double t = (m - root_two) / (m + root_two);  // the series of artanh around the middle of the interval
    const double s = t * t;
    const double series = 1.0 + s * (1.0 / 3 + s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9))));
    return exponent * (2 * ln_root_two) + ln_root_two + 2.0 * t * series;
}

// Whatever is larger counts as this, infinity and NaN included: the game's scores can become either.
inline constexpr double largest_logged = 1e300;

inline float symlog(double x) {
    const double size = std::abs(x);
    if (size == 0.0) return 0.0F;  // exactly, and most often
    const double log = natural_log(1.0 + (size < largest_logged ? size : largest_logged));
    return static_cast<float>(x < 0 ? -log : log);
}

}  // namespace jimbo
