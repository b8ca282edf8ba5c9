// What any choice out of the same cards adds up to. It is added up beforehand for every choice out of four neighbours,
// so that a choice out of eight cards costs one addition, however many it takes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "state/run_state.hpp"

namespace jimbo {

// T has `+`, and T{} changes nothing.
template <typename T>
class CardSums {
    static_assert(std::is_trivially_default_constructible_v<T>);  // groups that there are not cost nothing

public:
    explicit CardSums(std::span<const T> cards) : groups_(std::max<std::size_t>(1, (cards.size() + size - 1) / size)) {
        for (std::size_t g = 0; g < groups_; ++g) {
            sums_[g][0] = {};
            for (std::size_t choice = 1; choice < choices; ++choice) {
                const std::size_t card = g * size + static_cast<std::size_t>(std::countr_zero(choice));
                sums_[g][choice] = sums_[g][choice & (choice - 1)] + (card < cards.size() ? cards[card] : T{});
            }
        }
    }

    T of(std::uint64_t positions) const {
        T sum = sums_[0][positions % choices];
        for (std::size_t g = 1; g < groups_; ++g) sum = sum + sums_[g][(positions >> g * size) % choices];
        return sum;
    }

private:
    static constexpr std::size_t size = 4;
    static constexpr std::size_t choices = 1 << size;

    std::size_t groups_;
    std::array<std::array<T, choices>, max_hand / size> sums_;  // of the groups that there are
};

}  // namespace jimbo
