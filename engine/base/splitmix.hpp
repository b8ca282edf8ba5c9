// A small random generator of our own, for everything that is not the game's: sampling worlds, random play, tests.
#pragma once

#include <cstdint>

namespace jimbo {

class SplitMix {
public:
    explicit SplitMix(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    // A generator made from this number goes on as this one does.
    std::uint64_t state() const { return state_; }

    // Below `bound`; the bias of at most bound / 2^64 is beyond notice.
    std::uint64_t below(std::uint64_t bound) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((Wide{next()} * bound) >> 64);
    }

private:
    std::uint64_t state_;
};

}  // namespace jimbo
