// What vouchers do: one VoucherRule constant each. Their numbers count while they are redeemed (in_force.hpp).
#pragma once

#include "rules/turn.hpp"

namespace jimbo {

enum class BossRerolls : std::uint8_t { none, once_per_ante, any };

// The numbers of an empty rule are those of a run without vouchers. An upgrade's number replaces that of its base
// voucher, unless the two are added up.
struct VoucherRule {
    VoucherId key{};
    void (*redeemed)(Turn&) = nullptr;  // once, when it is taken

    // Prices and money.
    int discount = 0;         // percent off everything in the shop
    int reroll_discount = 0;  // dollars, added up
    int interest_cap = 5;     // dollars a round
    BossRerolls boss_rerolls = BossRerolls::none;

    // What turns up.
    double tarot_rate = 4.0;  // weights of a shop slot
    double planet_rate = 4.0;
    double playing_card_rate = 0.0;
    double edition_rate = 1.0;
    bool arcana_spectrals = false;    // Arcana packs may hold Spectral cards
    bool decorated_cards = false;     // playing cards in the shop may be enhanced and have an edition
    bool favourite_planet = false;    // Celestial packs hold the planet of the most played hand
    double held_planet_x_mult = 1.0;  // of each planet card in hold whose hand is played
};

}  // namespace jimbo
