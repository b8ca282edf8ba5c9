// The learnt value and the player that decides by it.
#include <cstring>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "actions.hpp"
#include "macro/games.hpp"
#include "names.hpp"

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

ValueNet make_net(const std::vector<std::tuple<int, int, nb::bytes, nb::bytes>>& layers) {
    std::vector<ValueNet::Layer> made;
    for (const auto& [inputs, outputs, weights, bias] : layers) {
        made.push_back({inputs, outputs, floats_of(weights), floats_of(bias)});
    }
    return ValueNet(std::move(made));
}

using Start = std::tuple<std::string, std::string, std::string, std::uint64_t, bool>;

std::vector<GameStart> starts_of(const std::vector<Start>& starts) {
    std::vector<GameStart> made;
    for (const auto& [text, deck, stake, nonce, explores] : starts) {
        const auto seed = parse_seed(text);
        if (!seed) throw std::invalid_argument("not a seed: " + text);
        made.push_back({*seed, deck_from(deck), stake_from(stake), nonce, explores});
    }
    return made;
}

// Everything that was kept, in columns of plain bytes.
nb::dict columns(const std::vector<PlayedGame>& games) {
    std::vector<std::int32_t> game_of, counts;
    std::vector<std::uint8_t> next, kinds;
    std::vector<std::uint16_t> indices;
    std::vector<float> values, margins, dollars;
    std::vector<std::int8_t> cleared;
    for (std::size_t g = 0; g < games.size(); ++g) {
        for (const KeptPosition& position : games[g].positions) {
            game_of.push_back(static_cast<std::int32_t>(g));
            counts.push_back(static_cast<std::int32_t>(position.inputs.size()));
            next.push_back(position.next);
            kinds.push_back(position.kind);
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
    nb::dict made;
    made["game"] = bytes_of(game_of);
    made["count"] = bytes_of(counts);
    made["next"] = bytes_of(next);
    made["kind"] = bytes_of(kinds);
    made["index"] = bytes_of(indices);
    made["value"] = bytes_of(values);
    made["cleared"] = bytes_of(cleared);
    made["margin"] = bytes_of(margins);
    made["dollars"] = bytes_of(dollars);
    return made;
}

using Result = std::tuple<bool, int, int, int, int, int, std::string>;

std::tuple<std::vector<Result>, nb::dict> play(const ValueNet& net, const std::vector<Start>& starts, int rollouts,
                                               int finalists, int worlds, double random_moves, double taste,
                                               double kept, int threads) {
    const std::vector<GameStart> made = starts_of(starts);
    const GameSettings settings{{rollouts, finalists, worlds}, random_moves, taste, kept};
    std::vector<PlayedGame> games;
    {
        nb::gil_scoped_release release;
        games = play_games(net, made, settings, threads);
    }
    std::vector<Result> results;
    for (const PlayedGame& game : games) {
        results.emplace_back(game.won, game.ante, game.round, game.dollars, game.decisions, game.hands,
                             std::string(fact(game.last_blind).key));
    }
    return {results, columns(games)};
}

std::vector<std::tuple<std::string, int, std::string>> groups() {
    std::vector<std::tuple<std::string, int, std::string>> made;
    for (const InputGroupFact& group : input_groups) made.emplace_back(group.name, group.size, group.doc);
    return made;
}

}  // namespace

void bind_macro(nb::module_& m) {
    nb::class_<ValueNet>(m, "ValueNet", "The chance of clearing each blind ahead, from a few numbers about a run.")
        .def("__init__", [](ValueNet* self, const std::vector<std::tuple<int, int, nb::bytes, nb::bytes>>& layers) {
            new (self) ValueNet(make_net(layers));
        });
    m.def("value_input_groups", &groups, "Name, size and meaning of each group of inputs.");
    m.def("play_value_games", &play, "net"_a, "starts"_a, "rollouts"_a, "finalists"_a, "worlds"_a, "random_moves"_a,
          "taste"_a, "kept"_a, "threads"_a);
}

}  // namespace jimbo
