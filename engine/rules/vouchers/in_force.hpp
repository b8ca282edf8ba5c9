// The rules of all vouchers, and the numbers that count with those a run has redeemed.
#pragma once

#include <algorithm>
#include <array>

#include "rules/vouchers/vouchers.hpp"

namespace jimbo {

// In catalogue order.
// clang-format off
inline constexpr std::array<const VoucherRule*, voucher_count> voucher_rules{
    &vouchers::overstock_norm, &vouchers::overstock_plus, &vouchers::clearance_sale, &vouchers::liquidation,
    &vouchers::hone, &vouchers::glow_up, &vouchers::reroll_surplus, &vouchers::reroll_glut, &vouchers::crystal_ball,
    &vouchers::omen_globe, &vouchers::telescope, &vouchers::observatory, &vouchers::grabber, &vouchers::nacho_tong,
    &vouchers::wasteful, &vouchers::recyclomancy, &vouchers::tarot_merchant, &vouchers::tarot_tycoon,
    &vouchers::planet_merchant, &vouchers::planet_tycoon, &vouchers::seed_money, &vouchers::money_tree,
    &vouchers::blank, &vouchers::antimatter, &vouchers::magic_trick, &vouchers::illusion, &vouchers::hieroglyph,
    &vouchers::petroglyph, &vouchers::directors_cut, &vouchers::retcon, &vouchers::paint_brush, &vouchers::palette,
};
// clang-format on

consteval bool every_voucher_stands_at_its_key() {
    for (std::size_t i = 0; i < voucher_rules.size(); ++i) {
        if (static_cast<std::size_t>(voucher_rules[i]->key) != i) return false;
    }
    return true;
}
static_assert(every_voucher_stands_at_its_key(), "a voucher is missing, stands twice or stands in the wrong place");

constexpr const VoucherRule& rule_of(VoucherId key) { return *voucher_rules[static_cast<std::size_t>(key)]; }

// The rules that have a number of their own: few, so that asking costs no more than a look at each.
template <auto number>
inline constexpr auto vouchers_with = [] {
    constexpr auto has = [](const VoucherRule* rule) { return rule->*number != VoucherRule{}.*number; };
    std::array<const VoucherRule*, static_cast<std::size_t>(std::ranges::count_if(voucher_rules, has))> found{};
    std::ranges::copy_if(voucher_rules, found.begin(), has);
    return found;
}();

// The number of the last redeemed voucher that has one.
template <auto number>
auto in_force(const RunState& run) {
    auto value = VoucherRule{}.*number;
    for (const VoucherRule* rule : vouchers_with<number>) {
        if (run.has(rule->key)) value = rule->*number;
    }
    return value;
}

// The numbers of all redeemed vouchers added up.
template <auto number>
auto in_force_together(const RunState& run) {
    auto sum = VoucherRule{}.*number;
    for (const VoucherRule* rule : vouchers_with<number>) {
        if (run.has(rule->key)) sum += rule->*number;
    }
    return sum;
}

}  // namespace jimbo
