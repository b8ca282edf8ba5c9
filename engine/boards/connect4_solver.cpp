#include "boards/connect4_solver.hpp"

#include <algorithm>

#include "base/fixed_vector.hpp"
#include "boards/connect4_lines.hpp"

namespace jimbo {
namespace {

using State = Connect4::State;

constexpr int cells = Connect4::width * Connect4::height;
constexpr int largest = 18;  // of all scores: no game can be won with fewer than four stones
constexpr int lowest = -largest;

int stones_of(const State& state) { return std::popcount(state.all); }

// A number that no other position has: the stones of the mover, and a bit above the top of each column.
std::uint64_t key_of(const State& state) { return state.own + state.all + Connect4::bottom; }

std::uint64_t mirrored(std::uint64_t key) {
    std::uint64_t mirror = 0;
    for (int column = 0; column < Connect4::width; ++column) {
        mirror = mirror << 7 | (key >> (7 * column) & 0b1111111);
    }
    return mirror;
}

// Mirror images early in the game are one position; later too few are met to be worth the time.
std::uint64_t table_key(const State& state) {
    constexpr int early = 16;
    const std::uint64_t key = key_of(state);
    return stones_of(state) <= early ? std::min(key, mirrored(key)) : key;
}

State after(const State& state, std::uint64_t cell) { return {state.own ^ state.all, state.all | cell}; }

struct Move {
    State after;
    std::uint64_t key = 0;  // of the position after it
    int threats = 0;
};
using Moves = FixedVector<Move, Connect4::width>;

// Safe moves, those that make most threats first; among equals the middle first.
template <typename Prefetch>
Moves ordered(const State& state, std::uint64_t safe, const Prefetch& prefetch) {
    Moves moves;
    for (const int column : middle_first) {
        const std::uint64_t cell = safe & column_cells(column);
        if (cell == 0) continue;
        const State next = after(state, cell);
        const Move move{next, table_key(next), std::popcount(winning_cells(state.own | cell, next.all))};
        prefetch(move.key);
        int at = moves.size();
        while (at > 0 && moves[at - 1].threats < move.threats) --at;
        moves.insert(at, move);
    }
    return moves;
}

int won_next(const State& state) { return (cells + 1 - stones_of(state)) / 2; }

struct Bounds {
    int low = 0;
    int high = 0;
};

// What the score can be at all, when nobody can win with the next move.
Bounds bounds_of(const State& state, int stones) {
    constexpr std::uint64_t even_rows = Connect4::bottom * 0b101010;  // the second, the fourth and the top one
    Bounds bounds{-(cells - 2 - stones) / 2, (cells - 1 - stones) / 2};
    const std::uint64_t other = state.own ^ state.all;
    const std::uint64_t empty = Connect4::board ^ state.all;
    if (!Connect4::has_line(state.own | empty)) bounds.high = 0;
    if (!Connect4::has_line(other | empty)) bounds.low = 0;
    // All columns have an even number of empty cells: who moves second can always answer in the same column, and then
    // has every empty cell of the even rows.
    if ((next_cells(state.all) & even_rows) == 0 && !Connect4::has_line(state.own | (empty & ~even_rows))) {
        bounds.high = std::min(bounds.high, Connect4::has_line(other | (empty & even_rows)) ? -1 : 0);
    }
    return bounds;
}

// Entries: the key above, below it eight bits: a lower bound of the score, or an upper one.
constexpr int upper_code = 0x80;
std::uint64_t packed(std::uint64_t key, int bound, bool is_upper) {
    return key << 8 | static_cast<std::uint64_t>((bound - lowest) | (is_upper ? upper_code : 0));
}

int bound_in(std::uint64_t entry) { return static_cast<int>(entry & 0x7F) + lowest; }

}  // namespace

Connect4Solver::Connect4Solver(int bits) : table_(std::size_t{1} << bits), shift_(64 - bits) {}

std::uint64_t* Connect4Solver::entry(std::uint64_t key) { return &table_[key * 0x9E3779B97F4A7C15ULL >> shift_]; }

// The score if it lies between alpha and beta, otherwise a bound. The mover cannot win at once.
int Connect4Solver::search(const State& state, std::uint64_t key, int alpha, int beta) {
    ++positions_;
    const std::uint64_t safe = safe_cells(state);
    const int stones = stones_of(state);
    if (safe == 0) return -(cells - stones) / 2;  // the other wins with the next move
    if (stones >= cells - 2) return 0;

    const Bounds bounds = bounds_of(state, stones);
    if (bounds.low >= beta) return bounds.low;
    if (bounds.high <= alpha) return bounds.high;
    alpha = std::max(alpha, bounds.low);
    beta = std::min(beta, bounds.high);

    if (const std::optional<int> known = narrow(key, alpha, beta)) return *known;

    const Moves moves = ordered(state, safe, [this](std::uint64_t next) { __builtin_prefetch(entry(next)); });
    for (const Move& move : moves) {
        // A move that is known to be good enough needs no search, and neither do the others then.
        const std::uint64_t known = *entry(move.key);
        if (known >> 8 == move.key && (known & upper_code) != 0 && -bound_in(known) >= beta) return -bound_in(known);
    }
    for (const Move& move : moves) {
        const int score = -search(move.after, move.key, -beta, -alpha);
        if (score >= beta) {
            *entry(key) = packed(key, score, false);
            return score;
        }
        alpha = std::max(alpha, score);
    }
    *entry(key) = packed(key, alpha, true);
    return alpha;
}

// Makes the window narrower by what is known; the answer if nothing is left of it.
std::optional<int> Connect4Solver::narrow(std::uint64_t key, int& alpha, int& beta) {
    const std::uint64_t known = *entry(key);
    if (known >> 8 != key) return std::nullopt;
    const int bound = bound_in(known);
    if ((known & upper_code) != 0) {
        beta = std::min(beta, bound);
    } else {
        alpha = std::max(alpha, bound);
    }
    if (alpha >= beta) return bound;
    return std::nullopt;
}

// Narrow windows, halving what is possible: most positions are cut off sooner than with one wide window.
int Connect4Solver::between(const State& state, int low, int high) {
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle <= 0 && low / 2 < middle) {
            middle = low / 2;
        } else if (middle >= 0 && high / 2 > middle) {
            middle = high / 2;
        }
        const int score = search(state, table_key(state), middle, middle + 1);
        if (score <= middle) {
            high = score;
        } else {
            low = score;
        }
    }
    return low;
}

