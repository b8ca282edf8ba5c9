// Games for learning by self-play: positions, and searches of many games at once.
#include <algorithm>
#include <cmath>
#include <span>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arena/position.hpp"
#include "arena/self_play.hpp"
#include "array_kinds.hpp"
#include "strategy/value_net.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

constexpr ItemKind byte_kind{"B", 1, "uint8"};
constexpr ItemKind long_kind{"ql", 8, "int64", 8};

void step(AnyPosition& position, int action) {
    require(!position.ending(), "the game is over");
    const bool allowed = action >= 0 && action < position.facts().num_actions && (position.legal() >> action & 1) != 0;
    if (!allowed) throw std::invalid_argument("action " + std::to_string(action) + " is not allowed here");
    position.step(action);
}

std::vector<bool> legal_flags(const AnyPosition& position) {
    std::vector<bool> flags;
    for (int a = 0; a < position.facts().num_actions; ++a) flags.push_back((position.legal() >> a & 1) != 0);
    return flags;
}

void check(const SearchSettings& settings) {
    require(settings.simulations >= 1, "a search has at least one simulation");
    require(settings.worlds >= 1 && settings.worlds <= max_worlds, "a search tries 1 to 8 worlds");
    require(settings.random_opening >= 0, "a random opening has no less than 0 moves");
}

SelfPlayOptions options_of(const SearchSettings& settings, std::uint64_t seed, int threads) {
    check(settings);
    require(threads >= 1, "at least one thread is needed");
    return {settings, seed, threads};
}

std::unique_ptr<SelfPlay> new_games(std::string_view env_id, int games, const SearchSettings& settings,
                                    std::uint64_t seed, int threads) {
    require(games >= 1, "at least one game is needed");
    return play_games(env_id, games, options_of(settings, seed, threads));
}

std::unique_ptr<SelfPlay> new_searches(const std::vector<AnyPosition*>& positions, const SearchSettings& settings,
                                       std::uint64_t seed, int threads) {
    const std::vector<const AnyPosition*> all(positions.begin(), positions.end());
    return search_positions(all, options_of(settings, seed, threads));
}

void write_leaves(SelfPlay& play, nb::handle rows, int count) {
    const Buffer out(rows, "rows", float_kind, {count, play.facts().obs_size}, true);
    nb::gil_scoped_release free;
    play.write_leaves(out.as<float>());
}

void evaluated(SelfPlay& play, nb::handle logits, nb::handle values, int count) {
    const Buffer policy(logits, "logits", float_kind, {count, play.facts().num_actions}, false);
    const Buffer value(values, "values", float_kind, {count}, false);
    const std::span logit_numbers(policy.as<const float>(), static_cast<std::size_t>(count * play.facts().num_actions));
    const std::span value_numbers(value.as<const float>(), static_cast<std::size_t>(count));
    const auto is_nan = [](float number) { return std::isnan(number); };
    const auto is_wild = [](float number) { return !std::isfinite(number); };
    require(std::none_of(logit_numbers.begin(), logit_numbers.end(), is_nan), "logits that are no numbers were given");
    require(std::none_of(value_numbers.begin(), value_numbers.end(), is_wild), "values that are no numbers were given");
    nb::gil_scoped_release free;
    play.evaluated(policy.as<const float>(), value.as<const float>());
}

void evaluate_by(SelfPlay& play, const ValueNet& net) {
    nb::gil_scoped_release free;
    play.evaluate_by(net);
}

void run_uniform(SelfPlay& play, std::int64_t simulations) {
    if (play.is_waiting()) throw std::invalid_argument("positions still wait for their evaluations");
    play.run_uniform(simulations);
}

void take_finished(SelfPlay& play, const nb::typed<nb::dict, nb::str, nb::object>& arrays) {
    const int n = play.finished_rows();
    const GameFacts& facts = play.facts();
    std::vector<Buffer> held;
    const auto take = [&]<typename T>(const char* name, const ItemKind& kind, const std::vector<int>& shape, T*& to) {
        held.emplace_back(arrays[name], name, kind, shape, true);
        to = held.back().as<T>();
    };
    FinishedArrays out;
    take("episode", long_kind, {n}, out.episode);
    take("step", id_kind, {n}, out.step);
    take("action", id_kind, {n}, out.action);
    take("state", byte_kind, {n, play.state_size()}, out.state);
    take("next_state", byte_kind, {n, play.state_size()}, out.next_state);
    take("observation", float_kind, {n, facts.obs_size}, out.observation);
    take("next_observation", float_kind, {n, facts.obs_size}, out.next_observation);
    take("reward", float_kind, {n}, out.reward);
    take("done", flag_kind, {n}, out.done);
    take("policy", float_kind, {n, facts.num_actions}, out.policy);
    take("value", float_kind, {n}, out.value);
    take("outcome", float_kind, {n}, out.outcome);
    play.take_finished(out);
}

// The chosen action and the value for each position.
std::vector<std::pair<int, float>> results(SelfPlay& play, nb::handle policies) {
    const Buffer out(policies, "policies", float_kind, {play.games(), play.facts().num_actions}, true);
    std::vector<std::pair<int, float>> pairs;
    for (const SearchResult& result : play.results(out.as<float>())) pairs.emplace_back(result.action, result.value);
    return pairs;
}

