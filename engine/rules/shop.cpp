#include "rules/shop.hpp"

#include <algorithm>

#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/jokers/each_joker.hpp"
#include "rules/open_points.hpp"
#include "rules/tags.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

HandType draw_orbital_hand(RunState& run) {
    const auto hands = visible_hands(run);
    return hands[run.streams.pick(Stream::orbital, hands.size())];
}

}  // namespace

void prepare_ante(Turn& turn) {
    RunState& run = turn.run;
    const Blocked blocked = blocked_for_ante(run);
    run.voucher = pick_voucher(run.streams, {Stream::voucher, run.ante}, blocked);
    for (HeldTag& tag : run.skip_tags) {
        tag.key = pick_tag(run.streams, run.ante, blocked);
        tag.orbital_hand = draw_orbital_hand(run);
    }
    draw_orbital_hand(run);  // the boss's, though it has no tag
    run.boss = pick_boss(run.streams, run.ante, run.boss_uses, blocked);
    run.boss_rerolled = false;
}

// A Boss Tag uses up the ante's reroll too.
void reroll_boss(Turn& turn) {
    RunState& run = turn.run;
    run.boss_rerolled = true;
    run.boss = pick_boss(run.streams, run.ante, run.boss_uses, blocked_for_ante(run));
}

namespace {

// A joker that an Uncommon or Rare Tag puts into the shop.
std::optional<ShopCard> card_from_tag(Turn& turn) {
    RunState& run = turn.run;
    for (int i = 0; i < run.tags.size(); ++i) {
        const TagId key = run.tags[i].key;
        if (key != TagId::uncommon && key != TagId::rare) continue;
        const Making making = making_for(run);
        const bool rare = key == TagId::rare;
        use_tag(turn, key);
        const auto& pool = rare_jokers;
        if (rare && std::all_of(pool.begin(), pool.end(), [&](JokerId j) { return making.blocked.jokers.has(j); })) {
            return std::nullopt;  // nothing left to give: the tag is wasted
        }
        const Offer offer = rare ? make_joker(run.streams, making, source::rare_tag, Rarity::rare)
                                 : make_joker(run.streams, making, source::uncommon_tag, Rarity::uncommon);
        return ShopCard{offer, true};
    }
    return std::nullopt;
}

std::optional<Edition> edition_of(TagId tag) {
    switch (tag) {
        case TagId::negative:
            return Edition::negative;
        case TagId::foil:
            return Edition::foil;
        case TagId::holo:
            return Edition::holo;
        case TagId::polychrome:
            return Edition::polychrome;
        default:
            return std::nullopt;
    }
}

void apply_edition_tag(Turn& turn, ShopCard& card) {
    if (card.offer.kind != OfferKind::joker || card.offer.edition != Edition::base) return;
    for (int i = 0; i < turn.run.tags.size(); ++i) {
        const auto edition = edition_of(turn.run.tags[i].key);
        if (!edition) continue;
        use_tag(turn, turn.run.tags[i].key);
        card.offer.edition = *edition;
        card.free = true;
        return;
    }
}

// A card has its place in the creation order from the moment it is shown.
void number(RunState& run, Offer& offer) {
    offer.id = take_id(run);
    offer.card.id = offer.id;
}

void add_shop_card(Turn& turn) {
    RunState& run = turn.run;
    if (run.shop.full()) return;
    auto card = card_from_tag(turn);
    if (!card) card = ShopCard{make_shop_card(run.streams, making_for(run)), false};
    apply_edition_tag(turn, *card);
    number(run, card->offer);
    run.shop.push_back(*card);
}

void fill_shop(Turn& turn) {
    while (turn.run.shop.size() < turn.run.shop_slots) add_shop_card(turn);
}

void add_vouchers(Turn& turn) {
    RunState& run = turn.run;
    if (run.voucher) {
        take_id(run);
        run.shop_vouchers.push_back({*run.voucher, false, false});
    }
    while (!run.shop_vouchers.full() && use_tag(turn, TagId::voucher)) {
        const VoucherId extra = pick_voucher(run.streams, Stream::voucher_tag, blocked_for_ante(run));
        take_id(run);
        run.shop_vouchers.push_back({extra, false, true});
    }
}

void add_boosters(Turn& turn) {
    RunState& run = turn.run;
    const Blocked blocked = blocked_for_ante(run);
    for (int i = 0; i < 2; ++i) {
        const bool first = !run.first_booster_made && !blocked.boosters.has(first_booster);
        run.first_booster_made = true;
        take_id(run);
        run.shop_boosters.push_back({first ? first_booster : pick_booster(run.streams, run.ante, blocked), false});
    }
}

}  // namespace

