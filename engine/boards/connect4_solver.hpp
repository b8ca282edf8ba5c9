// Perfect play of Connect Four: alpha-beta with a table of positions met before.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "boards/connect4.hpp"

namespace jimbo {

class Connect4Solver {
public:
    // `bits`: the table has 2 to this power entries of eight bytes.
    explicit Connect4Solver(int bits = 23);

    // 1, 0 or -1: won, drawn or lost for the mover, who must not have won or lost already.
    int value(const Connect4::State& state);
    // The same for each column; nothing where it is full.
    std::array<std::optional<int>, Connect4::width> values(const Connect4::State& state);

    // With the length of the game: the number of stones that the winner has left when the game ends, at least one;
    // negative for the loser, and 0 for a draw.
    int score(const Connect4::State& state);
    std::array<std::optional<int>, Connect4::width> scores(const Connect4::State& state);

    std::int64_t positions() const { return positions_; }  // looked at so far

private:
    int between(const Connect4::State& state, int low, int high);
    int search(const Connect4::State& state, std::uint64_t key, int alpha, int beta);
    std::optional<int> narrow(std::uint64_t key, int& alpha, int& beta);
    template <typename Solve>
    std::array<std::optional<int>, Connect4::width> of_columns(const Connect4::State& state, const Solve& solve);

    std::uint64_t* entry(std::uint64_t key);

    std::vector<std::uint64_t> table_;
    int shift_;
    std::int64_t positions_ = 0;
};

}  // namespace jimbo
