// The 32 booster packs in the order in which a shop walks their weights.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/fact_fields.hpp"

namespace jimbo {

// clang-format off
enum class BoosterId : std::uint8_t {
    arcana_normal_1, arcana_normal_2, arcana_normal_3, arcana_normal_4, arcana_jumbo_1, arcana_jumbo_2, arcana_mega_1,
    arcana_mega_2, celestial_normal_1, celestial_normal_2, celestial_normal_3, celestial_normal_4, celestial_jumbo_1,
    celestial_jumbo_2, celestial_mega_1, celestial_mega_2, standard_normal_1, standard_normal_2, standard_normal_3,
    standard_normal_4, standard_jumbo_1, standard_jumbo_2, standard_mega_1, standard_mega_2, buffoon_normal_1,
    buffoon_normal_2, buffoon_jumbo_1, buffoon_mega_1, spectral_normal_1, spectral_normal_2, spectral_jumbo_1,
    spectral_mega_1
};
// clang-format on

enum class BoosterKind : std::uint8_t { arcana, celestial, standard, buffoon, spectral };
inline constexpr int booster_kind_count = 5;
inline constexpr std::array<std::string_view, booster_kind_count> booster_kind_names{"Arcana", "Celestial", "Standard",
                                                                                     "Buffoon", "Spectral"};

enum class BoosterSize : std::uint8_t { normal, jumbo, mega };
inline constexpr int booster_size_count = 3;
inline constexpr std::array<std::string_view, booster_size_count> booster_size_names{"Normal", "Jumbo", "Mega"};

// Packs of one kind and size differ only in their picture.
// clang-format off
#define BOOSTER_FIELDS(FIELD) \
    FIELD(kind, {}, "Arcana, Celestial, Standard, Buffoon or Spectral.", BoosterKind) \
    FIELD(size, {}, "Normal, Jumbo or Mega.", BoosterSize) \
    FIELD(cost, 0, "", std::uint8_t) \
    FIELD(weight, 0, "How often it turns up in the shop.", double) \
    FIELD(cards, 0, "How many cards it shows.", std::uint8_t) \
    FIELD(picks, 0, "How many of them may be taken.", std::uint8_t)
// clang-format on

struct BoosterFact {
    BoosterId id{};
    std::string_view key{};
    std::string_view name{};
    BOOSTER_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(BoosterFact, BOOSTER_FIELDS)

// clang-format off
inline constexpr auto booster_facts = [] {
    using B = BoosterId;
    using K = BoosterKind;
    using S = BoosterSize;
    return std::to_array<BoosterFact>({
        {.id = B::arcana_normal_1, .key = "p_arcana_normal_1", .name = "Arcana Pack", .kind = K::arcana,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Tarot cards to use at once."},
        {.id = B::arcana_normal_2, .key = "p_arcana_normal_2", .name = "Arcana Pack", .kind = K::arcana,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Tarot cards to use at once."},
        {.id = B::arcana_normal_3, .key = "p_arcana_normal_3", .name = "Arcana Pack", .kind = K::arcana,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Tarot cards to use at once."},
        {.id = B::arcana_normal_4, .key = "p_arcana_normal_4", .name = "Arcana Pack", .kind = K::arcana,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Tarot cards to use at once."},
        {.id = B::arcana_jumbo_1, .key = "p_arcana_jumbo_1", .name = "Jumbo Arcana Pack", .kind = K::arcana,
         .size = S::jumbo, .cost = 6, .weight = 1, .cards = 5, .picks = 1,
         .text = "Choose 1 of up to 5 Tarot cards to use at once."},
        {.id = B::arcana_jumbo_2, .key = "p_arcana_jumbo_2", .name = "Jumbo Arcana Pack", .kind = K::arcana,
         .size = S::jumbo, .cost = 6, .weight = 1, .cards = 5, .picks = 1,
         .text = "Choose 1 of up to 5 Tarot cards to use at once."},
        {.id = B::arcana_mega_1, .key = "p_arcana_mega_1", .name = "Mega Arcana Pack", .kind = K::arcana,
         .size = S::mega, .cost = 8, .weight = 0.25, .cards = 5, .picks = 2,
         .text = "Choose up to 2 of 5 Tarot cards to use at once."},
        {.id = B::arcana_mega_2, .key = "p_arcana_mega_2", .name = "Mega Arcana Pack", .kind = K::arcana,
         .size = S::mega, .cost = 8, .weight = 0.25, .cards = 5, .picks = 2,
         .text = "Choose up to 2 of 5 Tarot cards to use at once."},
        {.id = B::celestial_normal_1, .key = "p_celestial_normal_1", .name = "Celestial Pack", .kind = K::celestial,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Planet cards to use at once."},
        {.id = B::celestial_normal_2, .key = "p_celestial_normal_2", .name = "Celestial Pack", .kind = K::celestial,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Planet cards to use at once."},
        {.id = B::celestial_normal_3, .key = "p_celestial_normal_3", .name = "Celestial Pack", .kind = K::celestial,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Planet cards to use at once."},
        {.id = B::celestial_normal_4, .key = "p_celestial_normal_4", .name = "Celestial Pack", .kind = K::celestial,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 Planet cards to use at once."},
        {.id = B::celestial_jumbo_1, .key = "p_celestial_jumbo_1", .name = "Jumbo Celestial Pack",
         .kind = K::celestial, .size = S::jumbo, .cost = 6, .weight = 1, .cards = 5, .picks = 1,
         .text = "Choose 1 of up to 5 Planet cards to use at once."},
        {.id = B::celestial_jumbo_2, .key = "p_celestial_jumbo_2", .name = "Jumbo Celestial Pack",
         .kind = K::celestial, .size = S::jumbo, .cost = 6, .weight = 1, .cards = 5, .picks = 1,
         .text = "Choose 1 of up to 5 Planet cards to use at once."},
        {.id = B::celestial_mega_1, .key = "p_celestial_mega_1", .name = "Mega Celestial Pack", .kind = K::celestial,
         .size = S::mega, .cost = 8, .weight = 0.25, .cards = 5, .picks = 2,
         .text = "Choose up to 2 of 5 Planet cards to use at once."},
        {.id = B::celestial_mega_2, .key = "p_celestial_mega_2", .name = "Mega Celestial Pack", .kind = K::celestial,
         .size = S::mega, .cost = 8, .weight = 0.25, .cards = 5, .picks = 2,
         .text = "Choose up to 2 of 5 Planet cards to use at once."},
        {.id = B::standard_normal_1, .key = "p_standard_normal_1", .name = "Standard Pack", .kind = K::standard,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 playing cards to add to your deck."},
        {.id = B::standard_normal_2, .key = "p_standard_normal_2", .name = "Standard Pack", .kind = K::standard,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 playing cards to add to your deck."},
        {.id = B::standard_normal_3, .key = "p_standard_normal_3", .name = "Standard Pack", .kind = K::standard,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 playing cards to add to your deck."},
        {.id = B::standard_normal_4, .key = "p_standard_normal_4", .name = "Standard Pack", .kind = K::standard,
         .size = S::normal, .cost = 4, .weight = 1, .cards = 3, .picks = 1,
         .text = "Choose 1 of up to 3 playing cards to add to your deck."},
        {.id = B::standard_jumbo_1, .key = "p_standard_jumbo_1", .name = "Jumbo Standard Pack", .kind = K::standard,
         .size = S::jumbo, .cost = 6, .weight = 1, .cards = 5, .picks = 1,
         .text = "Choose 1 of up to 5 playing cards to add to your deck."},
        {.id = B::standard_jumbo_2, .key = "p_standard_jumbo_2", .name = "Jumbo Standard Pack", .kind = K::standard,
         .size = S::jumbo, .cost = 6, .weight = 1, .cards = 5, .picks = 1,
         .text = "Choose 1 of up to 5 playing cards to add to your deck."},
        {.id = B::standard_mega_1, .key = "p_standard_mega_1", .name = "Mega Standard Pack", .kind = K::standard,
         .size = S::mega, .cost = 8, .weight = 0.25, .cards = 5, .picks = 2,
         .text = "Choose up to 2 of 5 playing cards to add to your deck."},
        {.id = B::standard_mega_2, .key = "p_standard_mega_2", .name = "Mega Standard Pack", .kind = K::standard,
         .size = S::mega, .cost = 8, .weight = 0.25, .cards = 5, .picks = 2,
         .text = "Choose up to 2 of 5 playing cards to add to your deck."},
        {.id = B::buffoon_normal_1, .key = "p_buffoon_normal_1", .name = "Buffoon Pack", .kind = K::buffoon,
         .size = S::normal, .cost = 4, .weight = 0.6, .cards = 2, .picks = 1, .text = "Choose 1 of up to 2 Jokers."},
        {.id = B::buffoon_normal_2, .key = "p_buffoon_normal_2", .name = "Buffoon Pack", .kind = K::buffoon,
         .size = S::normal, .cost = 4, .weight = 0.6, .cards = 2, .picks = 1, .text = "Choose 1 of up to 2 Jokers."},
        {.id = B::buffoon_jumbo_1, .key = "p_buffoon_jumbo_1", .name = "Jumbo Buffoon Pack", .kind = K::buffoon,
         .size = S::jumbo, .cost = 6, .weight = 0.6, .cards = 4, .picks = 1, .text = "Choose 1 of up to 4 Jokers."},
        {.id = B::buffoon_mega_1, .key = "p_buffoon_mega_1", .name = "Mega Buffoon Pack", .kind = K::buffoon,
         .size = S::mega, .cost = 8, .weight = 0.15, .cards = 4, .picks = 2, .text = "Choose up to 2 of 4 Jokers."},
        {.id = B::spectral_normal_1, .key = "p_spectral_normal_1", .name = "Spectral Pack", .kind = K::spectral,
         .size = S::normal, .cost = 4, .weight = 0.3, .cards = 2, .picks = 1,
         .text = "Choose 1 of up to 2 Spectral cards to use at once."},
        {.id = B::spectral_normal_2, .key = "p_spectral_normal_2", .name = "Spectral Pack", .kind = K::spectral,
         .size = S::normal, .cost = 4, .weight = 0.3, .cards = 2, .picks = 1,
         .text = "Choose 1 of up to 2 Spectral cards to use at once."},
        {.id = B::spectral_jumbo_1, .key = "p_spectral_jumbo_1", .name = "Jumbo Spectral Pack", .kind = K::spectral,
         .size = S::jumbo, .cost = 6, .weight = 0.3, .cards = 4, .picks = 1,
         .text = "Choose 1 of up to 4 Spectral cards to use at once."},
        {.id = B::spectral_mega_1, .key = "p_spectral_mega_1", .name = "Mega Spectral Pack", .kind = K::spectral,
         .size = S::mega, .cost = 8, .weight = 0.07, .cards = 4, .picks = 2,
         .text = "Choose up to 2 of 4 Spectral cards to use at once."},
    });
}();
// clang-format on
inline constexpr int booster_count = static_cast<int>(booster_facts.size());

constexpr const BoosterFact& fact(BoosterId id) { return booster_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
