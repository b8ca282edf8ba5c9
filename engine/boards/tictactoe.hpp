// Three in a row on nine cells. An action is a cell, numbered like text.
#pragma once

#include <array>

#include "boards/planes.hpp"

namespace jimbo {

struct TicTacToeState {
    std::uint16_t own = 0;  // stones of the one to move
    std::uint16_t all = 0;
    bool operator==(const TicTacToeState&) const = default;
};

struct TicTacToe : BoardGame<TicTacToe, TicTacToeState> {
    using State = TicTacToeState;

    static constexpr GameFacts facts = board_facts("tictactoe", "Tic-Tac-Toe", 3, 3, 9, 8);
    static constexpr std::uint16_t full = 0b111111111;

    static ActionBits legal(const State& state) { return full & ~state.all; }

    static void step(State& state, int cell, SplitMix&) {
        state.own ^= state.all;
        state.all = static_cast<std::uint16_t>(state.all | 1 << cell);
    }

    static std::optional<float> ending(const State& state) {
        if (has_line(static_cast<std::uint16_t>(state.own ^ state.all))) return -1;
        if (state.all == full) return 0;
        return std::nullopt;
    }

    static void observe(const State& state, float* row) {
        write_planes(facts, state.own, state.all, legal(state), player(state), [](int cell) { return cell; }, row);
    }

    // Where a cell goes when the board is turned: the last bit mirrors it left to right, the others are quarter turns.
    static int turned(int symmetry, int cell) {
        int x = cell % 3, y = cell / 3;
        if ((symmetry & 1) != 0) x = 2 - x;
        for (int quarter = symmetry >> 1; quarter > 0; --quarter) {
            const int old = x;
            x = 2 - y;
            y = old;
        }
        return 3 * y + x;
    }
    static int turned_action(int symmetry, int action) { return turned(symmetry, action); }

    // A position that can be played on or has just ended, as far as its stones tell.
    static bool possible(const State& state) {
        const int stones = std::popcount(state.all);
        return state.all <= full && (state.own & ~state.all) == 0 && std::popcount(state.own) == stones / 2 &&
               !has_line(state.own);
    }

    static bool has_line(std::uint16_t stones) {
        constexpr std::array<std::uint16_t, 8> lines{0b111,      0b111000,    0b111000000, 0b1001001,
                                                     0b10010010, 0b100100100, 0b100010001, 0b1010100};
        for (std::uint16_t line : lines) {
            if ((stones & line) == line) return true;
        }
        return false;
    }
};

static_assert(Game<TicTacToe>);

}  // namespace jimbo
