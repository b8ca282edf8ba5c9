#include "boards/alpha_beta.hpp"

#include <algorithm>

#include "boards/connect4_lines.hpp"

namespace jimbo {
namespace {

using State = Connect4::State;

constexpr int won = 10'000;  // less one for each move that it takes: sooner is better
constexpr int threat_worth = 4;

// How good a position looks when nobody looks further: cells that would win, and stones in the middle.
int looks(const State& state) {
    const std::uint64_t other = state.own ^ state.all;
    const int threats =
        std::popcount(winning_cells(state.own, state.all)) - std::popcount(winning_cells(other, state.all));
    const int middle = std::popcount(state.own & column_cells(3)) - std::popcount(other & column_cells(3));
    return threat_worth * threats + middle;
}

// The value for the mover, if it lies between alpha and beta; `moves` have been made since the choice.
int look_ahead(const State& state, int depth, int alpha, int beta, int moves) {
    if (state.all == Connect4::board) return 0;
    if (wins_at_once(state)) return won - moves;
    if (depth <= 0) return looks(state);
    for (const int column : middle_first) {
        if ((Connect4::legal(state) >> column & 1) == 0) continue;
        State next = state;
        Connect4::drop(next, column);
        alpha = std::max(alpha, -look_ahead(next, depth - 1, -beta, -alpha, moves + 1));
        if (alpha >= beta) break;
    }
    return alpha;
}

}  // namespace

int alpha_beta_move(const State& state, int depth, std::uint64_t seed) {
    std::array<int, Connect4::width> best{};
    std::uint64_t count = 0;
    int lead = -won - 1;
    for (const int column : middle_first) {
        if ((Connect4::legal(state) >> column & 1) == 0) continue;
        State next = state;
        Connect4::drop(next, column);
        // Beta one above the lead: a column that is just as good is found to be so.
        const int value =
            Connect4::ending(next) == -1.0F ? won : -look_ahead(next, depth - 1, -won - 1, -(lead - 1), 1);
        if (value > lead) count = 0;
        if (value < lead) continue;
        lead = value;
        best[count++] = column;
    }
    return best[SplitMix(seed).below(count)];
}

}  // namespace jimbo
