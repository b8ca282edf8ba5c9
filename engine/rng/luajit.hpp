// The random generator of LuaJIT 2.1: four Tausworthe words, reseeded from a double before every use the game makes.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace jimbo {

class LuaJitRandom {
public:
    explicit LuaJitRandom(double seed) {
        for (std::size_t j = 0; j < 4; ++j) {
            // Two roundings on purpose: a fused multiply-add would change one draw in ten.
            const double product = seed * 3.14159265358979323846;
            seed = product + 2.7182818284590452354;
            std::uint64_t bits = std::isnan(seed) ? nan_bits : std::bit_cast<std::uint64_t>(seed);
            const std::uint64_t smallest = std::uint64_t{1} << smallest_shift[j];
            if (bits < smallest) bits += smallest;
            words_[j] = bits;
        }
        for (int i = 0; i < 10; ++i) step();
    }

    // In [0, 1), 52 random bits.
    double random() {
        const std::uint64_t bits = (step() & 0x000FFFFFFFFFFFFFULL) | 0x3FF0000000000000ULL;
        return std::bit_cast<double>(bits) - 1.0;
    }

    // From low to high, both included.
    int random(int low, int high) { return static_cast<int>(random() * (high - low + 1.0)) + low; }

private:
    static constexpr std::array<int, 4> smallest_shift{1, 6, 9, 17};
    // x64 makes a NaN node positive and quiet; naming the bits keeps other processors to the same draws.
    static constexpr std::uint64_t nan_bits = 0x7FF8000000000000ULL;

    template <int Keep, int A, int B, int C>
    static std::uint64_t advance(std::uint64_t z) {
        return (((z << A) ^ z) >> B) ^ ((z & (~std::uint64_t{0} << Keep)) << C);
    }

    std::uint64_t step() {
        words_[0] = advance<1, 31, 45, 18>(words_[0]);
        words_[1] = advance<6, 19, 30, 28>(words_[1]);
        words_[2] = advance<9, 24, 48, 7>(words_[2]);
        words_[3] = advance<17, 21, 39, 8>(words_[3]);
        return words_[0] ^ words_[1] ^ words_[2] ^ words_[3];
    }

    std::array<std::uint64_t, 4> words_{};
};

}  // namespace jimbo
