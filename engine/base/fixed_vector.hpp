// Vectors of fixed capacity that live inside their owner, without allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace jimbo {

// Where the items lie: set to their defaults, so that a state holding them always has the same bytes ...
template <typename T, int Capacity>
struct DefaultedItems {
    std::array<T, static_cast<std::size_t>(Capacity)> items{};
    constexpr T* data() { return items.data(); }
    constexpr const T* data() const { return items.data(); }
};

// ... or left alone, for lists that live for one call.
template <typename T, int Capacity>
struct RawItems {
    alignas(T) std::array<std::byte, static_cast<std::size_t>(Capacity) * sizeof(T)> bytes;
    T* data() { return reinterpret_cast<T*>(bytes.data()); }
    const T* data() const { return reinterpret_cast<const T*>(bytes.data()); }
};

template <typename T, int Capacity, template <typename, int> typename Items = DefaultedItems>
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
        return data()[i];
    }
    constexpr const T& operator[](int i) const {
        assert(i >= 0 && i < size_);
        return data()[i];
    }
    constexpr T& back() { return (*this)[size_ - 1]; }
    constexpr const T& back() const { return (*this)[size_ - 1]; }

    constexpr T* data() { return items_.data(); }
    constexpr const T* data() const { return items_.data(); }
    constexpr T* begin() { return data(); }
    constexpr T* end() { return data() + size_; }
    constexpr const T* begin() const { return data(); }
    constexpr const T* end() const { return data() + size_; }

    constexpr void push_back(const T& item) {
        assert(!full());
        data()[size_] = item;
        ++size_;
    }
    constexpr void pop_back() {
        assert(!empty());
        --size_;
    }
    constexpr void insert(int at, const T& item) {
        assert(!full() && at >= 0 && at <= size_);
        std::move_backward(begin() + at, end(), end() + 1);
        data()[at] = item;
        ++size_;
    }
    constexpr void erase(int at) {
        assert(at >= 0 && at < size_);
        std::move(begin() + at + 1, end(), begin() + at);
        --size_;
    }
    constexpr void clear() { size_ = 0; }
    // Items that it gains are whatever lay there before, to be written next.
    constexpr void resize(int size) {
        assert(size >= 0 && size <= Capacity);
        size_ = static_cast<Size>(size);
    }
    // The items of another list; unlike `=`, without the unused rest of its capacity.
    void copy_used(const FixedVector& other) {
        size_ = other.size_;
        std::memcpy(static_cast<void*>(data()), other.data(), size_ * sizeof(T));
    }

private:
    Items<T, Capacity> items_;
    Size size_ = 0;
};

template <typename T, int Capacity>
using ScratchVector = FixedVector<T, Capacity, RawItems>;

}  // namespace jimbo
