// Random numbers of the shapes that searches need.
#pragma once

#include <cmath>
#include <span>

#include "base/splitmix.hpp"

namespace jimbo {

// Strictly between 0 and 1.
inline double unit(SplitMix& random) { return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53; }

inline double gumbel(SplitMix& random) { return -std::log(-std::log(unit(random))); }

inline double normal(SplitMix& random) {
    constexpr double turn = 6.283185307179586;
    const double radius = std::sqrt(-2 * std::log(unit(random)));
    return radius * std::cos(turn * unit(random));
}

// Marsaglia and Tsang's method; a shape below 1 is raised by 1 and brought back.
inline double gamma(SplitMix& random, double shape) {
    if (shape < 1) {
        const double raised = gamma(random, shape + 1);
        return raised * std::pow(unit(random), 1 / shape);
    }
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double x = normal(random);
        const double root = 1 + c * x;
        if (root <= 0) continue;
        const double v = root * root * root;
        if (std::log(unit(random)) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
    }
}

// Shares that add up to 1. A small alpha can make all draws vanish; they are equal then.
inline void dirichlet(SplitMix& random, double alpha, std::span<float> shares) {
    double sum = 0;
    for (float& share : shares) {
        share = static_cast<float>(gamma(random, alpha));
        sum += share;
    }
    for (float& share : shares) {
        share = sum > 0 ? static_cast<float>(share / sum) : 1 / static_cast<float>(shares.size());
    }
}

}  // namespace jimbo
