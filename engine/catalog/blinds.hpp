// The Small Blind, the Big Blind and the 28 Boss Blinds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "catalog/cards.hpp"
#include "catalog/fact_fields.hpp"

namespace jimbo {

// clang-format off
enum class BlindId : std::uint8_t {
    small, big, hook, ox, house, wall, wheel, arm, club, fish, psychic, goad, water, window, manacle, eye, mouth, plant,
    serpent, pillar, needle, head, tooth, flint, mark, final_acorn, final_leaf, final_vessel, final_heart, final_bell
};
// clang-format on
inline constexpr double usual_boss_score = 2;  // what all but a few bosses ask for, times the base chips of the ante

// clang-format off
#define BLIND_FIELDS(FIELD) \
    FIELD(dollars, 0, "Reward.", std::uint8_t) \
    FIELD(score, 1, "Times the base chips of the ante.", double) \
    FIELD(boss, false, "", bool) \
    FIELD(showdown, false, "The boss of every 8th ante.", bool) \
    FIELD(min_ante, 1, "Of bosses; 10 on showdown bosses, which follow their own rule.", std::uint8_t) \
    FIELD(debuffed_suit, {}, "", std::optional<Suit>) \
    FIELD(debuffs_faces, false, "", bool) \
    FIELD(min_cards, 0, "A play of fewer cards does not score.", std::uint8_t)
// clang-format on

struct BlindFact {
    BlindId id{};
    std::string_view key{};
    std::string_view name{};
    BLIND_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(BlindFact, BLIND_FIELDS)

// clang-format off
inline constexpr auto blind_facts = [] {
    using B = BlindId;
    return std::to_array<BlindFact>({
        {.id = B::small, .key = "bl_small", .name = "Small Blind", .dollars = 3, .score = 1,
         .text = "No special effect. May be skipped for a tag."},
        {.id = B::big, .key = "bl_big", .name = "Big Blind", .dollars = 4, .score = 1.5,
         .text = "No special effect. May be skipped for a tag."},
        {.id = B::hook, .key = "bl_hook", .name = "The Hook", .dollars = 5, .score = 2, .boss = true,
         .text = "When a hand is played, discards 2 random cards held in hand."},
        {.id = B::ox, .key = "bl_ox", .name = "The Ox", .dollars = 5, .score = 2, .boss = true, .min_ante = 6,
         .text = "Playing your most played hand type sets your money to $0."},
        {.id = B::house, .key = "bl_house", .name = "The House", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 2, .text = "The first hand is drawn face down."},
        {.id = B::wall, .key = "bl_wall", .name = "The Wall", .dollars = 5, .score = 4, .boss = true, .min_ante = 2,
         .text = "Needs twice the score of other Boss Blinds."},
        {.id = B::wheel, .key = "bl_wheel", .name = "The Wheel", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 2, .text = "Each card drawn has a 1 in 7 chance to be face down."},
        {.id = B::arm, .key = "bl_arm", .name = "The Arm", .dollars = 5, .score = 2, .boss = true, .min_ante = 2,
         .text = "Lowers the level of the played hand type by 1 before it scores, down to level 1."},
        {.id = B::club, .key = "bl_club", .name = "The Club", .dollars = 5, .score = 2, .boss = true,
         .debuffed_suit = Suit::clubs, .text = "All Clubs are debuffed."},
        {.id = B::fish, .key = "bl_fish", .name = "The Fish", .dollars = 5, .score = 2, .boss = true, .min_ante = 2,
         .text = "Cards drawn after a hand is played are face down."},
        {.id = B::psychic, .key = "bl_psychic", .name = "The Psychic", .dollars = 5, .score = 2, .boss = true,
         .min_cards = 5, .text = "Only hands of 5 cards score."},
        {.id = B::goad, .key = "bl_goad", .name = "The Goad", .dollars = 5, .score = 2, .boss = true,
         .debuffed_suit = Suit::spades, .text = "All Spades are debuffed."},
        {.id = B::water, .key = "bl_water", .name = "The Water", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 2, .text = "Start with 0 discards."},
        {.id = B::window, .key = "bl_window", .name = "The Window", .dollars = 5, .score = 2, .boss = true,
         .debuffed_suit = Suit::diamonds, .text = "All Diamonds are debuffed."},
        {.id = B::manacle, .key = "bl_manacle", .name = "The Manacle", .dollars = 5, .score = 2, .boss = true,
         .text = "-1 hand size."},
        {.id = B::eye, .key = "bl_eye", .name = "The Eye", .dollars = 5, .score = 2, .boss = true, .min_ante = 3,
         .text = "No hand type scores twice this round."},
        {.id = B::mouth, .key = "bl_mouth", .name = "The Mouth", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 2, .text = "Only the first hand type played scores this round."},
        {.id = B::plant, .key = "bl_plant", .name = "The Plant", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 4, .debuffs_faces = true, .text = "All face cards are debuffed."},
        {.id = B::serpent, .key = "bl_serpent", .name = "The Serpent", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 5, .text = "After each hand or discard, exactly 3 cards are drawn."},
        {.id = B::pillar, .key = "bl_pillar", .name = "The Pillar", .dollars = 5, .score = 2, .boss = true,
         .text = "Cards already played this ante are debuffed."},
        {.id = B::needle, .key = "bl_needle", .name = "The Needle", .dollars = 5, .score = 1, .boss = true,
         .min_ante = 2, .text = "Only 1 hand may be played."},
        {.id = B::head, .key = "bl_head", .name = "The Head", .dollars = 5, .score = 2, .boss = true,
         .debuffed_suit = Suit::hearts, .text = "All Hearts are debuffed."},
        {.id = B::tooth, .key = "bl_tooth", .name = "The Tooth", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 3, .text = "Lose $1 for each card played."},
        {.id = B::flint, .key = "bl_flint", .name = "The Flint", .dollars = 5, .score = 2, .boss = true,
         .min_ante = 2, .text = "The base Chips and Mult of played hands are halved."},
        {.id = B::mark, .key = "bl_mark", .name = "The Mark", .dollars = 5, .score = 2, .boss = true, .min_ante = 2,
         .text = "All face cards are drawn face down."},
        {.id = B::final_acorn, .key = "bl_final_acorn", .name = "Amber Acorn", .dollars = 8, .score = 2, .boss = true,
         .showdown = true, .min_ante = 10, .text = "Turns all Jokers face down and shuffles them."},
        {.id = B::final_leaf, .key = "bl_final_leaf", .name = "Verdant Leaf", .dollars = 8, .score = 2, .boss = true,
         .showdown = true, .min_ante = 10, .text = "All cards are debuffed until a Joker is sold."},
        {.id = B::final_vessel, .key = "bl_final_vessel", .name = "Violet Vessel", .dollars = 8, .score = 6,
         .boss = true, .showdown = true, .min_ante = 10, .text = "Needs three times the score of other Boss Blinds."},
        {.id = B::final_heart, .key = "bl_final_heart", .name = "Crimson Heart", .dollars = 8, .score = 2,
         .boss = true, .showdown = true, .min_ante = 10,
         .text = "One random Joker is debuffed, another one after each hand played."},
        {.id = B::final_bell, .key = "bl_final_bell", .name = "Cerulean Bell", .dollars = 8, .score = 2, .boss = true,
         .showdown = true, .min_ante = 10, .text = "One card is always selected."},
    });
}();
// clang-format on
inline constexpr int blind_count = static_cast<int>(blind_facts.size());
inline constexpr int boss_count = static_cast<int>(
    std::count_if(blind_facts.begin(), blind_facts.end(), [](const BlindFact& blind) { return blind.boss; }));

constexpr const BlindFact& fact(BlindId id) { return blind_facts[static_cast<std::size_t>(id)]; }

// The bosses sorted by key, bytewise: the order in which one is drawn.
inline constexpr std::array<BlindId, boss_count> boss_order = [] {
    std::array<BlindId, boss_count> bosses{};
    std::size_t n = 0;
    for (const BlindFact& blind : blind_facts) {
        if (blind.boss) bosses[n++] = blind.id;
    }
    std::sort(bosses.begin(), bosses.end(), [](BlindId a, BlindId b) { return fact(a).key < fact(b).key; });
    return bosses;
}();

}  // namespace jimbo
