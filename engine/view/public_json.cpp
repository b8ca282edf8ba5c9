#include "view/public_json.hpp"

#include "store/enum_text.hpp"
#include "store/json_read.hpp"
#include "store/state_check.hpp"
#include "view/public_kinds.hpp"

namespace jimbo {
namespace {

// --- Writing -------------------------------------------------------------------------------------------------------

template <typename T>
Json written(const T& value);

template <typename T>
bool is_usual(const T& value, const T& usual) {
    if constexpr (is_vector<T>) {
        return value.empty();
    } else if constexpr (is_optional<T>) {
        return !value;  // nothing is usual
    } else if constexpr (has_public_fields<T>) {
        return false;
    } else {
        return value == usual;
    }
}

// Items of lists leave out members that have their usual value.
template <typename T>
Json::Object written_object(const T& value, bool sparse) {
    [[maybe_unused]] static const T usual{};
    Json::Object object;
    for_each_field<T>([&](const auto& field) {
        if (sparse && is_usual(value.*field.member, usual.*field.member)) return;
        object.emplace_back(std::string(field.name), written(value.*field.member));
    });
    return object;
}

template <typename T>
Json written(const T& value) {
    if constexpr (is_vector<T>) {
        Json::Array items;
        for (const auto& item : value) {
            if constexpr (has_public_fields<typename T::value_type>) {
                items.push_back(written_object(item, true));
            } else {
                items.push_back(written(item));
            }
        }
        return items;
    } else if constexpr (is_optional<T>) {
        return value ? written(*value) : Json();
    } else if constexpr (has_public_fields<T>) {
        return written_object(value, std::is_same_v<T, PublicCard>);
    } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string_view>) {
        return value;
    } else if constexpr (std::is_arithmetic_v<T>) {
        return static_cast<double>(value);
    } else {
        return text_of(value);
    }
}

// --- Reading -------------------------------------------------------------------------------------------------------

template <typename T>
void read(const Json& json, T& value, const std::string& path);

// Everything that is not derived must be there; in items of lists only what is not usual.
template <typename T>
void read_object(const Json& json, T& value, const std::string& path, bool sparse) {
    if (json.object() == nullptr) fail(path, "an object is needed");
    std::vector<std::string_view> known;
    if constexpr (std::is_same_v<T, PublicState>) known.push_back("schema_version");
    for_each_field<T>([&](const auto& field) {
        known.push_back(field.name);
        if (field.derived) return;
        const std::string inner = path + "." + std::string(field.name);
        if (const Json* member = json.find(field.name)) {
            read(*member, value.*field.member, inner);
        } else if (!sparse) {
            fail(inner, "the field is missing");
        }
    });
    check_names(json, known, path);
}

template <typename T>
void read_list(const Json& json, std::vector<T>& list, const std::string& path) {
    for (const Json& item : array_in(json, path)) {
        const std::string inner = path + "[" + std::to_string(list.size()) + "]";
        if constexpr (has_public_fields<T>) {
            read_object(item, list.emplace_back(), inner, true);
        } else {
            read(item, list.emplace_back(), inner);
        }
    }
}

template <typename Enum>
Enum read_key(const Json& json, const std::string& path) {
    const std::string* text = json.text();
    const auto found = text != nullptr && !text->empty() ? enum_of<Enum>(*text) : std::nullopt;
    if (!found) fail(path, (text != nullptr ? "\"" + *text + "\"" : "the value") + " is not known");
    return *found;
}

template <typename T>
void read(const Json& json, T& value, const std::string& path) {
    if constexpr (is_vector<T>) {
        read_list(json, value, path);
    } else if constexpr (is_optional<T>) {
        value.reset();
        if (!json.is_null()) read(json, value.emplace(), path);
    } else if constexpr (has_public_fields<T>) {
        read_object(json, value, path, std::is_same_v<T, PublicCard>);
    } else if constexpr (std::is_same_v<T, bool>) {
        if (json.boolean() == nullptr) fail(path, "true or false is needed");
        value = *json.boolean();
    } else if constexpr (std::is_floating_point_v<T>) {
        value = number_in(json, path);
    } else if constexpr (std::is_integral_v<T>) {
        value = whole_in<T>(json, path);
    } else if constexpr (std::is_enum_v<T>) {
        value = read_key<T>(json, path);
    }
}

}  // namespace

Json public_to_json(const PublicState& state) {
    Json::Object object = written_object(state, false);
    object.emplace(object.begin(), "schema_version", public_schema);
    return object;
}

PublicState public_from_json(const Json& json) {
    if (json.object() == nullptr) fail("public", "an object is needed");
    if (text_at(json, "schema_version", "public") != public_schema) {
        fail("public.schema_version", "only " + std::string(public_schema) + " can be read");
    }
    PublicState state;
    read_object(json, state, "public", false);
    const RunState run = imagine(state, 0);
    if (const std::string fault = fault_of(run); !fault.empty()) throw std::invalid_argument(fault);
    return public_state(run);
}

}  // namespace jimbo
