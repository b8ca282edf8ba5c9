// Measuring the engine.
#include "bench/bench.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "state/run_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {

void bind_bench(nb::module_& m) {
    nb::class_<Timing>(m, "Timing", "How long a number of things took.")
        .def_ro("count", &Timing::count)
        .def_ro("wall_s", &Timing::wall_s)
        .def_ro("cpu_s", &Timing::cpu_s, "Of all threads.")
        .def_ro("checksum", &Timing::checksum, "Of the results, the same each time.");
    using Free = nb::call_guard<nb::gil_scoped_release>;
    m.def("time_decisions", &time_decisions, "count"_a, "threads"_a, Free(), "Random play, `count` on each thread.");
    m.def("time_runs", &time_runs, "count"_a, Free(), "Random play of whole runs.");
    m.def("time_clones", &time_clones, "count"_a, Free(), "Copies of positions in the middle of a run.");
    m.def("time_scores", &time_scores, "count"_a, Free(), "Scores of five cards with five jokers.");
    m.def("time_best_hands", &time_best_hands, "count"_a, Free(), "Searches for the best play of eight cards.");
    m.def("time_public_states", &time_public_states, "count"_a, Free(), "Public states of positions.");
    m.def("time_draws", &time_draws, "count"_a, Free(), "Draws from random streams.");
    m.def("signature", &signature, Free(), "A hash over fixed random runs that changes only with the rules.");
    m.attr("STATE_BYTES") = sizeof(RunState);
}

}  // namespace jimbo
