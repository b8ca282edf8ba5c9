// The board games, and those who play them perfectly.
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "boards/alpha_beta.hpp"
#include "boards/connect4_lines.hpp"
#include "boards/connect4_solver.hpp"
#include "boards/tictactoe_solver.hpp"
#include "check.hpp"

using namespace jimbo;

namespace {

Connect4::State after(std::string_view columns) {
    Connect4::State state{};
    for (const char column : columns) Connect4::drop(state, column - '1');
    return state;
}

template <typename G>
int draw_action(const typename G::State& state, SplitMix& random) {
    ActionBits rest = G::legal(state);
    for (auto skip = random.below(static_cast<std::uint64_t>(std::popcount(rest))); skip > 0; --skip) rest &= rest - 1;
    return std::countr_zero(rest);
}

// Stones laid one by one on a board of characters, and lines looked for cell by cell.
struct PlainConnect4 {
    std::array<std::array<char, Connect4::width>, Connect4::height> cells{};

    void drop(int column, char stone) {
        for (int row = Connect4::height - 1; row >= 0; --row) {
            char& cell = cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
            if (cell != 0) continue;
            cell = stone;
            return;
        }
    }
    char at(int row, int column) const {
        if (row < 0 || row >= Connect4::height || column < 0 || column >= Connect4::width) return 0;
        return cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
    }
    bool won(char stone) const {
        constexpr std::array<std::pair<int, int>, 4> ways{{{0, 1}, {1, 0}, {1, 1}, {1, -1}}};
        for (int row = 0; row < Connect4::height; ++row) {
            for (int column = 0; column < Connect4::width; ++column) {
                for (const auto& [down, right] : ways) {
                    int length = 0;
                    while (length < 4 && at(row + length * down, column + length * right) == stone) ++length;
                    if (length == 4) return true;
                }
            }
        }
        return false;
    }
};

// 1, 0 or -1 by looking at everything.
int brute_force(const Connect4::State& state) {
    if (const auto ending = Connect4::ending(state)) return static_cast<int>(*ending);
    int best = -1;
    for (int column = 0; column < Connect4::width && best < 1; ++column) {
        if ((Connect4::legal(state) >> column & 1) == 0) continue;
        Connect4::State next = state;
        Connect4::drop(next, column);
        best = std::max(best, -brute_force(next));
    }
    return best;
}

// A position with so many stones that is not over.
Connect4::State drawn(int stones, SplitMix& random) {
    for (;;) {
        Connect4::State state{};
        while (std::popcount(state.all) < stones && !Connect4::ending(state)) {
            Connect4::drop(state, draw_action<Connect4>(state, random));
        }
        if (!Connect4::ending(state)) return state;
    }
}

}  // namespace

TEST(connect4_agrees_with_a_plain_board) {
    SplitMix random(1);
    int draws = 0;
    for (int game = 0; game < 3000; ++game) {
        Connect4::State state{};
        PlainConnect4 plain;
        for (int move = 0;; ++move) {
            const char stone = static_cast<char>(1 + move % 2);
            CHECK_EQ(Connect4::player(state), move % 2);
            const int column = draw_action<Connect4>(state, random);
            CHECK_EQ(plain.at(0, column), 0);
            plain.drop(column, stone);
            Connect4::drop(state, column);
            CHECK(Connect4::possible(state));
            const auto ending = Connect4::ending(state);
            const bool full = move + 1 == Connect4::width * Connect4::height;
            CHECK_EQ(ending.has_value(), plain.won(stone) || full);
            if (!ending) continue;
            CHECK_EQ(*ending, plain.won(stone) ? -1.0F : 0.0F);
            draws += *ending == 0;
            break;
        }
    }
    CHECK(draws > 0);
}

TEST(connect4_is_observed_from_the_movers_side) {
    std::array<float, 93> row{};
    Connect4::observe(after("441"), row.data());
    CHECK_EQ(row[35 + 3 - 7], 1.0F);  // the second stone in the middle column is the mover's
    CHECK_EQ(row[42 + 35 + 3], 1.0F);
    CHECK_EQ(row[42 + 35 + 0], 1.0F);
    float stones = 0;
    for (std::size_t i = 0; i < 84; ++i) stones += row[i];
    CHECK_EQ(stones, 3.0F);
    for (std::size_t i = 84; i < 91; ++i) CHECK_EQ(row[i], 1.0F);
    CHECK_EQ(row[91], 0.0F);
    CHECK_EQ(row[92], 1.0F);
}

TEST(impossible_boards_are_refused) {
    CHECK(!Connect4::possible({.own = 0, .all = 0b10}));        // in the air
    CHECK(!Connect4::possible({.own = 0b1, .all = 0b1}));       // the second player begins
    CHECK(!Connect4::possible({.own = 0b10, .all = 0b1}));      // a stone of nobody
    CHECK(!Connect4::possible({.own = 0, .all = 1ULL << 48}));  // above the board
    CHECK(!TicTacToe::possible({.own = 0, .all = 1 << 9}));
    CHECK(!TicTacToe::possible({.own = 0b111, .all = 0b111111}));  // the mover has won
}

