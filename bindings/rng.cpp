#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "parse.hpp"
#include "rng/streams.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

StreamKey key_from(std::string_view text) {
    const auto key = parse_stream_key(text);
    if (!key) throw std::invalid_argument("the game has no random stream \"" + std::string(text) + "\"");
    return *key;
}

}  // namespace

void bind_rng(nb::module_& m) {
    m.def("pseudohash", &pseudohash, "text"_a, "The game's hash of a text, in [0, 1) or NaN.");
    m.def("advance_state", &advance_state, "state"_a, "The next state of a keyed stream.");
    m.def(
        "random_from", [](double node) { return LuaJitRandom(node).random(); }, "node"_a,
        "One number in [0, 1) from a freshly seeded generator.");
    m.def(
        "randint_from", [](double node, int low, int high) { return LuaJitRandom(node).random(low, high); }, "node"_a,
        "low"_a, "high"_a, "One whole number from low to high from a freshly seeded generator.");
    m.def("check_seed", [](const nb::str& seed) { seed_from(seed); }, "seed"_a, "Raises ValueError for a bad seed.");

    m.def(
        "has_stream", [](std::string_view key) { return parse_stream_key(key).has_value(); }, "key"_a,
        "Whether the game has a random stream of this key text.");

    nb::class_<Streams>(m, "Streams", "All random streams of one seed, by the game's key texts.")
        .def(
            "__init__", [](Streams* self, std::string_view seed) { new (self) Streams(seed_from(seed)); }, "seed"_a)
        .def_prop_ro("hashed_seed", &Streams::hashed_seed)
        .def(
            "node", [](Streams& s, std::string_view key) { return s.node(key_from(key)); }, "key"_a,
            "Advances a stream; returns what seeds the generator.")
        .def(
            "random", [](Streams& s, std::string_view key) { return s.random(key_from(key)); }, "key"_a)
        .def(
            "randint",
            [](Streams& s, std::string_view key, int low, int high) { return s.random(key_from(key), low, high); },
            "key"_a, "low"_a, "high"_a)
        .def(
            "shuffle",
            [](Streams& s, std::string_view key, int count) {
                std::vector<int> order;
                for (int i = 0; i < count; ++i) order.push_back(i);
                s.shuffle(key_from(key), std::span(order));
                return order;
            },
            "key"_a, "count"_a, "The order that a shuffle of `count` elements gives.")
        .def(
            "state", [](const Streams& s, std::string_view key) { return s.state(key_from(key)); }, "key"_a,
            "The state after the last use, None if the stream is unused.")
        .def("__repr__", [](const Streams& s) { return "<Streams of " + std::string(s.seed().view()) + ">"; });
}

}  // namespace jimbo
