// How boards are observed, always from the side of the mover: own stones, the other's, allowed actions, whose turn it
// is (first player, second player). Cells are read like text, from the top left.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "tree/game.hpp"

namespace jimbo {

constexpr int planes_size(int cells, int actions) { return 2 * cells + actions + 2; }

constexpr GameFacts board_facts(std::string_view env_id, std::string_view name, int width, int height, int actions,
                                int symmetries) {
    const int cells = width * height;
    return {env_id, name, width, height, actions, planes_size(cells, actions), 2 * cells, 2, cells, symmetries};
}

// `bit_of(cell)` says where a cell lies in the stones.
template <typename Stones, typename BitOf>
void write_planes(const GameFacts& facts, Stones own, Stones all, ActionBits legal, int player, BitOf bit_of,
                  float* row) {
    const int cells = facts.board_width * facts.board_height;
    const Stones other = own ^ all;
    for (int cell = 0; cell < cells; ++cell) {
        row[cell] = static_cast<float>(own >> bit_of(cell) & 1);
        row[cells + cell] = static_cast<float>(other >> bit_of(cell) & 1);
    }
    row += facts.legal_mask_offset;
    for (int a = 0; a < facts.num_actions; ++a) *row++ = static_cast<float>(legal >> a & 1);
    row[player] = 1;
    row[1 - player] = 0;
}

// What the boards have in common. As bytes they are the stones, as they lie in memory.
template <typename Board, typename State>
struct BoardGame {
    static constexpr int outcomes = 1;
    static constexpr int state_size = sizeof(State);

    static State start(SplitMix&) { return {}; }
    static float guess(const State&) { return 0; }
    static int player(const State& state) { return std::popcount(state.all) & 1; }

    static void write_state(const State& state, std::uint8_t* bytes) { std::memcpy(bytes, &state, sizeof(State)); }
    static std::optional<State> read_state(const std::uint8_t* bytes) {
        State state;
        std::memcpy(&state, bytes, sizeof(State));
        if (!Board::possible(state)) return std::nullopt;
        return state;
    }
};

}  // namespace jimbo
