// Perfect play of Tic-Tac-Toe: small enough to be played to the end every time.
#pragma once

#include <algorithm>

#include "boards/tictactoe.hpp"

namespace jimbo {

// 1, 0 or -1: won, drawn or lost for the mover.
inline int perfect_value(const TicTacToe::State& state) {
    if (const auto ending = TicTacToe::ending(state)) return static_cast<int>(*ending);
    SplitMix nobody(0);
    int best = -1;
    for (ActionBits rest = TicTacToe::legal(state); rest != 0 && best < 1; rest &= rest - 1) {
        TicTacToe::State next = state;
        TicTacToe::step(next, std::countr_zero(rest), nobody);
        best = std::max(best, -perfect_value(next));
    }
    return best;
}

// The same for each cell; nothing where a stone lies.
inline std::array<std::optional<int>, 9> perfect_values(const TicTacToe::State& state) {
    std::array<std::optional<int>, 9> values{};
    SplitMix nobody(0);
    for (ActionBits rest = TicTacToe::legal(state); rest != 0; rest &= rest - 1) {
        TicTacToe::State next = state;
        TicTacToe::step(next, std::countr_zero(rest), nobody);
        values[static_cast<std::size_t>(std::countr_zero(rest))] = -perfect_value(next);
    }
    return values;
}

}  // namespace jimbo
