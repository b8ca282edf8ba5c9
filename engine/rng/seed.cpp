#include "rng/seed.hpp"

#include <algorithm>

namespace jimbo {
namespace {

// A character of UTF-8 and how many bytes it has; no bytes for what is none.
struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;
};

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};  // what fewer bytes can say must be said so
    if (lead < 0xC0 || lead > 0xF7 || text.size() < bytes) return {};
    char32_t code = lead & (0x7Fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3F);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest[bytes] || code > 0x10FFFF || surrogate) return {};
    return {code, bytes};
}

// Line ends among them: a seed stays on its line wherever it is written.
bool is_control(char32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::optional<Seed> parse_seed(std::string_view text) {
    if (text.empty() || text.size() > Seed::max_length) return std::nullopt;
    Seed seed;
    std::copy(text.begin(), text.end(), seed.text.begin());
    seed.length = static_cast<std::uint8_t>(text.size());
    while (!text.empty()) {
        const Character character = first_character(text);
        if (character.bytes == 0 || is_control(character.code)) return std::nullopt;
        text.remove_prefix(character.bytes);
    }
    return seed;
}

}  // namespace jimbo
