// A JSON value: parsed from text, or built and written.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jimbo {

class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;  // in order of writing

    Json() = default;
    Json(bool value) : value_(value) {}
    Json(double value) : value_(value) {}
    Json(int value) : value_(static_cast<double>(value)) {}
    Json(std::string value) : value_(std::move(value)) {}
    Json(std::string_view value) : value_(std::string(value)) {}
    Json(const char* value) : value_(std::string(value)) {}
    Json(Array value) : value_(std::move(value)) {}
    Json(Object value) : value_(std::move(value)) {}

    bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
    const bool* boolean() const { return std::get_if<bool>(&value_); }
    const double* number() const { return std::get_if<double>(&value_); }
    const std::string* text() const { return std::get_if<std::string>(&value_); }
    const Array* array() const { return std::get_if<Array>(&value_); }
    const Object* object() const { return std::get_if<Object>(&value_); }
    // The member of an object, if it is there.
    const Json* find(std::string_view name) const;

    // Numbers are written in the shortest way that reads back the same; whole numbers without a point.
    std::string dump() const;
    // Throws std::invalid_argument with the place of the error.
    static Json parse(std::string_view text);

private:
    void append_to(std::string& out) const;

    std::variant<std::monostate, bool, double, std::string, Array, Object> value_;
};

// Numbers that JSON cannot hold are written as these texts.
inline constexpr std::string_view json_infinity = "inf";
inline constexpr std::string_view json_nan = "nan";

}  // namespace jimbo
