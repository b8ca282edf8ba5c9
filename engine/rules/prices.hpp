// What things cost. Prices are never stored, so a discount, a coupon or inflation counts everywhere at once.
#pragma once

#include "state/run_state.hpp"

namespace jimbo {

// Before coupons: what sell values are made from.
int price_of(const RunState& run, JokerId key, Edition edition, bool rental);
int price_of(const RunState& run, ConsumableId key, Edition edition);
int price_of(const RunState& run, const Offer& offer);
int price_of(const RunState& run, const ShopCard& card);
int price_of(const RunState& run, const ShopVoucher& voucher);
int price_of(const RunState& run, const ShopBooster& booster);
int reroll_price(const RunState& run);
inline constexpr int boss_reroll_price = 10;
// How far purchases may go: Credit Card allows debt.
int spendable(const RunState& run);
inline bool can_pay(const RunState& run, int price) { return price <= 0 || price <= spendable(run); }

}  // namespace jimbo
