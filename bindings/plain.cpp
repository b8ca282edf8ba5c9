#include "plain.hpp"

#include <cmath>

#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace jimbo {

nb::object to_plain(const Json& json) {
    if (const bool* flag = json.boolean()) return nb::bool_(*flag);
    if (const double* number = json.number()) {
        const bool whole = *number == std::floor(*number) && std::abs(*number) < 1e15;
        return whole ? nb::object(nb::int_(static_cast<long long>(*number))) : nb::object(nb::float_(*number));
    }
    if (const std::string* text = json.text()) return nb::str(text->data(), text->size());
    if (const Json::Array* array = json.array()) {
        nb::list list;
        for (const Json& item : *array) list.append(to_plain(item));
        return list;
    }
    if (const Json::Object* object = json.object()) {
        nb::dict dict;
        for (const auto& [name, member] : *object) dict[nb::str(name.data(), name.size())] = to_plain(member);
        return dict;
    }
    return nb::none();
}

Json from_plain(nb::handle value) {
    if (value.is_none()) return Json();
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
    if (nb::isinstance<nb::int_>(value) || nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
    if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
    if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
        Json::Array items;
        for (nb::handle item : value) items.push_back(from_plain(item));
        return items;
    }
    if (nb::isinstance<nb::dict>(value)) {
        Json::Object members;
        for (auto [name, member] : nb::cast<nb::dict>(value)) {
            members.emplace_back(nb::cast<std::string>(name), from_plain(member));
        }
        return members;
    }
    throw std::invalid_argument("plain data are dicts, lists, texts, numbers, True, False and None");
}

}  // namespace jimbo
