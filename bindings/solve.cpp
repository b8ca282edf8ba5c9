#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "actions.hpp"
#include "play/legal.hpp"
#include "solve/forecast.hpp"
#include "solve/hand_order.hpp"
#include "solve/joker_order.hpp"
#include "solve/solver.hpp"
#include "strategy/hands.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

std::vector<SolvedAction> solve(const RunState& run, int rollouts, double budget_ms, std::uint64_t nonce, int threads,
                                double dollar_worth, bool clairvoyant, const ValueNet* value) {
    if (run.phase != Phase::selecting_hand)
        throw std::invalid_argument("there is no hand to play: the phase is not selecting_hand");
    if (rollouts < 1 || threads < 1) throw std::invalid_argument("rollouts and threads must be at least 1");
    nb::gil_scoped_release release;
    const SolveOptions options{.rollouts = rollouts,
                               .budget_ms = budget_ms,
                               .threads = threads,
                               .nonce = nonce,
                               .dollar_worth = dollar_worth,
                               .clairvoyant = clairvoyant};
    return value != nullptr ? solve_by_value(*value, run, options) : solve_blind(run, options);
}

std::vector<RoundForecast> forecast_worlds(const RunState& run, int rounds, int worlds, int first_world,
                                           std::uint64_t nonce, bool clairvoyant) {
    if (rounds < 1 || worlds < 1) throw std::invalid_argument("rounds and worlds must be at least 1");
    nb::gil_scoped_release release;
    const Forecast result = forecast(
        run,
        {.rounds = rounds, .worlds = worlds, .first_world = first_world, .nonce = nonce, .clairvoyant = clairvoyant});
    return {result.rounds.begin(), result.rounds.begin() + result.count};
}

std::string describe_solved(const SolvedAction& s) {
    return "<SolvedAction " + describe(s.action) + ": clears " + number_text(s.clear) + " +- " + number_text(s.error) +
           ", value " + number_text(s.value) + ", score " + number_text(s.score) + ", " + std::to_string(s.worlds) +
           " worlds>";
}

std::string describe_round(const RoundForecast& r) {
    return "<RoundForecast log score " + number_text(r.log_score) + " +- " + number_text(r.spread) + ", target " +
           number_text(r.target) + ", $" + number_text(r.dollars) + ", " + std::to_string(r.worlds) + " worlds>";
}

}  // namespace

void bind_solve(nb::module_& m) {
    nb::class_<SolvedAction>(m, "SolvedAction", "A play or discard and what comes of it.")
        .def_ro("action", &SolvedAction::action)
        .def_ro("clear", &SolvedAction::clear, "Share of worlds in which the blind was cleared.")
        .def_ro("error", &SolvedAction::error, "Its standard error.")
        .def_ro("value", &SolvedAction::value, "What the choice is made by.")
        .def_ro("score", &SolvedAction::score, "Expected score of a play, outlook of a discard.")
        .def_ro("worlds", &SolvedAction::worlds)
        .def("__repr__", &describe_solved);
    nb::class_<RoundForecast>(m, "RoundForecast", "What a run would do in one of its next blinds.")
        .def_ro("target", &RoundForecast::target, "Logarithm of the score to reach.")
        .def_ro("log_score", &RoundForecast::log_score, "Mean logarithm of what all hands score together.")
        .def_ro("spread", &RoundForecast::spread, "Its standard deviation between worlds.")
        .def_ro("dollars", &RoundForecast::dollars, "After the cash-out, nothing bought.")
        .def_ro("worlds", &RoundForecast::worlds)
        .def("__repr__", &describe_round);
    m.def("solve_blind", &solve, "run"_a, "rollouts"_a = 400, "budget_ms"_a = 0.0, "nonce"_a = 0, "threads"_a = 1,
          "dollar_worth"_a = 0.01, "clairvoyant"_a = false, "value"_a = nb::none(),
          "What can be done next in the blind and how it fares, best first. With a value, and 40 rollouts or more, "
          "what it says of the run after the blind counts in place of the dollars.");
    m.def("forecast", &forecast_worlds, "run"_a, "rounds"_a = 3, "worlds"_a = 16, "first_world"_a = 0, "nonce"_a = 0,
          "clairvoyant"_a = false, "The next blinds as the run stands, nothing bought.");
    m.def("best_joker_order", &best_joker_order, "run"_a, "nonce"_a = 0, "Present slots in the order that scores best.",
          nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "best_hand_order",
        [](const RunState& run, const Action& play) {
            if (check(run, play) != Refusal::none || play.kind != ActionKind::play) {
                throw std::invalid_argument("only the cards of a play that is allowed now can be put in order");
            }
            return best_hand_order(run, play.cards);
        },
        "run"_a, "play"_a, "Hand positions of a play's cards in the order that scores best.");
}

}  // namespace jimbo
