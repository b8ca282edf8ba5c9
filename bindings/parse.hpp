// Seeds from Python; a bad one raises ValueError with a sentence that says what is allowed.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include "rng/seed.hpp"

namespace jimbo {

inline Seed seed_from(std::string_view text) {
    const auto seed = parse_seed(text);
    if (!seed) {
        std::string named = "a seed of " + std::to_string(text.size()) + " bytes";
        if (text.size() <= Seed::max_length) {
            named = "seed \"" + std::string(text) + '"';
            const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
            std::replace_if(named.begin(), named.end(), is_control, '?');
        }
        throw std::invalid_argument(named + " is not valid: " + std::string(seed_rule));
    }
    return *seed;
}

// A str of Python can hold halves of characters, for which UTF-8 has no bytes.
inline Seed seed_from(const nanobind::str& text) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (bytes == nullptr) {
        PyErr_Clear();
        throw std::invalid_argument("the seed is not valid: " + std::string(seed_rule));
    }
    return seed_from(std::string_view(bytes, static_cast<std::size_t>(size)));
}

}  // namespace jimbo