TEST(winning_cells_are_those_that_win) {
    SplitMix random(2);
    for (int i = 0; i < 500; ++i) {
        const Connect4::State state = drawn(static_cast<int>(random.below(30)), random);
        const std::uint64_t cells = winning_cells(state.own, state.all);
        for (std::uint64_t rest = Connect4::board ^ state.all; rest != 0; rest &= rest - 1) {
            const std::uint64_t cell = rest & ~(rest - 1);
            CHECK_EQ((cells & cell) != 0, Connect4::has_line(state.own | cell));
        }
    }
}

TEST(tictactoe_has_5478_positions) {
    std::set<std::pair<int, int>> seen;
    SplitMix nobody(0);
    const auto visit = [&](auto&& self, const TicTacToe::State& state) -> void {
        if (!seen.emplace(state.own, state.all).second) return;
        CHECK(TicTacToe::possible(state));
        if (TicTacToe::ending(state)) return;
        for (ActionBits rest = TicTacToe::legal(state); rest != 0; rest &= rest - 1) {
            TicTacToe::State next = state;
            TicTacToe::step(next, std::countr_zero(rest), nobody);
            self(self, next);
        }
    };
    visit(visit, {});
    CHECK_EQ(seen.size(), std::size_t{5478});
}

TEST(turned_boards_are_worth_the_same) {
    SplitMix random(3);
    for (int i = 0; i < 200; ++i) {
        TicTacToe::State state{};
        for (std::uint64_t moves = random.below(6); moves > 0 && !TicTacToe::ending(state); --moves) {
            TicTacToe::step(state, draw_action<TicTacToe>(state, random), random);
        }
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            TicTacToe::State turned{};
            for (int cell = 0; cell < 9; ++cell) {
                const int to = TicTacToe::turned(symmetry, cell);
                turned.own = static_cast<std::uint16_t>(turned.own | (state.own >> cell & 1) << to);
                turned.all = static_cast<std::uint16_t>(turned.all | (state.all >> cell & 1) << to);
            }
            CHECK_EQ(perfect_value(turned), perfect_value(state));
        }
    }
}

TEST(connect4_solver_agrees_with_brute_force_near_the_end) {
    SplitMix random(4);
    Connect4Solver solver(16);
    for (int i = 0; i < 150; ++i) {
        const Connect4::State state = drawn(28 + static_cast<int>(random.below(10)), random);
        const int truth = brute_force(state);
        CHECK_EQ(solver.value(state), truth);
        const int score = solver.score(state);
        CHECK_EQ((score > 0) - (score < 0), truth);
    }
}

TEST(connect4_scores_count_the_stones_that_are_left) {
    Connect4Solver solver(16);
    // Known answers of positions in the literature of this game, by the columns played.
    CHECK_EQ(solver.score(after("2252576253462244111563365343671351441")), -1);
    CHECK_EQ(solver.score(after("7422341735647741166133573473242566")), 1);
    CHECK_EQ(solver.score(after("23163416124767223154467471272416755633")), 0);
    const auto scores = solver.scores(after("112233"));
    CHECK_EQ(*scores[3], 18);  // four in a row with the fourth stone
}

TEST(a_full_column_has_no_value) {
    Connect4Solver solver(12);
    const auto values = solver.values(after("1111112323232323767676"));
    CHECK(!values[0].has_value());
    CHECK(values[3].has_value());
}

TEST(alpha_beta_sees_what_comes) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        CHECK_EQ(alpha_beta_move(after("2233"), 3, seed), 3);    // makes three with both ends open: wins
        CHECK_EQ(alpha_beta_move(after("11223"), 2, seed), 3);   // must stop four in a row
        CHECK_EQ(alpha_beta_move(after("112233"), 1, seed), 3);  // wins at once
    }
    std::set<int> first;
    for (std::uint64_t seed = 0; seed < 40; ++seed) first.insert(alpha_beta_move({}, 1, seed));
    CHECK_EQ(first.size(), std::size_t{1});  // the middle looks best
}

TEST(a_deeper_look_wins_more) {
    int points = 0;
    for (std::uint64_t game = 0; game < 40; ++game) {
        Connect4::State state{};
        for (std::uint64_t move = 0; !Connect4::ending(state); ++move) {
            const bool deep = (move + game) % 2 == 0;
            Connect4::drop(state, alpha_beta_move(state, deep ? 6 : 2, 100 * game + move));
            if (Connect4::ending(state) == -1.0F) points += deep ? 1 : -1;
        }
    }
    CHECK(points >= 20);
}
