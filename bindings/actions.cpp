#include "actions.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "codes.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

ActionKind kind_from(std::string_view name) {
    const auto kind = enum_of<ActionKind>(name);
    if (!kind) throw std::invalid_argument("there is no action \"" + std::string(name) + '"');
    return *kind;
}

std::vector<int> positions_of(std::uint64_t mask) {
    std::vector<int> positions;
    for (int i = 0; i < max_hand; ++i) {
        if (((mask >> i) & 1) != 0) positions.push_back(i);
    }
    return positions;
}

std::uint8_t place_from(int place) {
    if (place < 0 || place > 255) throw std::invalid_argument("places count from 0 to 255");
    return static_cast<std::uint8_t>(place);
}

void make_action(Action* self, std::string_view kind, int index, int to, const std::vector<int>& cards) {
    new (self) Action{kind_from(kind), place_from(index), place_from(to), mask_of(cards)};
}

using ActionParts = std::tuple<std::string, int, int, std::vector<int>>;

void bind_action(nb::module_& m) {
    nb::class_<Action>(m, "Action", "One thing a player can do.")
        .def("__init__", &make_action, "kind"_a, "index"_a = 0, "to"_a = 0, "cards"_a = std::vector<int>{})
        .def_prop_ro("kind", [](const Action& a) { return a.kind; })
        .def_ro("index", &Action::index, "Which shop card, pack card, joker or consumable.")
        .def_ro("to", &Action::to, "Where a moved card goes.")
        .def_prop_ro(
            "cards", [](const Action& a) { return positions_of(a.cards); }, "Selected hand positions.")
        .def(
            "__eq__",
            [](const Action& a, nb::handle b) { return nb::isinstance<Action>(b) && a == nb::cast<Action>(b); },
            nb::arg("other").none())
        .def("__hash__",
             [](const Action& a) {
                 return static_cast<std::size_t>(a.kind) | (std::size_t{a.index} << 8) | (std::size_t{a.to} << 16) |
                        (std::size_t{a.cards} << 24);
             })
        .def("__getstate__",
             [](const Action& a) { return ActionParts(text_of(a.kind), a.index, a.to, positions_of(a.cards)); })
        .def("__setstate__",
             [](Action& self, const ActionParts& parts) {
                 std::apply([&](const auto&... part) { make_action(&self, part...); }, parts);
             })
        .def("__repr__", [](const Action& a) { return describe(a); });
}

std::string describe_event(const Event& event) {
    return "Event(" + std::string(text_of(event.kind)) + ", " + std::string(text_of(event.actor)) + " " +
           std::to_string(event.index) + ", " + number_text(event.amount) + ")";
}

void bind_event(nb::module_& m) {
    nb::class_<Event>(m, "Event", "Something that happened in a step.")
        .def_prop_ro("kind", [](const Event& e) { return e.kind; })
        .def_prop_ro("actor", [](const Event& e) { return e.actor; })
        .def_ro("index", &Event::index, "Which card, joker slot or tag.")
        .def_ro("key", &Event::key, "Number of the item it is about.")
        .def_ro("amount", &Event::amount)
        .def_ro("chips", &Event::chips, "While scoring: the total after this event.")
        .def_ro("mult", &Event::mult)
        .def("__repr__", &describe_event);
}

}  // namespace

std::uint64_t mask_of(const std::vector<int>& positions) {
    std::uint64_t mask = 0;
    for (int position : positions) {
        if (position < 0 || position >= max_hand) throw std::invalid_argument("hand positions count from 0 to 63");
        mask |= std::uint64_t{1} << position;
    }
    return mask;
}

std::string describe(const Action& action) {
    std::string text = "Action('" + std::string(text_of(action.kind)) + "'";
    if (action.index != 0) text += ", index=" + std::to_string(action.index);
    if (action.to != 0) text += ", to=" + std::to_string(action.to);
    if (action.cards != 0) {
        text += ", cards=[";
        for (int position : positions_of(action.cards)) {
            if (text.back() != '[') text += ", ";
            text += std::to_string(position);
        }
        text += "]";
    }
    return text + ")";
}

std::string number_text(double number) {
    std::array<char, 32> text{};
    const bool whole = std::abs(number) < 1e15 && number == std::floor(number);
    std::snprintf(text.data(), text.size(), whole ? "%.0f" : "%.4g", number);
    return text.data();
}

void bind_actions(nb::module_& m) {
    bind_action(m);
    bind_event(m);
}

}  // namespace jimbo
