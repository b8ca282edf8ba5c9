// The learnt value and the player that decides by it.
#include <cstring>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "actions.hpp"
#include "names.hpp"
#include "parse.hpp"
#include "strategy/training_games.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

std::vector<float> floats_of(const nb::bytes& raw) {
    std::vector<float> floats(raw.size() / sizeof(float));
    std::memcpy(floats.data(), raw.c_str(), floats.size() * sizeof(float));
    return floats;
}

template <typename T>
nb::bytes bytes_of(const std::vector<T>& items) {
    return nb::bytes(items.data(), items.size() * sizeof(T));
}

using Layers = std::vector<std::tuple<int, int, nb::bytes, nb::bytes>>;

std::vector<SparseNet::Layer> layers_of(const Layers& layers) {
    std::vector<SparseNet::Layer> made;
    for (const auto& [inputs, outputs, weights, bias] : layers) {
        made.push_back({inputs, outputs, floats_of(weights), floats_of(bias)});
    }
    return made;
}

using Start = std::tuple<std::string, std::string, std::string, std::uint64_t, bool>;

std::vector<GameStart> starts_of(const std::vector<Start>& starts) {
    std::vector<GameStart> made;
    for (const auto& [text, deck, stake, nonce, explores] : starts) {
        made.push_back({seed_from(text), deck_from(deck), stake_from(stake), nonce, explores});
    }
    return made;
}

using Columns = nb::typed<nb::dict, nb::str, nb::bytes>;

// Everything that was recorded, in columns of plain bytes.
Columns columns(const std::vector<PlayedGame>& games) {
    std::vector<std::int32_t> game_of, counts;
    std::vector<std::uint8_t> next, taken;
    std::vector<std::uint16_t> indices;
    std::vector<float> values, margins, dollars;
    std::vector<std::int8_t> cleared;
    std::int32_t number = -1;
    for (const PlayedGame& game : games) {
        int attempt = -1;
        for (const RecordedPosition& position : game.positions) {
            number += position.attempt != attempt;
            attempt = position.attempt;
            game_of.push_back(number);
            counts.push_back(static_cast<std::int32_t>(position.inputs.size()));
            next.push_back(position.next);
            taken.push_back(position.taken);
            for (const ValueInput& input : position.inputs) {
                indices.push_back(input.index);
                values.push_back(input.value);
            }
            for (const BlindFate& fate : position.fates) {
                cleared.push_back(fate.cleared);
                margins.push_back(fate.margin);
                dollars.push_back(fate.dollars);
            }
        }
    }
    Columns made;
    made["game"] = bytes_of(game_of);
    made["count"] = bytes_of(counts);
    made["next"] = bytes_of(next);
    made["taken"] = bytes_of(taken);
    made["index"] = bytes_of(indices);
    made["value"] = bytes_of(values);
    made["cleared"] = bytes_of(cleared);
    made["margin"] = bytes_of(margins);
    made["dollars"] = bytes_of(dollars);
    return made;
}

// Choices that were drawn, in columns of plain bytes; attempts are numbered through all games.
Columns choice_columns(const std::vector<PlayedGame>& games) {
    std::vector<std::int32_t> attempt_of, counts;
    std::vector<std::uint8_t> next, taken, considered, bosses;
    std::vector<float> progresses, worths, corrections, values;
    std::vector<std::uint16_t> indices;
    for (const PlayedGame& game : games) {
        const auto before = static_cast<std::int32_t>(bosses.size());
        for (const RecordedChoice& choice : game.choices) {
            attempt_of.push_back(before + choice.attempt);
            next.push_back(choice.next);
            taken.push_back(choice.taken);
            considered.push_back(static_cast<std::uint8_t>(choice.considered.size()));
            progresses.push_back(choice.progress);
            for (const RecordedChoice::Considered& one : choice.considered) {
                worths.push_back(one.worth);
                corrections.push_back(one.correction);
                counts.push_back(static_cast<std::int32_t>(one.inputs.size()));
                for (const ValueInput& input : one.inputs) {
                    indices.push_back(input.index);
                    values.push_back(input.value);
                }
            }
        }
        bosses.insert(bosses.end(), game.bosses.begin(), game.bosses.end());
    }
    Columns made;
    made["attempt"] = bytes_of(attempt_of);
    made["next"] = bytes_of(next);
    made["taken"] = bytes_of(taken);
    made["considered"] = bytes_of(considered);
    made["progress"] = bytes_of(progresses);
    made["worth"] = bytes_of(worths);
    made["correction"] = bytes_of(corrections);
    made["count"] = bytes_of(counts);
    made["index"] = bytes_of(indices);
    made["value"] = bytes_of(values);
    made["bosses"] = bytes_of(bosses);
    return made;
}

