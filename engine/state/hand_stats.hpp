// How far a poker hand has come in this run.
#pragma once

#include <cstdint>

namespace jimbo {

struct HandStats {
    std::int32_t level = 1;
    std::uint16_t played = 0;
    std::uint16_t played_this_round = 0;
};

}  // namespace jimbo
