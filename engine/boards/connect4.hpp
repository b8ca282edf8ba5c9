// Four in a row, seven columns of six cells. An action is a column.
//
// Stones are bits: column x, height y above the bottom, is bit 7 x + y; the seventh bit of a column stays empty, so
// that lines do not run from one column into the next.
#pragma once

#include "boards/planes.hpp"

namespace jimbo {

struct Connect4State {
    std::uint64_t own = 0;  // stones of the one to move
    std::uint64_t all = 0;
    bool operator==(const Connect4State&) const = default;
};

struct Connect4 : BoardGame<Connect4, Connect4State> {
    using State = Connect4State;

    static constexpr GameFacts facts = board_facts("connect4", "Connect Four", 7, 6, 7, 2);
    static constexpr int width = 7;
    static constexpr int height = 6;
    static constexpr std::uint64_t bottom = 0x40810204081;  // of all columns
    static constexpr std::uint64_t board = bottom * 0b111111;

    static ActionBits legal(const State& state) {
        const std::uint64_t open = ~state.all >> (height - 1) & bottom;
        return static_cast<ActionBits>(open | open >> 6 | open >> 12 | open >> 18 | open >> 24 | open >> 30 |
                                       open >> 36) &
               0b1111111;
    }

    static void step(State& state, int column, SplitMix&) { drop(state, column); }
    static void drop(State& state, int column) {
        state.own ^= state.all;
        state.all |= state.all + (std::uint64_t{1} << (7 * column));
    }

    static std::optional<float> ending(const State& state) {
        if (has_line(state.own ^ state.all)) return -1;
        if (state.all == board) return 0;
        return std::nullopt;
    }

    static void observe(const State& state, float* row) {
        const auto bit_of = [](int cell) { return 7 * (cell % width) + (height - 1 - cell / width); };
        write_planes(facts, state.own, state.all, legal(state), player(state), bit_of, row);
    }

    static int turned(int symmetry, int cell) {
        return symmetry == 0 ? cell : cell / width * width + turned_action(symmetry, cell % width);
    }
    static int turned_action(int symmetry, int column) { return symmetry == 0 ? column : width - 1 - column; }

    // A position that can be played on or has just ended, as far as its stones tell.
    static bool possible(const State& state) {
        if ((state.all & ~board) != 0 || (state.own & ~state.all) != 0 || has_line(state.own)) return false;
        if (std::popcount(state.own) != std::popcount(state.all) / 2) return false;
        return ((state.all + bottom) & state.all) == 0;  // no stone hangs in the air
    }

    static bool has_line(std::uint64_t stones) {
        const auto runs = [stones](int step) {
            const std::uint64_t pairs = stones & stones >> step;
            return pairs & pairs >> 2 * step;
        };
        return (runs(1) | runs(7) | runs(6) | runs(8)) != 0;
    }
};

static_assert(Game<Connect4>);

}  // namespace jimbo
