// Solvers of the board games.
#include <mutex>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arena/position_of.hpp"
#include "boards/alpha_beta.hpp"
#include "boards/connect4_solver.hpp"
#include "boards/tictactoe_solver.hpp"
#include "buffers.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

using Values = std::vector<std::optional<int>>;

template <Game G>
const typename G::State& state_of(const AnyPosition& position) {
    const auto* own = dynamic_cast<const PositionOf<G>*>(&position);
    require(own != nullptr, "this is a position of another game");
    require(!own->ending(), "the game is over");
    return own->state();
}

template <typename Array>
Values listed(const Array& values) {
    return {values.begin(), values.end()};
}

// One solver may be asked by several threads, in turn.
class SharedSolver {
public:
    explicit SharedSolver(int bits) : solver_(bits) {}

    Values values(const AnyPosition& position) {
        const Connect4::State& state = state_of<Connect4>(position);
        nb::gil_scoped_release free;
        const std::scoped_lock turn(turn_);
        return listed(solver_.values(state));
    }
    Values scores(const AnyPosition& position) {
        const Connect4::State& state = state_of<Connect4>(position);
        nb::gil_scoped_release free;
        const std::scoped_lock turn(turn_);
        return listed(solver_.scores(state));
    }
    std::int64_t positions() const { return solver_.positions(); }

private:
    Connect4Solver solver_;
    std::mutex turn_;
};

void make_solver(SharedSolver* self, int bits) {
    require(bits >= 10 && bits <= 30, "a solver remembers 2 to the power of 10 to 30 positions");
    new (self) SharedSolver(bits);
}

int column_of(const AnyPosition& position, int depth, std::uint64_t seed) {
    require(depth >= 1, "a player looks at least one move ahead");
    return alpha_beta_move(state_of<Connect4>(position), depth, seed);
}

}  // namespace

void bind_boards(nb::module_& m) {
    nb::class_<SharedSolver>(m, "Connect4Solver", "Perfect play of Connect Four.")
        .def("__init__", &make_solver, "bits"_a)
        .def("values", &SharedSolver::values, "position"_a, "1, 0 or -1 for each column, None where it is full.")
        .def("scores", &SharedSolver::scores, "position"_a, "The same with the winner's stones that are left.")
        .def_prop_ro("positions", &SharedSolver::positions, "Looked at so far.");
    m.def(
        "tictactoe_values",
        [](const AnyPosition& position) { return listed(perfect_values(state_of<TicTacToe>(position))); }, "position"_a,
        "1, 0 or -1 for each cell, None where a stone lies.");
    m.def("alpha_beta_move", &column_of, "position"_a, "depth"_a, "seed"_a,
          "The column of a player who looks that many moves ahead.");
}

}  // namespace jimbo
