// Taking values out of JSON; a value that does not fit throws a std::invalid_argument that names the field.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>

#include "store/json.hpp"

namespace jimbo {

[[noreturn]] inline void fail(const std::string& path, const std::string& what) {
    throw std::invalid_argument(path + ": " + what);
}

// Refuses members of an object that are unknown or appear twice.
inline void check_names(const Json& json, std::span<const std::string_view> known, const std::string& path) {
    const Json::Object& members = *json.object();
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::string& name = members[i].first;
        if (std::find(known.begin(), known.end(), name) == known.end()) fail(path + "." + name, "the field is unknown");
        for (std::size_t j = 0; j < i; ++j) {
            if (members[j].first == name) fail(path + "." + name, "the field appears twice");
        }
    }
}

inline const std::string& text_at(const Json& json, std::string_view name, const std::string& path) {
    const Json* member = json.find(name);
    if (member == nullptr || member->text() == nullptr) fail(path + "." + std::string(name), "a text is needed");
    return *member->text();
}

inline double number_in(const Json& json, const std::string& path) {
    if (const double* number = json.number()) return *number;
    if (const std::string* text = json.text()) {
        if (*text == json_infinity) return std::numeric_limits<double>::infinity();
        if (*text == json_nan) return std::numeric_limits<double>::quiet_NaN();
    }
    fail(path, "a number is needed");
}

template <typename Whole>
Whole whole_in(const Json& json, const std::string& path) {
    const double number = number_in(json, path);
    const bool fits = number == std::floor(number) &&
                      number >= static_cast<double>(std::numeric_limits<Whole>::min()) &&
                      number <= static_cast<double>(std::numeric_limits<Whole>::max());
    if (!fits) fail(path, "the number does not fit");
    return static_cast<Whole>(number);
}

inline const Json::Array& array_in(const Json& json, const std::string& path) {
    if (json.array() == nullptr) fail(path, "a list is needed");
    return *json.array();
}

template <typename Apply>
void read_texts(const Json& json, std::string_view name, const std::string& path, Apply apply) {
    const Json* list = json.find(name);
    if (list == nullptr) return;
    const std::string inner = path + "." + std::string(name);
    for (const Json& item : array_in(*list, inner)) {
        if (item.text() == nullptr) fail(inner, "a text is needed");
        apply(*item.text());
    }
}

}  // namespace jimbo
