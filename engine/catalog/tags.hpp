// The 24 tags in pool order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/fact_fields.hpp"

namespace jimbo {

// clang-format off
enum class TagId : std::uint8_t {
    uncommon, rare, negative, foil, holo, polychrome, investment, voucher, boss, standard, charm, meteor, buffoon,
    handy, garbage, ethereal, coupon, double_, juggle, d_six, top_up, skip, orbital, economy
};

#define TAG_FIELDS(FIELD) \
    FIELD(min_ante, 1, "In the pool from this ante on.", std::uint8_t) \
    FIELD(names_hand, false, "It is about a poker hand, which is drawn with it.", bool) \
    FIELD(locked_on_fresh_profile, false, "Until Blueprint (Rare Tag) or the edition has been discovered.", bool)
// clang-format on

struct TagFact {
    TagId id{};
    std::string_view key{};
    std::string_view name{};
    TAG_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(TagFact, TAG_FIELDS)

// clang-format off
inline constexpr auto tag_facts = [] {
    using T = TagId;
    return std::to_array<TagFact>({
        {.id = T::uncommon, .key = "tag_uncommon", .name = "Uncommon Tag",
         .text = "The next shop has a free Uncommon Joker."},
        {.id = T::rare, .key = "tag_rare", .name = "Rare Tag", .locked_on_fresh_profile = true,
         .text = "The next shop has a free Rare Joker."},
        {.id = T::negative, .key = "tag_negative", .name = "Negative Tag", .min_ante = 2,
         .locked_on_fresh_profile = true, .text = "The next base Joker in a shop becomes Negative and free."},
        {.id = T::foil, .key = "tag_foil", .name = "Foil Tag", .locked_on_fresh_profile = true,
         .text = "The next base Joker in a shop becomes Foil and free."},
        {.id = T::holo, .key = "tag_holo", .name = "Holographic Tag", .locked_on_fresh_profile = true,
         .text = "The next base Joker in a shop becomes Holographic and free."},
        {.id = T::polychrome, .key = "tag_polychrome", .name = "Polychrome Tag", .locked_on_fresh_profile = true,
         .text = "The next base Joker in a shop becomes Polychrome and free."},
        {.id = T::investment, .key = "tag_investment", .name = "Investment Tag",
         .text = "$25 after the next Boss Blind is defeated."},
        {.id = T::voucher, .key = "tag_voucher", .name = "Voucher Tag", .text = "Adds a voucher to the next shop."},
        {.id = T::boss, .key = "tag_boss", .name = "Boss Tag", .text = "Rerolls the Boss Blind."},
        {.id = T::standard, .key = "tag_standard", .name = "Standard Tag", .min_ante = 2,
         .text = "Opens a free Mega Standard Pack."},
        {.id = T::charm, .key = "tag_charm", .name = "Charm Tag", .text = "Opens a free Mega Arcana Pack."},
        {.id = T::meteor, .key = "tag_meteor", .name = "Meteor Tag", .min_ante = 2,
         .text = "Opens a free Mega Celestial Pack."},
        {.id = T::buffoon, .key = "tag_buffoon", .name = "Buffoon Tag", .min_ante = 2,
         .text = "Opens a free Mega Buffoon Pack."},
        {.id = T::handy, .key = "tag_handy", .name = "Handy Tag", .min_ante = 2,
         .text = "$1 for each hand played this run."},
        {.id = T::garbage, .key = "tag_garbage", .name = "Garbage Tag", .min_ante = 2,
         .text = "$1 for each unused discard this run."},
        {.id = T::ethereal, .key = "tag_ethereal", .name = "Ethereal Tag", .min_ante = 2,
         .text = "Opens a free Spectral Pack."},
        {.id = T::coupon, .key = "tag_coupon", .name = "Coupon Tag",
         .text = "The cards and booster packs first shown in the next shop are free."},
        {.id = T::double_, .key = "tag_double", .name = "Double Tag",
         .text = "Gives a copy of the next tag you get, Double Tags excepted."},
        {.id = T::juggle, .key = "tag_juggle", .name = "Juggle Tag", .text = "+3 hand size for the next round."},
        {.id = T::d_six, .key = "tag_d_six", .name = "D6 Tag", .text = "Rerolls in the next shop start at $0."},
        {.id = T::top_up, .key = "tag_top_up", .name = "Top-up Tag", .min_ante = 2,
         .text = "Creates up to 2 Common Jokers, if there is room."},
        {.id = T::skip, .key = "tag_skip", .name = "Speed Tag",
         .text = "$5 for each blind skipped this run, this one included."},
        {.id = T::orbital, .key = "tag_orbital", .name = "Orbital Tag", .min_ante = 2, .names_hand = true,
         .text = "Raises the level of the named hand type by 3."},
        {.id = T::economy, .key = "tag_economy", .name = "Economy Tag", .text = "Doubles your money, by $40 at most."},
    });
}();
// clang-format on
inline constexpr int tag_count = static_cast<int>(tag_facts.size());

constexpr const TagFact& fact(TagId id) { return tag_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
