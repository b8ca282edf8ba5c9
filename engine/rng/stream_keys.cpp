#include "rng/stream_keys.hpp"

#include <algorithm>
#include <charconv>

namespace jimbo {

KeyText::KeyText(StreamKey key) {
    const StreamName& name = stream_names[static_cast<std::size_t>(key.stream)];
    append(name.before);
    if (!is_run_wide(key.stream)) append(key.ante);
    append(name.after);
    if (key.resample != 0) {
        append("_resample");
        append(key.resample);
    }
}

void KeyText::append(std::string_view part) {
    std::copy(part.begin(), part.end(), text_.begin() + length_);
    length_ += static_cast<int>(part.size());
}

void KeyText::append(int number) {
    char* begin = text_.data() + length_;
    length_ += static_cast<int>(std::to_chars(begin, text_.data() + text_.size(), number).ptr - begin);
}

namespace {

std::optional<int> parse_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace

std::optional<StreamKey> parse_stream_key(std::string_view text) {
    int resample = 0;
    constexpr std::string_view mark = "_resample";
    if (const auto at = text.find(mark); at != std::string_view::npos) {
        const auto n = parse_number(text.substr(at + mark.size()));
        if (!n || *n < 2 || *n > 255) return std::nullopt;
        resample = *n;
        text = text.substr(0, at);
    }
    for (std::size_t i = 0; i < stream_names.size(); ++i) {
        const auto stream = static_cast<Stream>(i);
        const auto& [before, after, run_wide] = stream_names[i];
        if (run_wide) {
            if (text == before) return StreamKey(stream, 0, resample);
            continue;
        }
        if (!text.starts_with(before) || !text.ends_with(after) || text.size() <= before.size() + after.size())
            continue;
        const auto ante = parse_number(text.substr(before.size(), text.size() - before.size() - after.size()));
        if (ante && *ante >= -100 && *ante <= 100) return StreamKey(stream, *ante, resample);
    }
    return std::nullopt;
}

}  // namespace jimbo
