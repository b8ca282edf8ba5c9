#include "rules/shop.hpp"

#include <algorithm>

#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/jokers/each_joker.hpp"
#include "rules/open_points.hpp"
#include "rules/tags.hpp"
#include "rules/tags/tag_rule.hpp"
#include "rules/vouchers/in_force.hpp"
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

bool may_reroll_boss(const RunState& run) {
    switch (in_force<&VoucherRule::boss_rerolls>(run)) {
        case BossRerolls::none:
            break;
        case BossRerolls::once_per_ante:
            return !run.boss_rerolled;
        case BossRerolls::any:
            return true;
    }
    return false;
}

// A Boss Tag uses up the ante's reroll too.
void reroll_boss(Turn& turn) {
    RunState& run = turn.run;
    run.boss_rerolled = true;
    run.boss = pick_boss(run.streams, run.ante, run.boss_uses, blocked_for_ante(run));
}

namespace {

// A card has its place in the creation order from the moment it is shown.
void number(RunState& run, Offer& offer) {
    offer.id = take_id(run);
    offer.card.id = offer.id;
}

void add_shop_card(Turn& turn) {
    RunState& run = turn.run;
    if (run.shop.full()) return;
    const TagRule* tag = use_tag_with(turn, &TagRule::shop_card);
    auto card = tag != nullptr ? tag->shop_card(turn) : std::nullopt;
    if (!card) card = ShopCard{make_shop_card(run.streams, pool_context(run)), false};
    if (card->offer.kind == OfferKind::joker && card->offer.edition == Edition::base) {
        if (const TagRule* changing = use_tag_with(turn, &TagRule::base_joker)) changing->base_joker(*card);
    }
    number(run, card->offer);
    run.shop.push_back(*card);
}

}  // namespace

void fill_shop(Turn& turn) {
    while (turn.run.shop.size() < turn.run.shop_slots) add_shop_card(turn);
}

namespace {

void add_vouchers(Turn& turn) {
    RunState& run = turn.run;
    if (run.voucher) {
        take_id(run);
        run.shop_vouchers.push_back({*run.voucher, false, false});
    }
    while (!run.shop_vouchers.full()) {
        const TagRule* tag = use_tag_with(turn, &TagRule::vouchers_shown);
        if (tag == nullptr) break;
        tag->vouchers_shown(turn);
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
    turn.run.phase = Phase::shop;
    if (const TagRule* tag = use_tag_with(turn, &TagRule::shop_opened)) tag->shop_opened(turn);
    fill_shop(turn);
    add_vouchers(turn);
    add_boosters(turn);
    if (const TagRule* tag = use_tag_with(turn, &TagRule::shop_stocked)) tag->shop_stocked(turn);
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
    if (rule_of(voucher).redeemed != nullptr) rule_of(voucher).redeemed(turn);
}

void open_pack(Turn& turn, BoosterId booster) {
    RunState& run = turn.run;
    run.pack = OpenPack{.key = booster, .picks_left = fact(booster).picks, .opened_from = run.phase, .cards = {}};
    if (!open_point::hallucination_excludes_pack) each_joker(turn, &JokerRule::pack_opened);
    run.pack.cards = open_pack(run.streams, pool_context(run), booster);
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
