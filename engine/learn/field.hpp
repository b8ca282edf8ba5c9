// How a fixed struct of numbers is described to its readers: one FieldSpec for each of its members.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace jimbo {

// What the ids of a field stand for; each has 0 = nothing. Fields of one vocabulary can share an embedding.
// clang-format off
enum class Vocabulary : std::uint8_t {
    number,  // no ids
    phase, deck, stake, challenge, blind_slot, blind, tag, voucher, booster, hand, rank, suit, enhancement, edition,
    seal, joker, consumable, offer, action, rarity, position,
};
// clang-format on
inline constexpr int vocabulary_count = 22;

std::string_view name_of(Vocabulary vocabulary);
// The names of its ids from 0 on; "" is nothing.
std::vector<std::string> names_of(Vocabulary vocabulary);
// Ids from 0 on; 0 for numbers.
int categories_of(Vocabulary vocabulary);

// rows 0: one number; columns 0: one number in each row.
template <typename T, int Rows, int Columns>
struct CellsOf {
    using type =
        std::array<std::array<T, static_cast<std::size_t>(Columns == 0 ? 1 : Columns)>, static_cast<std::size_t>(Rows)>;
};
template <typename T, int Rows>
struct CellsOf<T, Rows, 0> {
    using type = std::array<T, static_cast<std::size_t>(Rows)>;
};
template <typename T>
struct CellsOf<T, 0, 0> {
    using type = T;
};
template <typename T, int Rows, int Columns>
using Cells = typename CellsOf<T, Rows, Columns>::type;

template <typename T>
constexpr std::string_view dtype_name() {
    if constexpr (std::is_same_v<T, std::uint8_t>) return "uint8";
    if constexpr (std::is_same_v<T, std::int16_t>) return "int16";
    if constexpr (std::is_same_v<T, float>) return "float32";
}

struct FieldSpec {
    std::string_view name;
    std::string_view dtype;
    int rows = 0;
    int columns = 0;
    std::size_t offset = 0;
    double low = 0;
    double high = 0;
    Vocabulary vocabulary = Vocabulary::number;
    // Names of the last axis, separated by commas, or "@" and the vocabulary whose names they are (without nothing).
    std::string_view parts;
    std::string_view doc;
};

std::vector<std::string> parts_of(const FieldSpec& field);
// One line for each field; what a hash of the layout is made from.
std::string describe_fields(std::span<const FieldSpec> fields);

}  // namespace jimbo
