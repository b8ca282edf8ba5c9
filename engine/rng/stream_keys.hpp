// Every random stream of the game by number. A key's text is `before` + ante + `after`; run-wide streams have no ante.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jimbo {

enum class Stream : std::uint8_t {
#define RUN_WIDE(name, text) name,
#define PER_ANTE(name, ...) name,
#include "rng/stream_list.hpp"
#undef RUN_WIDE
#undef PER_ANTE
};

struct StreamName {
    std::string_view before;
    std::string_view after = {};  // after the ante
    bool run_wide = false;
};

inline constexpr auto stream_names = std::to_array<StreamName>({
#define RUN_WIDE(name, text) {.before = text, .run_wide = true},
#define PER_ANTE(name, ...) {__VA_ARGS__},
#include "rng/stream_list.hpp"
#undef RUN_WIDE
#undef PER_ANTE
});

inline constexpr int run_wide_streams = static_cast<int>(
    std::count_if(stream_names.begin(), stream_names.end(), [](const StreamName& s) { return s.run_wide; }));
inline constexpr int ante_streams = static_cast<int>(stream_names.size()) - run_wide_streams;
static_assert(stream_names[run_wide_streams - 1].run_wide, "run-wide streams come first");

constexpr bool is_run_wide(Stream s) { return static_cast<int>(s) < run_wide_streams; }

// A stream at an ante, or the n-th resample stream of it (n >= 2; 0 = the stream itself).
struct StreamKey {
    Stream stream{};
    std::int8_t ante = 0;
    std::uint8_t resample = 0;

    constexpr StreamKey(Stream s, int a = 0, int n = 0)
        : stream(s), ante(static_cast<std::int8_t>(is_run_wide(s) ? 0 : a)), resample(static_cast<std::uint8_t>(n)) {}
    constexpr bool operator==(const StreamKey&) const = default;
};

// The text of a key as the game writes it, e.g. "Joker1sho3_resample2".
class KeyText {
public:
    explicit KeyText(StreamKey key);
    std::string_view view() const { return {text_.data(), static_cast<std::size_t>(length_)}; }

private:
    void append(std::string_view part);
    void append(int number);

    std::array<char, 40> text_{};
    int length_ = 0;
};

// The key of a text, if it is one of the game's.
std::optional<StreamKey> parse_stream_key(std::string_view text);

}  // namespace jimbo