void open_shop(Turn& turn) {
    RunState& run = turn.run;
    run.phase = Phase::shop;
    if (use_tag(turn, TagId::d_six)) run.rerolls_start_free = true;
    fill_shop(turn);
    add_vouchers(turn);
    add_boosters(turn);
    if (use_tag(turn, TagId::coupon)) {
        for (ShopCard& card : run.shop) card.free = true;
        for (ShopBooster& booster : run.shop_boosters) booster.free = true;
    }
}

void close_shop(Turn& turn) {
    RunState& run = turn.run;
    each_joker(turn, &JokerRule::shop_left);
    run.shop.clear();
    run.shop_vouchers.clear();
    run.shop_boosters.clear();
    run.phase = Phase::blind_select;
    apply_blind_choice_tag(turn);
}

void reroll_shop(Turn& turn) {
    RunState& run = turn.run;
    if (run.free_rerolls > 0) {
        --run.free_rerolls;
    } else {
        ++run.reroll_increase;
    }
    run.reroll_cut = 0;
    run.shop.clear();
    fill_shop(turn);
    each_joker(turn, &JokerRule::shop_rerolled);
}

void redeem(Turn& turn, VoucherId voucher) {
    RunState& run = turn.run;
    run.vouchers.add(voucher);
    turn.note({EventKind::voucher_redeemed, Actor::voucher, 0, static_cast<std::uint8_t>(voucher)});
    switch (voucher) {
        case VoucherId::overstock_norm:
        case VoucherId::overstock_plus:
            ++run.shop_slots;
            if (run.phase == Phase::shop) fill_shop(turn);
            break;
        case VoucherId::crystal_ball:
            ++run.consumable_slots;
            break;
        case VoucherId::antimatter:
            ++run.joker_slots;
            break;
        case VoucherId::grabber:
        case VoucherId::nacho_tong:
            change_hands(turn, 1);
            break;
        case VoucherId::wasteful:
        case VoucherId::recyclomancy:
            change_discards(turn, 1);
            break;
        case VoucherId::paint_brush:
        case VoucherId::palette:
            change_hand_size(turn, 1);
            break;
        case VoucherId::hieroglyph:
            --run.ante;
            change_hands(turn, -1);
            break;
        case VoucherId::petroglyph:
            --run.ante;
            change_discards(turn, -1);
            break;
        case VoucherId::reroll_surplus:
        case VoucherId::reroll_glut:
            // Elsewhere the price follows from the vouchers; a D6 Tag has set this shop's without asking them.
            if (open_point::reroll_vouchers_cut_present_price && run.rerolls_start_free) run.reroll_cut += 2;
            break;
        default:
            break;  // read where they matter
    }
}

void open_pack(Turn& turn, BoosterId booster) {
    RunState& run = turn.run;
    run.pack = OpenPack{.key = booster, .picks_left = fact(booster).picks, .opened_from = run.phase, .cards = {}};
    if (!open_point::hallucination_excludes_pack) each_joker(turn, &JokerRule::pack_opened);
    run.pack.cards = open_pack(run.streams, making_for(run), booster);
    for (Offer& offer : run.pack.cards) number(run, offer);
    run.phase = Phase::pack_opening;
    const BoosterKind kind = fact(booster).kind;
    if (kind == BoosterKind::arcana || kind == BoosterKind::spectral) {
        draw_cards(turn, std::clamp(hand_limit(run) - run.hand.size(), 0, run.deck_pile.size()));
    }
    if (open_point::hallucination_excludes_pack) each_joker(turn, &JokerRule::pack_opened);
}

void close_pack(Turn& turn) {
    RunState& run = turn.run;
    put_back_hand(run);
    run.phase = run.pack.opened_from;
    run.pack = OpenPack{};
    if (run.phase == Phase::blind_select) apply_blind_choice_tag(turn);
}

}  // namespace jimbo
