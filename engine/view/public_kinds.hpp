// What walks through the fields of a public state shares: the kinds of fields there are.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "store/enum_text.hpp"
#include "view/public_state.hpp"

namespace jimbo {

template <>
struct EnumText<BlindProgress> {
    static constexpr std::array<std::string_view, 3> names{"done", "now", "later"};
};

template <typename T>
inline constexpr bool is_vector = false;
template <typename T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <typename T>
inline constexpr bool is_optional = false;
template <typename T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <typename T>
concept has_public_fields = requires { PublicFields<T>::list; };

template <typename T, typename Visit>
constexpr void for_each_field(Visit visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, PublicFields<T>::list);
}

}  // namespace jimbo