void check_settings(const Effort& settings) {
    if (settings.rollouts < 1 || settings.finalists < 0 || settings.worlds < 1) {
        throw std::invalid_argument("rollouts and worlds must be at least 1, finalists at least 0");
    }
}

using Result = std::tuple<bool, int, int, int, int, std::uint64_t>;

std::tuple<std::vector<Result>, Columns, Columns> play(const ValueNet& net, const std::vector<Start>& starts,
                                                       int rollouts, int finalists, int worlds, double random_moves,
                                                       double bias, double recorded, int recorded_worlds,
                                                       int second_chances, double temperature, int considered,
                                                       int threads) {
    const GameSettings settings{{rollouts, finalists, worlds},
                                random_moves,
                                bias,
                                recorded,
                                recorded_worlds,
                                second_chances,
                                temperature,
                                considered};
    check_settings(settings.effort);
    if (threads < 1 || recorded_worlds < 0 || second_chances < 0) {
        throw std::invalid_argument("threads must be at least 1, recorded_worlds and second_chances at least 0");
    }
    if (considered < 1 || considered > 255) throw std::invalid_argument("considered must be from 1 to 255");
    const std::vector<GameStart> made = starts_of(starts);
    std::vector<PlayedGame> games;
    {
        nb::gil_scoped_release release;
        games = play_games(net, made, settings, threads);
    }
    std::vector<Result> results;
    for (const PlayedGame& game : games) {
        results.emplace_back(game.won, game.ante, game.round, game.decisions, game.hands, game.digest);
    }
    return {results, columns(games), choice_columns(games)};
}

// An option as Python sees it, without the run that follows it.
struct Judged {
    std::vector<Action> actions;
    double worth = 0;
    double preference = 0;
    double win = 0;
    bool forecast = false;
};

std::vector<Judged> without_runs(const Judge& judge, std::span<const JudgedOption> judged) {
    std::vector<Judged> made;
    for (const JudgedOption& one : judged) {
        const auto& actions = judge.options()[one.option].actions;
        made.push_back({{actions.begin(), actions.end()}, one.worth, one.preference, one.win, one.forecast});
    }
    return made;
}

std::vector<Judged> judge(const ValueNet& net, const RunState& run, int rollouts, int finalists, int worlds,
                          std::uint64_t nonce, bool clairvoyant) {
    const Effort settings{rollouts, finalists, worlds, clairvoyant, clairvoyant};
    check_settings(settings);
    nb::gil_scoped_release release;
    Judge judge(net);
    return without_runs(judge, judge.judge(run, settings, nonce));
}

// A decision as Python sees it.
struct Choice {
    Decision::Kind kind{};
    Action action{};
    std::vector<SolvedAction> solved;
    std::vector<Judged> options;
};

void make_strategist(Strategist* self, const ValueNet& net, int rollouts, int finalists, int worlds, bool solver,
                     bool consumables, bool joker_order, bool clairvoyant) {
    const Effort effort{rollouts, finalists, worlds, clairvoyant, clairvoyant};
    check_settings(effort);
    new (self) Strategist(net, effort, {solver, consumables, joker_order});
}

Choice decide(Strategist& self, const RunState& view) {
    if (view.phase == Phase::game_over) throw std::invalid_argument("the run is over");
    nb::gil_scoped_release release;
    Decision made = self.decide(view);
    return {made.kind, made.action, std::move(made.solved), without_runs(self.judge(), made.options)};
}

const char* kind_of(const Choice& choice) {
    switch (choice.kind) {
        case Decision::Kind::planned:
            return "planned";
        case Decision::Kind::order:
            return "order";
        case Decision::Kind::hand:
            return "hand";
        case Decision::Kind::option:
            return "option";
        default:
            return "only";
    }
}

std::string describe_judged(const Judged& judged) {
    std::string text = "<JudgedOption ";
    for (const Action& action : judged.actions) text += describe(action) + ", ";
    return text + "wins " + number_text(judged.win) + (judged.forecast ? ", forecast>" : ">");
}

std::vector<std::tuple<std::string, int, std::string>> groups() {
    std::vector<std::tuple<std::string, int, std::string>> made;
    for (const InputGroupFact& group : input_groups) made.emplace_back(group.name, group.size, group.doc);
    return made;
}

using Inputs = std::vector<std::tuple<int, float>>;

std::vector<ValueInput> read_inputs(const Inputs& inputs) {
    std::vector<ValueInput> made;
    made.reserve(inputs.size());
    for (const auto& [index, value] : inputs) {
        if (index < 0 || index >= value_input_count) throw std::invalid_argument("there is no such input");
        made.push_back({static_cast<std::uint16_t>(index), value});
    }
    return made;
}

