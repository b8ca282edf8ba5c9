#include "learn/flat.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace jimbo {
namespace {

// Values of one type, by their place.
template <typename T>
struct Values {
    const std::uint8_t* bytes;
    int scale;  // bytes for one step of a place

    T operator[](std::int32_t place) const {
        T value;
        std::memcpy(&value, bytes + static_cast<std::ptrdiff_t>(place) * scale, sizeof value);
        return value;
    }
};

float symlog_of(float x) { return std::copysign(std::log1p(std::abs(x)), x); }

template <typename T>
void write_group(FlatHow how, const std::vector<FlatEntry>& entries, Values<T> values, float* row) {
    switch (how) {
        case FlatHow::kinds:
            for (const FlatEntry& entry : entries) {
                const int id = static_cast<int>(values[entry.place]);
                if (id > 0 && id <= entry.width) row[entry.column + id - 1] += 1;
            }
            break;
        case FlatHow::bits:
            for (const FlatEntry& entry : entries) {
                const int id = static_cast<int>(values[entry.place]);
                if (id == 0) continue;
                const int shown = id + entry.base;
                for (int b = 0; b < entry.width; ++b) row[entry.column + b] = static_cast<float>((shown >> b) & 1);
            }
            break;
        case FlatHow::numbers:
            for (const FlatEntry& entry : entries) {
                row[entry.column] = static_cast<float>(values[entry.place]) * entry.scale;
            }
            break;
        case FlatHow::logs:
            for (const FlatEntry& entry : entries) {
                const auto x = static_cast<float>(values[entry.place]);
                if (x != 0) row[entry.column] = symlog_of(x) * entry.scale;
            }
            break;
    }
}

}  // namespace

void FlatPlan::add(FlatSource source, FlatHow how, const FlatEntry& entry) {
    const auto same = [&](const Group& group) { return group.source == source && group.how == how; };
    auto found = std::find_if(groups_.begin(), groups_.end(), same);
    if (found == groups_.end()) found = groups_.insert(found, {source, how, {}});
    found->entries.push_back(entry);
}

void FlatPlan::write(const Observation& observation, const std::int16_t* ids, const float* numbers, float* row) const {
    std::fill_n(row, size_, 0.0F);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&observation);
    for (const Group& group : groups_) {
        switch (group.source) {
            case FlatSource::u8:
                write_group(group.how, group.entries, Values<std::uint8_t>{bytes, 1}, row);
                break;
            case FlatSource::i16:
                write_group(group.how, group.entries, Values<std::int16_t>{bytes, 1}, row);
                break;
            case FlatSource::f32:
                write_group(group.how, group.entries, Values<float>{bytes, 1}, row);
                break;
            case FlatSource::candidate_id:
                write_group(group.how, group.entries,
                            Values<std::int16_t>{reinterpret_cast<const std::uint8_t*>(ids), 2}, row);
                break;
            case FlatSource::candidate_number:
                write_group(group.how, group.entries, Values<float>{reinterpret_cast<const std::uint8_t*>(numbers), 4},
                            row);
                break;
        }
    }
}

}  // namespace jimbo
