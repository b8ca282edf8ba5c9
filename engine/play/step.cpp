#include "play/step.hpp"

#include <algorithm>

#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/consumables.hpp"
#include "rules/effects.hpp"
#include "rules/jokers/each_joker.hpp"
#include "rules/open_points.hpp"
#include "rules/prices.hpp"
#include "rules/round.hpp"
#include "rules/shop.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

void pay(Turn& turn, int price) { earn(turn, -price); }

void take_offer(Turn& turn, const Offer& offer) {
    switch (offer.kind) {
        case OfferKind::joker:
            add_joker(turn, offer);
            break;
        case OfferKind::consumable:
            add_consumable(turn, offer.consumable, offer.edition, offer.id);
            break;
        case OfferKind::playing_card:
            add_card(turn, offer.card, CardTo::deck);
            break;
    }
}

void use_offer(Turn& turn, ConsumableId key, std::uint64_t cards) {
    use_consumable(turn, {key, hand_cards(turn.run, cards)});
    sweep_jokers(turn);
}

void buy(Turn& turn, const Action& action) {
    RunState& run = turn.run;
    const ShopCard card = run.shop[action.index];
    pay(turn, price_of(run, card));
    run.shop.erase(action.index);
    count_purchase(run);
    if (action.kind == ActionKind::buy) {
        take_offer(turn, card.offer);
    } else {
        use_offer(turn, card.offer.consumable, action.cards);
    }
}

void redeem_voucher(Turn& turn, int index) {
    RunState& run = turn.run;
    const ShopVoucher voucher = run.shop_vouchers[index];
    pay(turn, price_of(run, voucher));
    run.shop_vouchers.erase(index);
    count_purchase(run);
    if (!voucher.from_tag) run.voucher.reset();
    redeem(turn, voucher.key);
}

void open_booster(Turn& turn, int index) {
    RunState& run = turn.run;
    const ShopBooster booster = run.shop_boosters[index];
    pay(turn, price_of(run, booster));
    run.shop_boosters.erase(index);
    count_purchase(run);
    open_pack(turn, booster.key);
}

void pick_from_pack(Turn& turn, const Action& action) {
    RunState& run = turn.run;
    const Offer offer = run.pack.cards[action.index];
    run.pack.cards.erase(action.index);
    --run.pack.picks_left;
    if (offer.kind == OfferKind::consumable) {
        use_offer(turn, offer.consumable, action.cards);
    } else {
        take_offer(turn, offer);
    }
    if (run.pack.picks_left == 0 || run.pack.cards.empty()) close_pack(turn);
}

void use_owned(Turn& turn, const Action& action) {
    const Consumable used = turn.run.consumables[action.index];
    const auto targets = hand_cards(turn.run, action.cards);
    const bool keeps_slot = open_point::negative_keeps_slot_while_acting && used.edition == Edition::negative;
    turn.run.consumables.erase(action.index);
    use_consumable(turn, {used.key, targets, keeps_slot ? 1 : 0});
    sweep_jokers(turn);
}

// Everything but the sold card itself hears of the sale.
void announce_sale(Turn& turn) { each_joker(turn, &JokerRule::card_sold); }

void sell_joker(Turn& turn, int slot) {
    RunState& run = turn.run;
    const int value = sell_value(run, run.jokers[slot]);
    for (const JokerCall& joker : resolve_jokers(run)) {
        if (joker.slot == slot && joker.rule->sold != nullptr) joker.rule->sold(turn, joker);
    }
    earn(turn, value, Actor::joker, slot);
    run.jokers[slot].leaving = true;
    sweep_jokers(turn);
    announce_sale(turn);
    if (const BlindRule& blind = acting_blind(run); blind.joker_sold != nullptr) blind.joker_sold(turn);
}

void sell_consumable(Turn& turn, int index) {
    RunState& run = turn.run;
    earn(turn, sell_value(run, run.consumables[index]), Actor::consumable, index,
         static_cast<int>(run.consumables[index].key));
    run.consumables.erase(index);
    announce_sale(turn);
}

template <typename Zone>
void move_within(Zone& zone, int from, int to) {
    const auto item = zone[from];
    zone.erase(from);
    zone.insert(to, item);
}

// Longer than other functions because it is a plain list: one case for each kind of action.
void apply(Turn& turn, const Action& action) {
    RunState& run = turn.run;
    switch (action.kind) {
        case ActionKind::select_blind:
            start_round(turn);
            break;
        case ActionKind::skip_blind:
            skip_blind(turn);
            break;
        case ActionKind::reroll_boss:
            pay(turn, boss_reroll_price);
            reroll_boss(turn);
            break;
        case ActionKind::play:
            take_played(run, action.cards);
            play_hand(turn);
            break;
        case ActionKind::discard:
            discard_hand(turn, hand_cards(run, action.cards));
            break;
        case ActionKind::cash_out:
            cash_out(turn);
            break;
        case ActionKind::buy:
        case ActionKind::buy_and_use:
            buy(turn, action);
            break;
        case ActionKind::redeem:
            redeem_voucher(turn, action.index);
            break;
        case ActionKind::open_booster:
            open_booster(turn, action.index);
            break;
        case ActionKind::reroll:
            pay(turn, reroll_price(run));
            reroll_shop(turn);
            break;
        case ActionKind::leave_shop:
            close_shop(turn);
            break;
        case ActionKind::pick:
            pick_from_pack(turn, action);
            break;
        case ActionKind::skip_pack:
            each_joker(turn, &JokerRule::pack_skipped);
            close_pack(turn);
            break;
        case ActionKind::use:
            use_owned(turn, action);
            break;
        case ActionKind::sell_joker:
            sell_joker(turn, action.index);
            break;
        case ActionKind::sell_consumable:
            sell_consumable(turn, action.index);
            break;
        case ActionKind::move_joker:
            move_within(run.jokers, action.index, action.to);
            break;
        case ActionKind::move_consumable:
            move_within(run.consumables, action.index, action.to);
            break;
        case ActionKind::move_card:
            move_within(run.hand, action.index, action.to);
            break;
        case ActionKind::sort_hand_by_rank:
        case ActionKind::sort_hand_by_suit:
            run.sorts_by_suit = action.kind == ActionKind::sort_hand_by_suit;
            sort_hand(run);
            break;
    }
}

// A copy of a pinned joker is pinned, too.
void put_pinned_first(RunState& run) {
    if (!run.challenge) return;
    std::stable_partition(run.jokers.begin(), run.jokers.end(), [](const Joker& joker) { return joker.pinned; });
}

}  // namespace

Refusal step(RunState& run, const Action& action, EventLog* log) {
    const Refusal refusal = check(run, action);
    if (refusal != Refusal::none) return refusal;
    Turn turn{run, log};
    apply(turn, action);
    settle_round(turn);
    put_pinned_first(run);
    if (run.streams.overflowed()) run.end = EndCode::no_room;
    if (run.end == EndCode::no_room) run.phase = Phase::game_over;
    return Refusal::none;
}

}  // namespace jimbo