std::vector<double> chances(const ValueNet& net, const Inputs& inputs) {
    const ValueNet::Chances found = net.chances(read_inputs(inputs));
    return {found.begin(), found.end()};
}

std::vector<double> wins(const ValueNet& net, const Inputs& inputs) { return net.wins(read_inputs(inputs)); }

Inputs inputs_of(const RunState& run, int rollouts, int worlds, std::uint64_t nonce) {
    if (rollouts < 1 || worlds < 0) throw std::invalid_argument("rollouts must be at least 1, worlds at least 0");
    ValueInputs inputs;
    {
        nb::gil_scoped_release release;
        write_inputs(run, {}, rollouts, inputs);
        if (worlds > 0) {
            const Forecast ahead = forecast(run, {.rounds = forecast_rounds(run), .worlds = worlds, .nonce = nonce});
            write_forecast(run, ahead, worlds, inputs);
        }
    }
    Inputs made;
    for (const ValueInput& input : inputs) made.emplace_back(input.index, input.value);
    return made;
}

}  // namespace

void bind_strategy(nb::module_& m) {
    nb::class_<ValueNet>(m, "ValueNet", "The chance that a run clears each blind, from a few numbers about it.")
        .def(
            "__init__",
            [](ValueNet* self, const Layers& layers, const Layers& policy) {
                new (self) ValueNet(layers_of(layers), layers_of(policy));
            },
            "layers"_a, "policy"_a = Layers{},
            "Three layers: inputs, outputs, weights [inputs][outputs] and biases as bytes of float32. The same of a "
            "policy, if there is one.")
        .def_prop_ro("has_policy", &ValueNet::has_policy)
        .def("chances", &chances, "inputs"_a, "Of each blind, for inputs as pairs of index and value.")
        .def("wins", &wins, "inputs"_a,
             "The chance to win by each of the networks that stand side by side; the mean of their logits is that of "
             "all.");
    nb::class_<Judged>(m, "JudgedOption", "What can be decided outside the play of a hand, and what comes of it.")
        .def_ro("actions", &Judged::actions, "To take one after another; none: stay as it is.")
        .def_ro("worth", &Judged::worth, "By the value.")
        .def_ro("preference", &Judged::preference, "What the choice is made by: the worth, corrected by the policy.")
        .def_ro("win", &Judged::win, "The chance to win.")
        .def_ro("forecast", &Judged::forecast, "Whether it was looked at longer.")
        .def("__repr__", &describe_judged);
    nb::class_<Choice>(m, "StrategyDecision", "What a Strategist decided, and what it chose from.")
        .def_prop_ro(
            "kind", &kind_of,
            "only: nothing else could be done; planned: it continues an earlier decision; order: a joker moves; "
            "hand: a play, discard or sale of `solved`; option: one of `options`.")
        .def_ro("action", &Choice::action)
        .def_ro("solved", &Choice::solved, "Best first; the first was chosen.")
        .def_ro("options", &Choice::options, "Best first; the first was chosen, unless a hand is played.");
    nb::class_<Strategist>(m, "Strategist", "The player of whole runs by a learnt value.")
        .def("__init__", &make_strategist, "net"_a, "rollouts"_a, "finalists"_a, "worlds"_a, nb::kw_only(),
             "solver"_a = true, "consumables"_a = true, "joker_order"_a = true, "clairvoyant"_a = false,
             nb::keep_alive<1, 2>())
        .def("reset", &Strategist::reset, "nonce"_a, "A new run begins; all its chance comes from the nonce.")
        .def("decide", &decide, "run"_a, "What to do now in a run as its player may know it.");
    m.attr("ANTE_SHARE") = ante_share;
    m.def("value_input_groups", &groups, "Name, size and meaning of each group of inputs.");
    m.def("judge_options", &judge, "net"_a, "run"_a, "rollouts"_a = 30, "finalists"_a = 4, "worlds"_a = 2,
          "nonce"_a = 0, "clairvoyant"_a = false,
          "What can be decided now, best first; those with a forecast before all others.");
    m.def(
        "value_inputs", &inputs_of, "run"_a, "rollouts"_a = 30, "worlds"_a = 0, "nonce"_a = 0,
        "What a value reads of a run as it stands, as pairs of index and number; with a forecast if there are worlds.");
    m.def("play_value_games", &play, "net"_a, "starts"_a, "rollouts"_a, "finalists"_a, "worlds"_a, "random_moves"_a,
          "bias"_a, "recorded"_a, "recorded_worlds"_a, "second_chances"_a, "temperature"_a, "considered"_a, "threads"_a,
          "Whole runs from (seed, deck, stake, nonce, explores): won, ante, round, decisions, hands and digest of "
          "each, the positions that were recorded, and the choices that were drawn.");
}

}  // namespace jimbo
