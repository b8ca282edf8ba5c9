// What the player of a run may know, with one attribute for each field of its lists.
#include <stdexcept>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "codes.hpp"
#include "plain.hpp"
#include "play/legal.hpp"
#include "play/random_play.hpp"
#include "run_parts.hpp"
#include "view/public_json.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

// --- Attributes ----------------------------------------------------------------------------------------------------

// Keys are texts; what has a code of its own is given as that.
template <typename T>
auto shown(const T& value) {
    if constexpr (std::is_enum_v<T> && !has_code<T>) {
        return text_of(value);
    } else {
        return value;
    }
}
template <typename T>
    requires std::is_enum_v<T>
std::optional<std::string_view> shown(const std::optional<T>& value) {
    if (!value) return std::nullopt;
    return text_of(*value);
}
template <typename T>
    requires std::is_enum_v<T>
std::vector<std::string_view> shown(const std::vector<T>& values) {
    std::vector<std::string_view> texts;
    for (T value : values) texts.push_back(text_of(value));
    return texts;
}

constexpr std::size_t max_repr = 90;

// The class with those fields that are not as usual, as far as there is room.
template <typename T>
std::string describe_part(const T& self, const char* name) {
    [[maybe_unused]] static const T usual{};
    std::string text = std::string("<") + name;
    for_each_field<T>([&](const auto& field) {
        const nb::object value = nb::cast(shown(self.*field.member));
        if (value.equal(nb::cast(shown(usual.*field.member)))) return;
        const std::string more = " " + std::string(field.name) + "=" + nb::repr(value).c_str();
        if (text.size() + more.size() < max_repr) text += more;
    });
    return text + ">";
}

template <typename T>
nb::class_<T> bind_part(nb::module_& m, const char* name) {
    nb::class_<T> part(m, name, PublicFields<T>::doc.data());
    if constexpr (!std::is_same_v<T, PublicState>) {
        part.def("__repr__", [name](const T& self) { return describe_part(self, name); });
    }
    for_each_field<T>([&](const auto& field) {
        part.def_prop_ro(
            field.name.data(), [member = field.member](const T& self) { return shown(self.*member); },
            field.meaning.data());
    });
    return part;
}

void bind_parts(nb::module_& m) {
    bind_part<PublicCard>(m, "PublicCard");
    bind_part<PublicShown>(m, "PublicShown");
    bind_part<PublicJoker>(m, "PublicJoker");
    bind_part<PublicConsumable>(m, "PublicConsumable");
    bind_part<PublicOffer>(m, "PublicOffer");
    bind_part<PublicVoucherOffer>(m, "PublicVoucherOffer");
    bind_part<PublicBooster>(m, "PublicBooster");
    bind_part<PublicPack>(m, "PublicPack");
    bind_part<PublicTag>(m, "PublicTag");
    bind_part<PublicBlind>(m, "PublicBlind");
    bind_part<BlindInPlay>(m, "PublicBlindInPlay");
    bind_part<LastHand>(m, "PublicLastHand");
    bind_part<Payout>(m, "PublicPayout").def_prop_ro("total", &Payout::total, "all of it");
    bind_part<PublicHand>(m, "PublicHand");
    bind_part<PublicTargets>(m, "PublicTargets");
    bind_part<PublicBossUse>(m, "PublicBossUse");
}

// --- The whole -----------------------------------------------------------------------------------------------------

std::string describe(const PublicState& state) {
    return "<PublicState: ante " + std::to_string(state.ante) + ", round " + std::to_string(state.round) + ", " +
           std::string(text_of(state.phase)) + ", $" + std::to_string(state.dollars) + ">";
}

bool equal(const PublicState& state, nb::handle other) {
    if (!nb::isinstance<PublicState>(other)) return false;
    return public_to_json(state).dump() == public_to_json(nb::cast<const PublicState&>(other)).dump();
}

void bind_forms(nb::class_<PublicState>& state) {
    state
        .def(
            "to_json", [](const PublicState& s) { return public_to_json(s).dump(); },
            "The whole of it as JSON text, schema public_v1.")
        .def_static(
            "from_json", [](std::string_view text) { return public_from_json(Json::parse(text)); }, "text"_a,
            "The state of a JSON text; ValueError names the field that does not fit.")
        .def(
            "to_data",
            [](const PublicState& s) {
                return nb::cast<nb::typed<nb::dict, nb::str, nb::any>>(to_plain(public_to_json(s)));
            },
            "The same as dicts, lists and plain values.")
        .def_static(
            "from_data", [](nb::handle data) { return public_from_json(from_plain(data)); }, "data"_a,
            "The state of such data. What is derived (prices, targets, names...) may be left out.")
        .def("__eq__", &equal, nb::arg("other").none())
        .def("__hash__", [](const PublicState& s) { return std::hash<std::string>{}(public_to_json(s).dump()); })
        .def("__getstate__", [](const PublicState& s) { return public_to_json(s).dump(); })
        .def("__setstate__",
             [](PublicState& self, const std::string& text) {
                 new (&self) PublicState(public_from_json(Json::parse(text)));
             })
        .def("__repr__", &describe);
}

Action draw_action(const PublicState& state, std::uint64_t nonce) {
    SplitMix random(nonce);
    const std::optional<Action> action = random_action(imagine(state, 0), random);
    if (!action) throw std::invalid_argument("the run is over, and no action is allowed");
    return *action;
}

void bind_playing(nb::class_<PublicState>& state) {
    state
        .def("imagine", &imagine, "nonce"_a,
             "A run that looks like this to its player, with everything hidden drawn from the nonce.")
        .def(
            "legal_actions",
            [](const PublicState& s, bool with_moves) { return legal_actions(imagine(s, 0), with_moves); },
            "with_moves"_a = false, "Every allowed action; rearranging cards only when asked for.")
        .def(
            "refusal", [](const PublicState& s, const Action& action) { return refusal_of(imagine(s, 0), action); },
            "action"_a, "Why an action is not allowed; None if it is.")
        .def("draw_action", &draw_action, "nonce"_a,
             "One of the allowed actions but sales and rearranging, each as likely as any other, drawn by the nonce.");
}

}  // namespace

void bind_public_state(nb::module_& m) {
    bind_parts(m);
    nb::class_<PublicState> state = bind_part<PublicState>(m, "PublicState");
    state.def(nb::init<const PublicState&>(), "state"_a, "A copy.");
    bind_forms(state);
    bind_playing(state);
    state.def_prop_ro(
        "over", [](const PublicState& s) { return s.phase == Phase::game_over; },
        "The run is lost, or could not go on.");
    m.def("public_schema_table", &public_schema_table,
          "One line for each field of a public state: path, kind, meaning.");
    m.def("public_schema_hash", &public_schema_hash);
}

}  // namespace jimbo
