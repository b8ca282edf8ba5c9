// The pieces of write_observation; nobody else needs them.
#pragma once

#include <algorithm>
#include <optional>

#include "learn/observation.hpp"

namespace jimbo::observing {

void write_poker_hands(const RunState& run, Observation& out);
void write_hand(const RunState& run, std::uint64_t selected, Observation& out);
void write_jokers(const RunState& run, Observation& out);
void write_consumables(const RunState& run, Observation& out);
void write_tags(const RunState& run, Observation& out);
void write_shop(const RunState& run, Observation& out);
void write_pack(const RunState& run, Observation& out);
// Full deck, unseen cards, cards played and discarded.
void write_counts(const RunState& run, Observation& out);

template <typename Enum>
constexpr std::uint8_t id_of(Enum e) {
    return static_cast<std::uint8_t>(static_cast<int>(e) + 1);
}
template <typename Enum>
constexpr std::uint8_t id_of(const std::optional<Enum>& e) {
    return e ? id_of(*e) : std::uint8_t{0};
}
// Enumerators whose 0 is nothing already.
template <typename Enum>
constexpr std::uint8_t plain_id(Enum e) {
    return static_cast<std::uint8_t>(e);
}

constexpr std::int16_t cut(int number) { return static_cast<std::int16_t>(std::clamp(number, -32768, 32767)); }
constexpr std::uint8_t byte(int number) { return static_cast<std::uint8_t>(std::clamp(number, 0, 255)); }

template <typename T>
void clear_rows(int from, int to, T& column) {
    for (int i = from; i < to; ++i) column[static_cast<std::size_t>(i)] = {};
}
// Sets the length of a list and clears what stood after its end.
template <typename... Columns>
void set_length(std::uint8_t& length, int now, Columns&... columns) {
    if (now < length) (clear_rows(now, length, columns), ...);
    length = static_cast<std::uint8_t>(now);
}

struct Face {
    std::uint8_t rank = 0;
    std::uint8_t suit = 0;
};
// A Stone Card shows neither.
inline Face face_of(const Card& card) {
    if (card.enhancement == Enhancement::stone) return {};
    return {id_of(card.rank), id_of(card.suit)};
}

inline std::uint8_t orbital_hand(const HeldTag& tag) {
    return fact(tag.key).names_hand ? id_of(tag.orbital_hand) : std::uint8_t{0};
}

}  // namespace jimbo::observing
