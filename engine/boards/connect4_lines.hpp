// Where stones win, for players and solvers of Connect Four.
#pragma once

#include <array>

#include "boards/connect4.hpp"

namespace jimbo {

// From the middle outwards: where good moves are most often.
inline constexpr std::array<int, Connect4::width> middle_first{3, 2, 4, 1, 5, 0, 6};

constexpr std::uint64_t column_cells(int column) { return std::uint64_t{0b111111} << (7 * column); }

// The cells onto which the next stones can fall, one in each column that is not full.
inline std::uint64_t next_cells(std::uint64_t all) { return (all + Connect4::bottom) & Connect4::board; }

// Empty cells that would complete a line of these stones, whether a stone can fall there yet or not.
inline std::uint64_t winning_cells(std::uint64_t stones, std::uint64_t all) {
    std::uint64_t cells = stones << 1 & stones << 2 & stones << 3;  // upwards
    for (const int step : {7, 6, 8}) {
        const std::uint64_t two_after = stones << step & stones << 2 * step;
        const std::uint64_t two_before = stones >> step & stones >> 2 * step;
        cells |= two_after & (stones << 3 * step | stones >> step);
        cells |= two_before & (stones >> 3 * step | stones << step);
    }
    return cells & (Connect4::board ^ all);
}

inline bool wins_at_once(const Connect4::State& state) {
    return (winning_cells(state.own, state.all) & next_cells(state.all)) != 0;
}

// Cells of moves after which the other cannot win at once. The mover must not be able to win at once.
inline std::uint64_t safe_cells(const Connect4::State& state) {
    std::uint64_t cells = next_cells(state.all);
    const std::uint64_t threats = winning_cells(state.own ^ state.all, state.all);
    const std::uint64_t forced = cells & threats;
    if (forced != 0) {
        if ((forced & (forced - 1)) != 0) return 0;  // only one of two can be stopped
        cells = forced;
    }
    return cells & ~(threats >> 1);  // not under a cell where the other wins
}

}  // namespace jimbo
