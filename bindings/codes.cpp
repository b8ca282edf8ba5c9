#include "codes.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "play/legal.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

template <typename Enum>
void bind_code(nb::module_& m, const char* doc) {
    nb::list members;
    for (std::string_view name : EnumText<Enum>::names) members.append(nb::make_tuple(name, name));
    const nb::object made =
        nb::module_::import_("enum").attr("StrEnum")(CodeName<Enum>::text, members, "module"_a = m.attr("__name__"));
    made.attr("__doc__") = doc;
    const nb::object own = made.attr("__dict__");
    if (nb::cast<bool>(own.attr("__contains__")("__str__"))) nb::delattr(made, "__str__");  // StrEnum has the same
    m.attr(CodeName<Enum>::text) = made;
    nb::object* known = code_members<Enum>();
    for (std::string_view name : EnumText<Enum>::names) *known++ = made.attr(std::string(name).c_str());
}

void bind_refusal(nb::module_& m) {
    nb::enum_<Refusal> refusal(m, "Refusal", "Why an action is not allowed.");
    for (const RefusalFact& why : refusal_facts) {
        if (why.id != Refusal::none) refusal.value(why.name.data(), why.id, why.sentence.data());
    }
    refusal.def_prop_ro("sentence", [](Refusal why) { return explain(why); }, "The reason in words.");
}

}  // namespace

void bind_codes(nb::module_& m) {
    bind_code<Phase>(m, "What the player decides next.");
    bind_code<ActionKind>(m, "The kinds of actions.");
    bind_code<EventKind>(m, "The kinds of events.");
    bind_code<Actor>(m, "Who or what an event comes from.");
    bind_code<EndCode>(m, "Why a run ended, beside winning.");
    bind_code<BlindSlot>(m, "The blinds of an ante.");
    bind_code<BlindProgress>(m, "Where a blind of the ante stands.");
    bind_code<ShownKind>(m, "The kinds of numbers that jokers show.");
    bind_code<OfferKind>(m, "The kinds of cards in shops and packs.");
    bind_refusal(m);
}

}  // namespace jimbo
