// The kinds of arrays that go in and out of a batch.
#pragma once

#include "buffers.hpp"
#include "learn/batch.hpp"

namespace jimbo {

inline constexpr ItemKind flag_kind{"?B", 1, "bool or uint8"};
inline constexpr ItemKind float_kind{"f", 4, "float32", 4};
inline constexpr ItemKind short_kind{"h", 2, "int16", 2};
inline constexpr ItemKind id_kind{"il", 4, "int32", 4};
inline constexpr ItemKind action_kind{"T", sizeof(Action), "action_dtype()", alignof(Action)};
inline constexpr ItemKind observation_kind{"T", sizeof(Observation), "observation_dtype()", alignof(Observation)};
inline constexpr ItemKind stats_kind{"T", sizeof(EpisodeStats), "stats_dtype()", alignof(EpisodeStats)};

}  // namespace jimbo
