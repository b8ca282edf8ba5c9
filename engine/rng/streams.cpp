#include "rng/streams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jimbo {
namespace {

// The n-th character, counted from 1.
unsigned char character(std::string_view text, int n) {
    return static_cast<unsigned char>(text[static_cast<std::size_t>(n) - 1]);
}

}  // namespace

void Streams::start(const Seed& seed) {
    seed_ = seed;
    overflowed_ = false;
    resamples_.clear();
    hash_behind_.fill(unused);
    hash_behind(seed.view(), std::span(hash_behind_).first<usual_lengths>());
    hashed_seed_ = hash_behind_[0];
    run_wide_.fill(unused);
    for (auto& states : by_ante_) states.fill(unused);
    antes_.fill(INT8_MIN);
}

void Streams::copy_used(const Streams& other) {
    hashed_seed_ = other.hashed_seed_;
    hash_behind_ = other.hash_behind_;
    run_wide_ = other.run_wide_;
    by_ante_ = other.by_ante_;
    resamples_.copy_used(other.resamples_);
    antes_ = other.antes_;
    seed_ = other.seed_;
    overflowed_ = other.overflowed_;
}

double Streams::node(StreamKey key) {
    double next = 0.0;
    if (key.resample == 0) {
        double* state = find(key);
        next = *state = first_or_next(key, *state);
    } else {
        Resample* resample = make_resample(key);
        next = first_or_next(key, resample->state());
        resample->set_state(next);
    }
    return (next + hashed_seed_) / 2.0;
}

double Streams::first_or_next(StreamKey key, double state) {
    return advance_state(state == unused ? hash_key(key) : state);
}

double* Streams::find(StreamKey key) {
    if (is_run_wide(key.stream)) return &run_wide_[static_cast<std::size_t>(key.stream)];
    enter_ante(key.ante);
    return &by_ante_[slot(key.ante)][ante_index(key.stream)];
}

void Streams::enter_ante(int ante) {
    const std::size_t w = slot(ante);
    if (antes_[w] == ante) return;
    by_ante_[w].fill(unused);
    for (int i = resamples_.size() - 1; i >= 0; --i) {
        if (resamples_[i].window == w) resamples_.erase(i);
    }
    antes_[w] = static_cast<std::int8_t>(ante);
}

double Streams::Resample::state() const {
    if (units == nan_units) return std::numeric_limits<double>::quiet_NaN();
    if (units == unused_units) return unused;
    return static_cast<double>(units) / 1e13;
}

void Streams::Resample::set_state(double state) {
    // A state is units / 1e13 rounded once, so multiplying back lands within half a unit.
    units = (std::isnan(state) ? nan_units : static_cast<std::uint64_t>(std::llround(state * 1e13))) & nan_units;
}

const Streams::Resample* Streams::find_resample(StreamKey key) const {
    const bool run_wide = is_run_wide(key.stream);
    if (!run_wide && antes_[slot(key.ante)] != key.ante) return nullptr;
    const std::size_t window = run_wide ? ante_window : slot(key.ante);
    const auto* found = std::find_if(resamples_.begin(), resamples_.end(), [&](const Resample& r) {
        return r.number == key.resample && r.window == window && r.stream == static_cast<unsigned>(key.stream);
    });
    return found == resamples_.end() ? nullptr : found;
}

Streams::Resample* Streams::make_resample(StreamKey key) {
    if (!is_run_wide(key.stream)) enter_ante(key.ante);
    if (const Resample* found = find_resample(key)) return const_cast<Resample*>(found);
    if (resamples_.full()) {
        overflowed_ = true;
        resamples_.erase(0);
    }
    const std::size_t window = is_run_wide(key.stream) ? ante_window : slot(key.ante);
    resamples_.push_back({.units = Resample::unused_units,
                          .stream = static_cast<std::uint64_t>(key.stream) & 0x7F,
                          .window = window & 3,
                          .number = key.resample});
    return &resamples_.back();
}

StreamKey Streams::key_of(const Resample& r) const {
    const int ante = r.window == ante_window ? 0 : antes_[r.window];
    return {static_cast<Stream>(r.stream), ante, static_cast<int>(r.number)};
}

double Streams::hash_of_seed(int length) {
    if (length < cached_lengths && hash_behind_[static_cast<std::size_t>(length)] != unused) {
        return hash_behind_[static_cast<std::size_t>(length)];
    }
    double hash = 1.0;
    for (int i = seed_.length; i >= 1; --i) hash = hash_step(hash, character(seed_.view(), i), length + i);
    if (length < cached_lengths) hash_behind_[static_cast<std::size_t>(length)] = hash;
    return hash;
}

double Streams::hash_key(StreamKey key) {
    const KeyText text(key);
    const int length = static_cast<int>(text.view().size());
    double hash = hash_of_seed(length);
    for (int i = length; i >= 1; --i) hash = hash_step(hash, character(text.view(), i), i);
    return hash;
}

void Streams::prepare(std::span<const StreamKey> keys) {
    struct Hashing {
        KeyText text;
        int left;
        double hash;
    };
    ScratchVector<Hashing, max_prepared> all;
    bool more = true;
    for (StreamKey key : keys) {
        const KeyText text(key);
        const int length = static_cast<int>(text.view().size());
        all.push_back({text, length, hash_of_seed(length)});
    }
    while (more) {
        more = false;
        for (Hashing& one : all) {
            if (one.left == 0) continue;
            one.hash = hash_step(one.hash, character(one.text.view(), one.left), one.left);
            more |= --one.left > 0;
        }
    }
    for (int i = 0; i < all.size(); ++i) *find(keys[static_cast<std::size_t>(i)]) = all[i].hash;
}

std::optional<double> Streams::state(StreamKey key) const {
    double s = unused;
    if (key.resample != 0) {
        if (const Resample* found = find_resample(key)) s = found->state();
    } else if (is_run_wide(key.stream)) {
        s = run_wide_[static_cast<std::size_t>(key.stream)];
    } else if (antes_[slot(key.ante)] == key.ante) {
        s = by_ante_[slot(key.ante)][ante_index(key.stream)];
    }
    if (s == unused) return std::nullopt;
    return s;
}

void Streams::set_state(StreamKey key, double state) {
    if (key.resample == 0) {
        *find(key) = state;
    } else {
        make_resample(key)->set_state(state);
    }
}

}  // namespace jimbo
