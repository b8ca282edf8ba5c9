// The smallest test harness that serves. A test file includes this header once, writes its checks inside TEST blocks
// and has no main of its own:
//
//     #include "check.hpp"
//
//     TEST(addition) {
//         CHECK(1 + 1 == 2);
//         CHECK_EQ(2 + 2, 4);
//     }
//
// The program prints each failure as file:line, closes with "N passed, N failed" (counting checks), and returns 1 when
// one failed.
#pragma once

#include <exception>
#include <iostream>
#include <limits>
#include <string_view>
#include <type_traits>

namespace check {

struct Test {
    const char* name;
    void (*body)();
    Test* next = nullptr;
    Test(const char* test_name, void (*test_body)());
};

inline long passed = 0;
inline long failed = 0;
inline const char* current = "";
inline Test* first = nullptr;
inline Test** last = &first;

inline Test::Test(const char* test_name, void (*test_body)()) : name(test_name), body(test_body) {
    *last = this;
    last = &next;
}

inline std::ostream& fail(const char* file, int line) {
    ++failed;
    return std::cout << file << ":" << line << ": " << current << ": ";
}

inline void check_true(bool ok, const char* text, const char* file, int line) {
    if (ok) {
        ++passed;
    } else {
        fail(file, line) << "CHECK(" << text << ") failed\n";
    }
}

// Numbers small enough to be taken for characters, and enums, are shown as numbers.
template <class T>
void show(std::ostream& out, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        out << (value ? "true" : "false");
    } else if constexpr (std::is_enum_v<T>) {
        out << +static_cast<std::underlying_type_t<T>>(value);
    } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, char>) {
        out << +value;
    } else if constexpr (requires { out << value; }) {
        out << value;
    } else {
        out << "(a value that cannot be printed)";
    }
}

template <class A, class B>
void check_eq(const A& a, const B& b, const char* a_text, const char* b_text, const char* file, int line) {
    if (a == b) {
        ++passed;
        return;
    }
    std::ostream& out = fail(file, line);
    out << "CHECK_EQ(" << a_text << ", " << b_text << ") failed: ";
    show(out, a);
    out << " is not ";
    show(out, b);
    out << "\n";
}

inline int run_all() {
    std::cout.precision(std::numeric_limits<double>::max_digits10);
    for (const Test* test = first; test != nullptr; test = test->next) {
        current = test->name;
        try {
            test->body();
        } catch (const std::exception& error) {
            ++failed;
            std::cout << test->name << ": threw " << error.what() << "\n";
        }
    }
    std::cout << passed << " passed, " << failed << " failed" << std::endl;
    return failed == 0 ? 0 : 1;
}

}  // namespace check

#define TEST(name)                                                  \
    static void test_##name();                                      \
    static const check::Test registered_##name{#name, test_##name}; \
    static void test_##name()

#define CHECK(...) check::check_true(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_EQ(a, b) check::check_eq((a), (b), #a, #b, __FILE__, __LINE__)

int main() { return check::run_all(); }
