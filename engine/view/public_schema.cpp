#include "store/fingerprint.hpp"
#include "view/public_json.hpp"
#include "view/public_kinds.hpp"

namespace jimbo {
namespace {

template <typename T>
std::string kind_of() {
    if constexpr (is_vector<T>) {
        if constexpr (has_public_fields<typename T::value_type>)
            return "list of objects";
        else
            return "list of " + kind_of<typename T::value_type>();
    } else if constexpr (is_optional<T>) {
        return kind_of<typename T::value_type>() + " or null";
    } else if constexpr (has_public_fields<T>) {
        return "object";
    } else if constexpr (std::is_same_v<T, bool>) {
        return "bool";
    } else if constexpr (std::is_same_v<T, std::string_view>) {
        return "text";
    } else if constexpr (std::is_arithmetic_v<T>) {
        return std::is_floating_point_v<T> ? "number" : "whole number";
    } else {
        return "one of " + std::to_string(EnumText<T>::names.size()) + " texts";
    }
}

template <typename T>
void describe(const std::string& path, std::string& table, bool with_meanings);

template <typename T>
void describe_inside(const std::string& path, std::string& table, bool with_meanings) {
    if constexpr (is_vector<T>) {
        describe_inside<typename T::value_type>(path + "[]", table, with_meanings);
    } else if constexpr (is_optional<T>) {
        describe_inside<typename T::value_type>(path, table, with_meanings);
    } else if constexpr (has_public_fields<T>) {
        describe<T>(path + ".", table, with_meanings);
    }
}

template <typename T>
void describe(const std::string& path, std::string& table, bool with_meanings) {
    for_each_field<T>([&](const auto& field) {
        using Member = std::remove_cvref_t<decltype(std::declval<T&>().*field.member)>;
        const std::string name = path + std::string(field.name);
        table += name + "\t" + kind_of<Member>() + (field.derived ? ", derived" : "");
        if (with_meanings) table += "\t" + std::string(field.meaning);
        table += "\n";
        describe_inside<Member>(name, table, with_meanings);
    });
}

std::string described(bool with_meanings) {
    std::string table;
    describe<PublicState>("", table, with_meanings);
    return table;
}

}  // namespace

std::string public_schema_table() { return described(true); }

std::string public_schema_hash() {
    static const std::string known = fingerprint(described(false));
    return known;
}

}  // namespace jimbo
