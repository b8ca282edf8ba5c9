// Enumerators as members of Python StrEnums, which the core makes from its own lists of names: typed, and still texts.
#pragma once

#include <nanobind/nanobind.h>

#include "play/action.hpp"
#include "store/enum_text.hpp"
#include "view/event_text.hpp"
#include "view/public_kinds.hpp"

namespace jimbo {

// The name of the Python class. An enumerator without one is given to Python as a plain text.
template <typename Enum>
struct CodeName;

// clang-format off
template <> struct CodeName<Phase> { static constexpr char text[] = "Phase"; };
template <> struct CodeName<ActionKind> { static constexpr char text[] = "ActionKind"; };
template <> struct CodeName<EventKind> { static constexpr char text[] = "EventKind"; };
template <> struct CodeName<Actor> { static constexpr char text[] = "Actor"; };
template <> struct CodeName<EndCode> { static constexpr char text[] = "EndCode"; };
template <> struct CodeName<BlindSlot> { static constexpr char text[] = "BlindSlot"; };
template <> struct CodeName<BlindProgress> { static constexpr char text[] = "BlindProgress"; };
template <> struct CodeName<OfferKind> { static constexpr char text[] = "OfferKind"; };
template <> struct CodeName<ShownKind> { static constexpr char text[] = "ShownKind"; };
// clang-format on

template <typename Enum>
concept has_code = requires { CodeName<Enum>::text; };

// The members in order of the enumerators. They live as long as the interpreter.
template <typename Enum>
nanobind::object* code_members() {
    static nanobind::object* members = new nanobind::object[EnumText<Enum>::names.size()];
    return members;
}

void bind_codes(nanobind::module_& m);

}  // namespace jimbo

namespace nanobind::detail {

template <jimbo::has_code Enum>
struct code_caster {
    NB_TYPE_CASTER(Enum, const_name(jimbo::CodeName<Enum>::text))

    bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
        if (!PyUnicode_Check(source.ptr())) return false;
        Py_ssize_t length = 0;
        const char* text = PyUnicode_AsUTF8AndSize(source.ptr(), &length);
        if (text == nullptr) {
            PyErr_Clear();
            return false;
        }
        const auto found = jimbo::enum_of<Enum>({text, static_cast<std::size_t>(length)});
        if (found) value = *found;
        return found.has_value();
    }
    static handle from_cpp(Enum value, rv_policy, cleanup_list*) noexcept {
        return jimbo::code_members<Enum>()[static_cast<std::size_t>(value)].inc_ref();
    }
};

// Named one by one, because nanobind has a caster of its own for enumerations.
// clang-format off
template <> struct type_caster<jimbo::Phase> : code_caster<jimbo::Phase> {};
template <> struct type_caster<jimbo::ActionKind> : code_caster<jimbo::ActionKind> {};
template <> struct type_caster<jimbo::EventKind> : code_caster<jimbo::EventKind> {};
template <> struct type_caster<jimbo::Actor> : code_caster<jimbo::Actor> {};
template <> struct type_caster<jimbo::EndCode> : code_caster<jimbo::EndCode> {};
template <> struct type_caster<jimbo::BlindSlot> : code_caster<jimbo::BlindSlot> {};
template <> struct type_caster<jimbo::BlindProgress> : code_caster<jimbo::BlindProgress> {};
template <> struct type_caster<jimbo::OfferKind> : code_caster<jimbo::OfferKind> {};
template <> struct type_caster<jimbo::ShownKind> : code_caster<jimbo::ShownKind> {};
// clang-format on

}  // namespace nanobind::detail
