// How inputs are written: numbers at their places, and numbers by knots.
#pragma once

#include <algorithm>
#include <array>

#include "strategy/inputs.hpp"

namespace jimbo {

using Knots = std::array<float, 16>;

// A number by knots: its two neighbours share it, so that a network sees any curve of it as a straight line.
inline constexpr Knots margin_knots{-4, -3, -2, -1.5, -1, -0.6F, -0.3F, 0, 0.3F, 0.6F, 1, 1.5, 2, 3, 4, 6};
inline constexpr Knots dollar_knots{0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 25, 30, 40, 60, 90, 150};

class InputWriter {
public:
    explicit InputWriter(ValueInputs& inputs) : inputs_(inputs) {}

    void add(InputGroup group, int index, double value) {
        if (value == 0 || inputs_.full()) return;
        inputs_.push_back({static_cast<std::uint16_t>(offset_of(group) + index), static_cast<float>(value)});
    }
    template <typename Id>
    void one(InputGroup group, Id id) {
        add(group, static_cast<int>(id), 1);
    }
    void knots(InputGroup group, const Knots& knots, double value) {
        const double x = std::clamp(value, double{knots.front()}, double{knots.back()});
        std::size_t i = 0;
        while (i + 2 < knots.size() && x > knots[i + 1]) ++i;
        const double share = (x - knots[i]) / (knots[i + 1] - knots[i]);
        add(group, static_cast<int>(i), 1 - share);
        add(group, static_cast<int>(i) + 1, share);
    }

private:
    ValueInputs& inputs_;
};

}  // namespace jimbo
