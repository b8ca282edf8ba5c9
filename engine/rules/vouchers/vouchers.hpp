// The vouchers, each followed by its upgrade.
#pragma once

#include "rules/effects.hpp"
#include "rules/open_points.hpp"
#include "rules/shop.hpp"
#include "rules/vouchers/voucher_rule.hpp"
#include "rules/zones.hpp"

namespace jimbo::vouchers {

// --- The shop ------------------------------------------------------------------------------------------------------
inline void add_shop_slot(Turn& turn) {
    if (turn.run.shop_slots < max_shop_cards) ++turn.run.shop_slots;  // a run that was edited may have them all
    if (turn.run.phase == Phase::shop) fill_shop(turn);
}

inline constexpr VoucherRule overstock_norm{.key = VoucherId::overstock_norm, .redeemed = add_shop_slot};
inline constexpr VoucherRule overstock_plus{.key = VoucherId::overstock_plus, .redeemed = add_shop_slot};

inline constexpr VoucherRule clearance_sale{.key = VoucherId::clearance_sale, .discount = 25};
inline constexpr VoucherRule liquidation{.key = VoucherId::liquidation, .discount = 50};

inline constexpr VoucherRule hone{.key = VoucherId::hone, .edition_rate = 2};
inline constexpr VoucherRule glow_up{.key = VoucherId::glow_up, .edition_rate = 4};

inline constexpr int reroll_discount = 2;

// Elsewhere the price follows from the vouchers; a D6 Tag has set this shop's without asking them.
inline void cut_present_reroll(Turn& turn) {
    if (!open_point::reroll_vouchers_cut_present_price || !turn.run.rerolls_start_free) return;
    turn.run.reroll_cut = static_cast<std::int16_t>(turn.run.reroll_cut + reroll_discount);
}

inline constexpr VoucherRule reroll_surplus{
    .key = VoucherId::reroll_surplus,
    .redeemed = cut_present_reroll,
    .reroll_discount = reroll_discount,
};
inline constexpr VoucherRule reroll_glut{
    .key = VoucherId::reroll_glut,
    .redeemed = cut_present_reroll,
    .reroll_discount = reroll_discount,
};

inline constexpr VoucherRule tarot_merchant{.key = VoucherId::tarot_merchant, .tarot_rate = 9.6};
inline constexpr VoucherRule tarot_tycoon{.key = VoucherId::tarot_tycoon, .tarot_rate = 32};

inline constexpr VoucherRule planet_merchant{.key = VoucherId::planet_merchant, .planet_rate = 9.6};
inline constexpr VoucherRule planet_tycoon{.key = VoucherId::planet_tycoon, .planet_rate = 32};

inline constexpr VoucherRule magic_trick{.key = VoucherId::magic_trick, .playing_card_rate = 4};
inline constexpr VoucherRule illusion{.key = VoucherId::illusion, .decorated_cards = true};

// --- Consumables ---------------------------------------------------------------------------------------------------
inline constexpr VoucherRule crystal_ball{
    .key = VoucherId::crystal_ball,
    .redeemed = [](Turn& turn) { ++turn.run.consumable_slots; },
};
inline constexpr VoucherRule omen_globe{.key = VoucherId::omen_globe, .arcana_spectrals = true};

inline constexpr VoucherRule telescope{.key = VoucherId::telescope, .favourite_planet = true};
inline constexpr VoucherRule observatory{.key = VoucherId::observatory, .held_planet_x_mult = 1.5};

// --- Hands, discards, hand size, jokers ----------------------------------------------------------------------------
inline void add_hand(Turn& turn) { change_hands(turn, 1); }
inline void add_discard(Turn& turn) { change_discards(turn, 1); }
inline void add_hand_size(Turn& turn) { change_hand_size(turn, 1); }

inline constexpr VoucherRule grabber{.key = VoucherId::grabber, .redeemed = add_hand};
inline constexpr VoucherRule nacho_tong{.key = VoucherId::nacho_tong, .redeemed = add_hand};

inline constexpr VoucherRule wasteful{.key = VoucherId::wasteful, .redeemed = add_discard};
inline constexpr VoucherRule recyclomancy{.key = VoucherId::recyclomancy, .redeemed = add_discard};

inline constexpr VoucherRule paint_brush{.key = VoucherId::paint_brush, .redeemed = add_hand_size};
inline constexpr VoucherRule palette{.key = VoucherId::palette, .redeemed = add_hand_size};

// Does nothing.
inline constexpr VoucherRule blank{.key = VoucherId::blank};
inline constexpr VoucherRule antimatter{
    .key = VoucherId::antimatter,
    .redeemed = [](Turn& turn) { ++turn.run.joker_slots; },
};

// --- Money, antes and bosses ---------------------------------------------------------------------------------------
inline constexpr VoucherRule seed_money{.key = VoucherId::seed_money, .interest_cap = 10};
inline constexpr VoucherRule money_tree{.key = VoucherId::money_tree, .interest_cap = 20};

inline constexpr VoucherRule hieroglyph{
    .key = VoucherId::hieroglyph,
    .redeemed =
        [](Turn& turn) {
            --turn.run.ante;
            change_hands(turn, -1);
        },
};
inline constexpr VoucherRule petroglyph{
    .key = VoucherId::petroglyph,
    .redeemed =
        [](Turn& turn) {
            --turn.run.ante;
            change_discards(turn, -1);
        },
};

inline constexpr VoucherRule directors_cut{.key = VoucherId::directors_cut, .boss_rerolls = BossRerolls::once_per_ante};
inline constexpr VoucherRule retcon{.key = VoucherId::retcon, .boss_rerolls = BossRerolls::any};

}  // namespace jimbo::vouchers
