// The game's text hash and its 13-decimal rounding, bit for bit.
#pragma once

#include <span>
#include <string_view>

namespace jimbo {

// One character of the hash. Characters are taken from the last to the first; `position` counts from 1.
double hash_step(double hash, unsigned char character, int position);

// The hashes of a text that follows 0, 1, 2... other characters. One hash waits for a long chain of divisions;
// several at once take hardly longer.
void hash_behind(std::string_view text, std::span<double> hashes);

// The hash of a text in [0, 1), or NaN when an intermediate value meets 0 exactly.
double pseudohash(std::string_view text);

// What printing with "%.13f" and reading back gives, for x in [0, 1) or NaN.
double round13(double x);

// The next state of a keyed stream.
double advance_state(double state);

}  // namespace jimbo
