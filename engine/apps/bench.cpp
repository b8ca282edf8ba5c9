// Rates of the engine. Each figure is the median of several repeats in CPU time, so that other programs on the machine
// disturb it little.
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "rng/streams.hpp"

namespace {

constexpr int repeats = 7;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Seconds that one of `count` calls takes.
template <typename Work>
double median_cost(int count, Work work) {
    std::array<double, repeats> costs{};
    for (double& cost : costs) {
        const double start = cpu_seconds();
        for (int i = 0; i < count; ++i) work(i);
        cost = (cpu_seconds() - start) / count;
    }
    std::sort(costs.begin(), costs.end());
    return costs[repeats / 2];
}

}  // namespace

int main() {
    using namespace jimbo;
    const Seed seed = *parse_seed("BENCH");
    Streams streams(seed);
    double sum = 0;
    // The streams take turns, as they do in a run, so that one draw does not wait for the one before.
    const double draw =
        median_cost(2'000'000, [&](int i) { sum += streams.random({static_cast<Stream>(i % run_wide_streams), 1}); });
    const double first = median_cost(5'000, [&](int i) {
        if (i % 50 == 0) streams = Streams(seed);
        sum += streams.random({static_cast<Stream>(run_wide_streams + i % 50), 1});
    });
    std::printf("draw_ns %.1f (hash cached), first draw of a stream %.1f ns, checksum %.6f\n", draw * 1e9, first * 1e9,
                sum);
    return 0;
}
