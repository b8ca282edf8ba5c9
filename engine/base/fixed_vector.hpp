// A vector of fixed capacity that lives inside its owner, so that a state holding it stays trivially copyable.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <type_traits>

namespace jimbo {

template <typename T, int Capacity>
class FixedVector {
    static_assert(std::is_trivially_copyable_v<T>);
    static_assert(Capacity > 0 && Capacity < 65536);
    using Size = std::conditional_t<(Capacity < 256), std::uint8_t, std::uint16_t>;

public:
    static constexpr int capacity = Capacity;

    constexpr int size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr bool full() const { return size_ == Capacity; }

    constexpr T& operator[](int i) {
        assert(i >= 0 && i < size_);
        return items_[static_cast<std::size_t>(i)];
    }
    constexpr const T& operator[](int i) const {
        assert(i >= 0 && i < size_);
        return items_[static_cast<std::size_t>(i)];
    }
    constexpr T& back() { return (*this)[size_ - 1]; }
    constexpr const T& back() const { return (*this)[size_ - 1]; }

    constexpr T* data() { return items_.data(); }
    constexpr const T* data() const { return items_.data(); }
    constexpr T* begin() { return items_.data(); }
    constexpr T* end() { return items_.data() + size_; }
    constexpr const T* begin() const { return items_.data(); }
    constexpr const T* end() const { return items_.data() + size_; }

    constexpr void push_back(const T& item) {
        assert(!full());
        items_[size_] = item;
        ++size_;
    }
    constexpr void pop_back() {
        assert(!empty());
        --size_;
    }
    constexpr void insert(int at, const T& item) {
        assert(!full() && at >= 0 && at <= size_);
        std::move_backward(begin() + at, end(), end() + 1);
        items_[static_cast<std::size_t>(at)] = item;
        ++size_;
    }
    constexpr void erase(int at) {
        assert(at >= 0 && at < size_);
        std::move(begin() + at + 1, end(), begin() + at);
        --size_;
    }
    constexpr void clear() { size_ = 0; }

private:
    std::array<T, static_cast<std::size_t>(Capacity)> items_{};
    Size size_ = 0;
};

}  // namespace jimbo
