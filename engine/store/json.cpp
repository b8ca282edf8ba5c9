#include "store/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace jimbo {
namespace {

void append_string(std::string& out, std::string_view text) {
    static constexpr std::string_view hex = "0123456789abcdef";
    out += '"';
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            out += "\\u00";
            out += hex[byte >> 4];
            out += hex[byte & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

void append_number(std::string& out, double number) {
    if (std::isnan(number)) return append_string(out, json_nan);
    if (std::isinf(number)) return append_string(out, json_infinity);
    std::array<char, 32> text{};
    const bool whole = std::abs(number) < 1e15 && number == std::floor(number);
    const auto end = whole ? std::to_chars(text.begin(), text.end(), static_cast<long long>(number)).ptr
                           : std::to_chars(text.begin(), text.end(), number).ptr;
    out.append(text.begin(), end);
}

void append_utf8(std::string& out, unsigned code) {
    const auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
    const auto add_rest = [&](int count) {
        for (int shift = 6 * (count - 1); shift >= 0; shift -= 6) add(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) return add(code);
    if (code < 0x800) return add(0xC0 | code >> 6), add_rest(1);
    if (code < 0x10000) return add(0xE0 | code >> 12), add_rest(2);
    add(0xF0 | code >> 18), add_rest(3);
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    Json parse() {
        Json value = parse_value(0);
        skip_space();
        if (at_ != text_.size()) fail("text after the end of the value");
        return value;
    }

private:
    static constexpr int max_depth = 64;

    [[noreturn]] void fail(const std::string& what) const {
        throw std::invalid_argument("not valid JSON at character " + std::to_string(at_ + 1) + ": " + what);
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void skip_space() {
        while (peek() == ' ' || peek() == '\n' || peek() == '\t' || peek() == '\r') ++at_;
    }
    bool take(char c) {
        skip_space();
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    Json parse_value(int depth) {
        if (depth > max_depth) fail("too deeply nested");
        skip_space();
        if (take('{')) return parse_object(depth);
        if (take('[')) return parse_array(depth);
        if (peek() == '"') return parse_string();
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("null")) return {};
        return parse_number();
    }

    Json parse_object(int depth) {
        Json::Object object;
        if (take('}')) return object;
        do {
            skip_space();
            std::string name = parse_string();
            if (!take(':')) fail("':' expected");
            object.emplace_back(std::move(name), parse_value(depth + 1));
        } while (take(','));
        if (!take('}')) fail("',' or '}' expected");
        return object;
    }

    Json parse_array(int depth) {
        Json::Array array;
        if (take(']')) return array;
        do {
            array.push_back(parse_value(depth + 1));
        } while (take(','));
        if (!take(']')) fail("',' or ']' expected");
        return array;
    }

    std::string parse_string() {
        if (peek() != '"') fail("a text in quotes expected");
        ++at_;
        std::string text;
        while (peek() != '"') {
            if (at_ >= text_.size()) fail("a text without its closing quote");
            if (peek() == '\\') {
                append_utf8(text, parse_escape());
            } else {
                text += text_[at_++];
            }
        }
        ++at_;
        return text;
    }

    // The number of the character.
    unsigned parse_escape() {
        ++at_;
        const char c = peek();
        ++at_;
        switch (c) {
            case '"':
            case '\\':
            case '/':
                return static_cast<unsigned>(c);
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'u':
                return parse_code();
            default:
                fail("unknown escape");
        }
    }

    unsigned parse_code() {
        const unsigned first = parse_digits();
        if (first < 0xD800 || first > 0xDFFF) return first;
        // Two escapes in a row say what lies beyond the first 65,536 characters.
        const unsigned second = first < 0xDC00 && take("\\u") ? parse_digits() : 0;
        if (second < 0xDC00 || second > 0xDFFF) fail("half a character");
        return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }

    unsigned parse_digits() {
        unsigned code = 0;
        const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (error != std::errc{} || end - digits.data() != 4) fail("\\u and four digits expected");
        at_ += 4;
        return code;
    }

    Json parse_number() {
        double number = 0;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
        if (error != std::errc{} || !std::isfinite(number)) fail("a value expected");
        at_ = static_cast<std::size_t>(end - text_.data());
        return number;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
    const Object* members = object();
    if (members == nullptr) return nullptr;
    for (const auto& [key, value] : *members) {
        if (key == name) return &value;
    }
    return nullptr;
}

void Json::append_to(std::string& out) const {
    if (is_null()) {
        out += "null";
    } else if (const bool* b = boolean()) {
        out += *b ? "true" : "false";
    } else if (const double* n = number()) {
        append_number(out, *n);
    } else if (const std::string* t = text()) {
        append_string(out, *t);
    } else if (const Array* list = array()) {
        out += '[';
        for (const Json& item : *list) {
            if (out.back() != '[') out += ',';
            item.append_to(out);
        }
        out += ']';
    } else {
        out += '{';
        for (const auto& [name, value] : *object()) {
            if (out.back() != '{') out += ',';
            append_string(out, name);
            out += ':';
            value.append_to(out);
        }
        out += '}';
    }
}

std::string Json::dump() const {
    std::string out;
    append_to(out);
    return out;
}

Json Json::parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace jimbo
