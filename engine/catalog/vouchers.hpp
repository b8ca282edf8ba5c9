// The 32 vouchers in pool order: each base voucher is followed by its upgrade.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "catalog/fact_fields.hpp"

namespace jimbo {

// clang-format off
enum class VoucherId : std::uint8_t {
    overstock_norm, overstock_plus, clearance_sale, liquidation, hone, glow_up, reroll_surplus, reroll_glut,
    crystal_ball, omen_globe, telescope, observatory, grabber, nacho_tong, wasteful, recyclomancy, tarot_merchant,
    tarot_tycoon, planet_merchant, planet_tycoon, seed_money, money_tree, blank, antimatter, magic_trick, illusion,
    hieroglyph, petroglyph, directors_cut, retcon, paint_brush, palette
};

#define VOUCHER_FIELDS(FIELD) \
    FIELD(cost, 10, "", std::uint8_t) \
    FIELD(prerequisite, {}, "Must have been redeemed first. A fresh profile has locked the 16 vouchers with one.", \
          std::optional<VoucherId>)
// clang-format on

struct VoucherFact {
    VoucherId id{};
    std::string_view key{};
    std::string_view name{};
    VOUCHER_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(VoucherFact, VOUCHER_FIELDS)

// clang-format off
inline constexpr auto voucher_facts = [] {
    using V = VoucherId;
    return std::to_array<VoucherFact>({
        {.id = V::overstock_norm, .key = "v_overstock_norm", .name = "Overstock",
         .text = "+1 card slot in the shop (3 in all)."},
        {.id = V::overstock_plus, .key = "v_overstock_plus", .name = "Overstock Plus",
         .prerequisite = V::overstock_norm, .text = "+1 card slot in the shop (4 in all)."},
        {.id = V::clearance_sale, .key = "v_clearance_sale", .name = "Clearance Sale",
         .text = "Everything in the shop is 25% off."},
        {.id = V::liquidation, .key = "v_liquidation", .name = "Liquidation", .prerequisite = V::clearance_sale,
         .text = "Everything in the shop is 50% off."},
        {.id = V::hone, .key = "v_hone", .name = "Hone",
         .text = "Foil, Holographic and Polychrome cards appear 2 times as often."},
        {.id = V::glow_up, .key = "v_glow_up", .name = "Glow Up", .prerequisite = V::hone,
         .text = "Foil, Holographic and Polychrome cards appear 4 times as often."},
        {.id = V::reroll_surplus, .key = "v_reroll_surplus", .name = "Reroll Surplus",
         .text = "Rerolls cost $2 less."},
        {.id = V::reroll_glut, .key = "v_reroll_glut", .name = "Reroll Glut", .prerequisite = V::reroll_surplus,
         .text = "Rerolls cost another $2 less."},
        {.id = V::crystal_ball, .key = "v_crystal_ball", .name = "Crystal Ball", .text = "+1 consumable slot."},
        {.id = V::omen_globe, .key = "v_omen_globe", .name = "Omen Globe", .prerequisite = V::crystal_ball,
         .text = "Each card of an Arcana Pack has a 1 in 5 chance to be a Spectral card."},
        {.id = V::telescope, .key = "v_telescope", .name = "Telescope",
         .text = "Celestial Packs always hold the Planet card of your most played hand type."},
        {.id = V::observatory, .key = "v_observatory", .name = "Observatory", .prerequisite = V::telescope,
         .text = "Each Planet card you hold gives X1.5 Mult when its hand type is played."},
        {.id = V::grabber, .key = "v_grabber", .name = "Grabber", .text = "+1 hand each round."},
        {.id = V::nacho_tong, .key = "v_nacho_tong", .name = "Nacho Tong", .prerequisite = V::grabber,
         .text = "+1 hand each round."},
        {.id = V::wasteful, .key = "v_wasteful", .name = "Wasteful", .text = "+1 discard each round."},
        {.id = V::recyclomancy, .key = "v_recyclomancy", .name = "Recyclomancy", .prerequisite = V::wasteful,
         .text = "+1 discard each round."},
        {.id = V::tarot_merchant, .key = "v_tarot_merchant", .name = "Tarot Merchant",
         .text = "Tarot cards appear about 2 times as often in the shop (weight 9.6 instead of 4)."},
        {.id = V::tarot_tycoon, .key = "v_tarot_tycoon", .name = "Tarot Tycoon", .prerequisite = V::tarot_merchant,
         .text = "Tarot cards appear about 4 times as often in the shop (weight 32 instead of 4)."},
        {.id = V::planet_merchant, .key = "v_planet_merchant", .name = "Planet Merchant",
         .text = "Planet cards appear about 2 times as often in the shop (weight 9.6 instead of 4)."},
        {.id = V::planet_tycoon, .key = "v_planet_tycoon", .name = "Planet Tycoon",
         .prerequisite = V::planet_merchant,
         .text = "Planet cards appear about 4 times as often in the shop (weight 32 instead of 4)."},
        {.id = V::seed_money, .key = "v_seed_money", .name = "Seed Money",
         .text = "Raises the limit of interest to $10 a round."},
        {.id = V::money_tree, .key = "v_money_tree", .name = "Money Tree", .prerequisite = V::seed_money,
         .text = "Raises the limit of interest to $20 a round."},
        {.id = V::blank, .key = "v_blank", .name = "Blank",
         .text = "Does nothing by itself; opens the way to Antimatter."},
        {.id = V::antimatter, .key = "v_antimatter", .name = "Antimatter", .prerequisite = V::blank,
         .text = "+1 Joker slot."},
        {.id = V::magic_trick, .key = "v_magic_trick", .name = "Magic Trick",
         .text = "Playing cards appear in the shop."},
        {.id = V::illusion, .key = "v_illusion", .name = "Illusion", .prerequisite = V::magic_trick,
         .text = "Playing cards in the shop may have an enhancement and an edition."},
        {.id = V::hieroglyph, .key = "v_hieroglyph", .name = "Hieroglyph", .text = "-1 ante, -1 hand each round."},
        {.id = V::petroglyph, .key = "v_petroglyph", .name = "Petroglyph", .prerequisite = V::hieroglyph,
         .text = "-1 ante, -1 discard each round."},
        {.id = V::directors_cut, .key = "v_directors_cut", .name = "Director's Cut",
         .text = "Reroll the Boss Blind once per ante, for $10."},
        {.id = V::retcon, .key = "v_retcon", .name = "Retcon", .prerequisite = V::directors_cut,
         .text = "Reroll the Boss Blind as often as you like, for $10 each."},
        {.id = V::paint_brush, .key = "v_paint_brush", .name = "Paint Brush", .text = "+1 hand size."},
        {.id = V::palette, .key = "v_palette", .name = "Palette", .prerequisite = V::paint_brush,
         .text = "+1 hand size."},
    });
}();
// clang-format on
inline constexpr int voucher_count = static_cast<int>(voucher_facts.size());

constexpr const VoucherFact& fact(VoucherId id) { return voucher_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
