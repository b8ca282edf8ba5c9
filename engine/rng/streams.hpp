// All random streams of one run. A stream is hashed from its key and the seed on first use; every use advances it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "base/fixed_vector.hpp"
#include "rng/hash.hpp"
#include "rng/luajit.hpp"
#include "rng/seed.hpp"
#include "rng/stream_keys.hpp"

namespace jimbo {

class Streams {
public:
    Streams() = default;
    explicit Streams(const Seed& seed) { start(seed); }

    // As constructed with the seed, without making it anew.
    void start(const Seed& seed);

    // The same streams as `other`, without copying the room of resample streams that it does not use.
    void copy_used(const Streams& other);

    const Seed& seed() const { return seed_; }
    double hashed_seed() const { return hashed_seed_; }

    // Hashes the keys of streams that are about to be used for the first time, at most `max_prepared`. One hash waits
    // for a long chain of divisions; several at once take hardly longer.
    static constexpr int max_prepared = 12;
    void prepare(std::span<const StreamKey> keys);

    // Advances the stream and returns the node that seeds the generator.
    double node(StreamKey key);

    double random(StreamKey key) { return LuaJitRandom(node(key)).random(); }
    int random(StreamKey key, int low, int high) { return LuaJitRandom(node(key)).random(low, high); }
    // An index below `count`.
    int pick(StreamKey key, int count) { return random(key, 1, count) - 1; }

    // The list must already stand in the game's order (by creation id, or by key).
    template <typename T>
    void shuffle(StreamKey key, std::span<T> list) {
        LuaJitRandom generator(node(key));
        for (int i = static_cast<int>(list.size()); i >= 2; --i) {
            const int j = generator.random(1, i);
            std::swap(list[static_cast<std::size_t>(i) - 1], list[static_cast<std::size_t>(j) - 1]);
        }
    }

    // The state after the last use; nothing if the stream is unused or its ante lies out of reach.
    std::optional<double> state(StreamKey key) const;
    void set_state(StreamKey key, double state);
    // Visits every used stream: visit(StreamKey, state).
    template <typename Visit>
    void for_each(Visit&& visit) const;

    // True once more resample streams were needed than fit; draws beyond are no longer the game's.
    bool overflowed() const { return overflowed_; }

private:
    static constexpr double unused = -1.0;
    // The ante can go down only twice (Hieroglyph, Petroglyph), so of all antes seen only the highest
    // three can ever be played again; older streams are forgotten.
    static constexpr int ante_window = 3;
    static constexpr int max_resamples = 176;
    static constexpr int cached_lengths = 22;  // longer keys are rare: late resamples
    static constexpr int usual_lengths = 9;    // most of these are asked for as soon as a run starts

    // A resample stream in eight bytes: its state counts units of 1e-13 and so fits 44 bits.
    struct Resample {
        std::uint64_t units : 44;
        std::uint64_t stream : 7;
        std::uint64_t window : 2;  // slot of its ante; ante_window for run-wide streams
        std::uint64_t number : 8;

        static constexpr std::uint64_t nan_units = (std::uint64_t{1} << 44) - 1;
        static constexpr std::uint64_t unused_units = nan_units - 1;

        double state() const;
        void set_state(double state);
    };

    static std::size_t slot(int ante) {
        return static_cast<std::size_t>(((ante % ante_window) + ante_window) % ante_window);
    }
    static std::size_t ante_index(Stream s) { return static_cast<std::size_t>(static_cast<int>(s) - run_wide_streams); }

    double* find(StreamKey key);
    const Resample* find_resample(StreamKey key) const;
    Resample* make_resample(StreamKey key);
    StreamKey key_of(const Resample& r) const;
    void enter_ante(int ante);
    double first_or_next(StreamKey key, double state);
    double hash_key(StreamKey key);
    double hash_of_seed(int length);

    double hashed_seed_ = 0.0;
    // The hash of the seed's characters after a key of the given length: it depends on nothing else.
    std::array<double, cached_lengths> hash_behind_{};
    std::array<double, run_wide_streams> run_wide_{};
    std::array<std::array<double, ante_streams>, ante_window> by_ante_{};
    FixedVector<Resample, max_resamples> resamples_{};
    std::array<std::int8_t, ante_window> antes_{};
    Seed seed_{};
    bool overflowed_ = false;
};

template <typename Visit>
void Streams::for_each(Visit&& visit) const {
    for (int i = 0; i < run_wide_streams; ++i) {
        const double s = run_wide_[static_cast<std::size_t>(i)];
        if (s != unused) visit(StreamKey(static_cast<Stream>(i)), s);
    }
    for (std::size_t w = 0; w < ante_window; ++w) {
        for (int i = 0; i < ante_streams; ++i) {
            const double s = by_ante_[w][static_cast<std::size_t>(i)];
            if (s != unused) visit(StreamKey(static_cast<Stream>(i + run_wide_streams), antes_[w]), s);
        }
    }
    for (const Resample& r : resamples_) visit(key_of(r), r.state());
}

}  // namespace jimbo
