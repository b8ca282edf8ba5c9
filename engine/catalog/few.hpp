// A short list inside a fact row: at most N items, no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace jimbo {

template <class T, std::size_t N>
class Few {
public:
    constexpr Few() = default;

    // A row with more than N items does not compile: the write past the end is not a constant expression.
    constexpr Few(std::initializer_list<T> items) {
        for (const T& item : items) items_[size_++] = item;
    }

    constexpr const T* begin() const { return items_.data(); }
    constexpr const T* end() const { return items_.data() + size_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr const T& operator[](std::size_t i) const { return items_[i]; }

    constexpr bool contains(const T& wanted) const {
        for (const T& item : *this) {
            if (item == wanted) return true;
        }
        return false;
    }

private:
    std::array<T, N> items_{};
    std::uint8_t size_ = 0;
};

}  // namespace jimbo
