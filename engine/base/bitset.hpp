// A set of small integers (usually enumerators) as bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace jimbo {

template <int Count>
class BitSet {
    static constexpr std::size_t words = (static_cast<std::size_t>(Count) + 63) / 64;

public:
    constexpr bool test(int i) const { return (bits_[word(i)] & bit(i)) != 0; }
    constexpr void set(int i) { bits_[word(i)] |= bit(i); }
    constexpr void reset(int i) { bits_[word(i)] &= ~bit(i); }

    template <typename Enum>
    constexpr bool has(Enum e) const {
        return test(static_cast<int>(e));
    }
    template <typename Enum>
    constexpr void add(Enum e) {
        set(static_cast<int>(e));
    }
    template <typename Enum>
    constexpr void remove(Enum e) {
        reset(static_cast<int>(e));
    }

    constexpr void clear() { bits_ = {}; }
    constexpr int count() const {
        int n = 0;
        for (std::uint64_t w : bits_) n += std::popcount(w);
        return n;
    }
    // Visits the members from the lowest up.
    template <typename Visit>
    constexpr void for_each(Visit visit) const {
        for (std::size_t i = 0; i < words; ++i) {
            for (std::uint64_t rest = bits_[i]; rest != 0; rest &= rest - 1) {
                visit(static_cast<int>(i * 64) + std::countr_zero(rest));
            }
        }
    }
    constexpr bool none() const { return count() == 0; }
    constexpr BitSet& operator|=(const BitSet& other) {
        for (std::size_t i = 0; i < words; ++i) bits_[i] |= other.bits_[i];
        return *this;
    }
    constexpr bool operator==(const BitSet&) const = default;

private:
    static constexpr std::size_t word(int i) { return static_cast<std::size_t>(i) / 64; }
    static constexpr std::uint64_t bit(int i) { return std::uint64_t{1} << (static_cast<unsigned>(i) % 64); }

    std::array<std::uint64_t, words> bits_{};
};

}  // namespace jimbo