void bind_facts(nb::module_& m) {
    nb::class_<GameFacts>(m, "GameFacts", "A game as stores and learners describe it.")
        .def_ro("env_id", &GameFacts::env_id)
        .def_ro("display_name", &GameFacts::display_name)
        .def_ro("board_width", &GameFacts::board_width)
        .def_ro("board_height", &GameFacts::board_height)
        .def_ro("num_actions", &GameFacts::num_actions)
        .def_ro("obs_size", &GameFacts::obs_size)
        .def_ro("legal_mask_offset", &GameFacts::legal_mask_offset)
        .def_ro("player_count", &GameFacts::player_count)
        .def_ro("max_steps", &GameFacts::max_steps)
        .def_ro("symmetries", &GameFacts::symmetries);
    m.def("game_list", &game_list, "The games there are.");
    m.def("turned_observation", &turned_observation, "env_id"_a, "symmetry"_a,
          "Where each number of an observation comes from when the board is turned.");
    m.def("turned_policy", &turned_policy, "env_id"_a, "symmetry"_a, "The same for actions.");
}

void bind_position(nb::module_& m) {
    nb::class_<AnyPosition>(m, "AnyPosition", "A position of one of the games.")
        .def("copy", &AnyPosition::copy)
        .def("legal", &legal_flags, "Which actions are allowed.")
        .def("step", &step, "action"_a)
        .def_prop_ro("ending", &AnyPosition::ending, "How it ended, seen by the one who would move.")
        .def_prop_ro("player", &AnyPosition::player)
        .def(
            "observe",
            [](const AnyPosition& self, nb::handle row) {
                const Buffer out(row, "row", float_kind, {self.facts().obs_size}, true);
                self.observe(out.as<float>());
            },
            "row"_a)
        .def_prop_ro("bytes", [](const AnyPosition& self) {
            const std::string bytes = self.bytes();
            return nb::bytes(bytes.data(), bytes.size());
        });
    m.def("start_position", &start_position, "env_id"_a, "seed"_a, "The start of a game.");
    m.def(
        "position_from_bytes",
        [](std::string_view env_id, const nb::bytes& bytes) {
            return position_from_bytes(env_id, {bytes.c_str(), bytes.size()});
        },
        "env_id"_a, "data"_a, "A position from its bytes.");
}

void bind_settings(nb::module_& m) {
    nb::class_<SearchSettings>(m, "SearchSettings", "How a search is made.")
        .def(nb::init<>())
        .def_prop_rw(
            "search", [](const SearchSettings& self) { return self.kind == SearchKind::gumbel ? "gumbel" : "puct"; },
            [](SearchSettings& self, std::string_view kind) {
                require(kind == "gumbel" || kind == "puct", "a search is of the kind puct or gumbel");
                self.kind = kind == "gumbel" ? SearchKind::gumbel : SearchKind::puct;
            })
        .def_rw("simulations", &SearchSettings::simulations)
        .def_rw("c_puct", &SearchSettings::c_puct)
        .def_rw("dirichlet_alpha", &SearchSettings::dirichlet_alpha)
        .def_rw("dirichlet_weight", &SearchSettings::dirichlet_weight)
        .def_rw("temperature", &SearchSettings::temperature)
        .def_rw("late_temperature", &SearchSettings::late_temperature)
        .def_rw("temperature_moves", &SearchSettings::temperature_moves)
        .def_rw("virtual_loss", &SearchSettings::virtual_loss)
        .def_rw("leaf_batch", &SearchSettings::leaf_batch)
        .def_rw("gumbel_considered", &SearchSettings::gumbel_considered)
        .def_rw("gumbel_scale", &SearchSettings::gumbel_scale)
        .def_rw("gumbel_value_scale", &SearchSettings::gumbel_value_scale)
        .def_rw("tree_reuse", &SearchSettings::tree_reuse)
        .def_rw("worlds", &SearchSettings::worlds)
        .def_rw("playouts", &SearchSettings::playouts)
        .def_rw("random_opening", &SearchSettings::random_opening);
}

void bind_self_play(nb::module_& m) {
    nb::class_<SelfPlay>(m, "SelfPlay", "Many games, or positions, searched side by side.")
        .def_prop_ro("most_leaves", &SelfPlay::most_leaves, "More positions never wait at once.")
        .def_prop_ro("state_size", &SelfPlay::state_size)
        .def_prop_ro("games", &SelfPlay::games)
        .def("collect", &SelfPlay::collect, nb::call_guard<nb::gil_scoped_release>(),
             "Goes on until every game waits for evaluations: how many there are.")
        .def("write_leaves", &write_leaves, "rows"_a, "count"_a, "The positions that wait, as observations.")
        .def("evaluated", &evaluated, "logits"_a, "values"_a, "count"_a, "Their evaluations, in the same order.")
        .def("evaluate_by", &evaluate_by, "net"_a,
             "Evaluates them by the learnt value of runs; ValueError for a game that has none.")
        .def("run_uniform", &run_uniform, "simulations"_a, nb::call_guard<nb::gil_scoped_release>(),
             "That many simulations in all, without a network.")
        .def_prop_ro("simulations", &SelfPlay::simulations)
        .def_prop_ro("moves", &SelfPlay::moves)
        .def_prop_ro("episodes", &SelfPlay::episodes)
        .def_prop_ro("finished_rows", &SelfPlay::finished_rows)
        .def("take_finished", &take_finished, "arrays"_a, "Decisions of games that ended, written into these arrays.")
        .def("results", &results, "policies"_a, "Action and value for each position.");
    m.def("play_games", &new_games, "env_id"_a, "games"_a, "settings"_a, "seed"_a, "threads"_a,
          "Games from their start, one after the other in each place.");
    m.def("search_positions", &new_searches, "positions"_a, "settings"_a, "seed"_a, "threads"_a,
          "One search of each of these positions.");
}

}  // namespace

void bind_arena(nb::module_& m) {
    bind_facts(m);
    bind_position(m);
    bind_settings(m);
    bind_self_play(m);
}

}  // namespace jimbo