int Connect4Solver::score(const State& state) {
    if (wins_at_once(state)) return won_next(state);
    return between(state, -(cells - stones_of(state)) / 2, won_next(state));
}

int Connect4Solver::value(const State& state) {
    if (wins_at_once(state)) return 1;
    return std::clamp(between(state, -1, 1), -1, 1);
}

template <typename Solve>
std::array<std::optional<int>, Connect4::width> Connect4Solver::of_columns(const State& state, const Solve& solve) {
    std::array<std::optional<int>, Connect4::width> results{};
    for (const int column : middle_first) {
        if ((Connect4::legal(state) >> column & 1) == 0) continue;
        State next = state;
        Connect4::drop(next, column);
        const auto ending = Connect4::ending(next);
        results[static_cast<std::size_t>(column)] = solve(next, ending);
    }
    return results;
}

std::array<std::optional<int>, Connect4::width> Connect4Solver::values(const State& state) {
    return of_columns(state, [this](const State& next, std::optional<float> ending) {
        return ending ? -static_cast<int>(*ending) : -value(next);
    });
}

std::array<std::optional<int>, Connect4::width> Connect4Solver::scores(const State& state) {
    return of_columns(state, [&](const State& next, std::optional<float> ending) {
        if (!ending) return -score(next);
        return *ending < 0 ? won_next(state) : 0;
    });
}

}  // namespace jimbo
