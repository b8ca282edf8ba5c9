#include "play/legal.hpp"

#include <bit>

#include "play/groups.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/consumables.hpp"
#include "rules/hand_type.hpp"
#include "rules/open_points.hpp"
#include "rules/prices.hpp"
#include "rules/queries.hpp"
#include "rules/shop.hpp"

namespace jimbo {

std::uint64_t hand_positions(const RunState& run) {
    return run.hand.size() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << run.hand.size()) - 1;
}

std::uint64_t target_positions(const RunState& run, ConsumableId key) {
    const auto takes = rule_of(key).takes;
    if (takes == nullptr) return hand_positions(run);
    std::uint64_t positions = 0;
    for (int i = 0; i < run.hand.size(); ++i) {
        if (takes(run.hand_card(i))) positions |= std::uint64_t{1} << i;
    }
    return positions;
}

std::uint64_t forced_positions(const RunState& run) {
    std::uint64_t positions = 0;
    for (int i = 0; i < run.hand.size(); ++i) {
        if (run.hand_card(i).forced) positions |= std::uint64_t{1} << i;
    }
    return positions;
}

namespace {

bool is_resting(Phase phase) { return phase != Phase::game_over; }

Refusal check_selection(const RunState& run, std::uint64_t cards) {
    if (cards == 0) return Refusal::no_cards_selected;
    if ((cards & ~hand_positions(run)) != 0) return Refusal::no_such_place;
    if (std::popcount(cards) > max_selected) return Refusal::too_many_cards;
    return (forced_positions(run) & ~cards) == 0 ? Refusal::none : Refusal::forced_card_missing;
}

Refusal check_targets(const RunState& run, ConsumableId key, std::uint64_t cards, bool from_pack) {
    if ((cards & ~hand_positions(run)) != 0) return Refusal::no_such_place;
    const int targets = std::popcount(cards);
    const ConsumableFact& c = fact(key);
    if (targets < c.min_targets || targets > c.max_targets) return Refusal::wrong_number_of_targets;
    if (c.max_targets > 0 && (forced_positions(run) & ~cards) != 0) return Refusal::forced_card_missing;
    if ((cards & ~target_positions(run, key)) != 0) return Refusal::cannot_be_used_now;
    return can_use(run, key, targets, from_pack) ? Refusal::none : Refusal::cannot_be_used_now;
}

bool has_room_for(const RunState& run, const Offer& offer) {
    switch (offer.kind) {
        case OfferKind::joker:
            if (offer.edition != Edition::negative) return joker_room(run) > 0;
            return !open_point::negative_joker_needs_slots || run.joker_slots > 0;
        case OfferKind::consumable:
            return offer.edition == Edition::negative || consumable_room(run) > 0;
        case OfferKind::playing_card:
            break;
    }
    return true;
}

Refusal check_buy(const RunState& run, const Action& action) {
    if (action.index >= run.shop.size()) return Refusal::no_such_place;
    const ShopCard& card = run.shop[action.index];
    if (!can_pay(run, price_of(run, card))) return Refusal::not_enough_money;
    if (action.kind == ActionKind::buy) return has_room_for(run, card.offer) ? Refusal::none : Refusal::no_room;
    if (card.offer.kind != OfferKind::consumable) return Refusal::cannot_be_used_now;
    return check_targets(run, card.offer.consumable, action.cards, true);
}

Refusal check_pick(const RunState& run, const Action& action) {
    if (action.index >= run.pack.cards.size()) return Refusal::no_such_place;
    const Offer& offer = run.pack.cards[action.index];
    if (offer.kind == OfferKind::consumable) return check_targets(run, offer.consumable, action.cards, true);
    if (action.cards != 0) return Refusal::wrong_number_of_targets;
    return has_room_for(run, offer) ? Refusal::none : Refusal::no_room;
}

Refusal check_boss_reroll(const RunState& run) {
    if (!may_reroll_boss(run)) return Refusal::no_boss_reroll;
    return can_pay(run, boss_reroll_price) ? Refusal::none : Refusal::not_enough_money;
}

template <typename Zone>
Refusal check_move(const Zone& zone, const Action& action) {
    if (action.index >= zone.size() || action.to >= zone.size()) return Refusal::no_such_place;
    return action.index == action.to ? Refusal::nothing_to_do : Refusal::none;
}

Refusal check_move_joker(const RunState& run, const Action& action) {
    const Refusal refusal = check_move(run.jokers, action);
    if (refusal != Refusal::none) return refusal;
    const bool pinned = run.jokers[action.index].pinned || run.jokers[action.to].pinned;
    return pinned ? Refusal::pinned : Refusal::none;
}

bool is_in_phase(const RunState& run, ActionKind kind) {
    switch (kind) {
        case ActionKind::select_blind:
        case ActionKind::skip_blind:
        case ActionKind::reroll_boss:
            return run.phase == Phase::blind_select;
        case ActionKind::play:
        case ActionKind::discard:
            return run.phase == Phase::selecting_hand;
        case ActionKind::cash_out:
            return run.phase == Phase::round_eval;
        case ActionKind::buy:
        case ActionKind::buy_and_use:
        case ActionKind::redeem:
        case ActionKind::open_booster:
        case ActionKind::reroll:
        case ActionKind::leave_shop:
            return run.phase == Phase::shop;
        case ActionKind::pick:
        case ActionKind::skip_pack:
            return run.phase == Phase::pack_opening;
        default:
            return is_resting(run.phase);
    }
}

}  // namespace

Refusal check(const RunState& run, const Action& action) {
    if (run.end != EndCode::none || !is_in_phase(run, action.kind)) return Refusal::wrong_phase;
    switch (action.kind) {
        case ActionKind::select_blind:
        case ActionKind::cash_out:
        case ActionKind::leave_shop:
        case ActionKind::skip_pack:
            return Refusal::none;
        case ActionKind::skip_blind:
            return run.on_deck == BlindSlot::boss ? Refusal::boss_cannot_be_skipped : Refusal::none;
        case ActionKind::reroll_boss:
            return check_boss_reroll(run);
        case ActionKind::play:
            return run.hands_left <= 0 ? Refusal::no_hands_left : check_selection(run, action.cards);
        case ActionKind::discard:
            if (run.discards_left <= 0) return Refusal::no_discards_left;
            if (open_point::golden_needle_needs_money && !can_pay(run, challenge_of(run).discard_cost)) {
                return Refusal::not_enough_money;
            }
            return check_selection(run, action.cards);
        case ActionKind::buy:
        case ActionKind::buy_and_use:
            return check_buy(run, action);
        case ActionKind::redeem:
            if (action.index >= run.shop_vouchers.size()) return Refusal::no_such_place;
            return can_pay(run, price_of(run, run.shop_vouchers[action.index])) ? Refusal::none
                                                                                : Refusal::not_enough_money;
        case ActionKind::open_booster:
            if (action.index >= run.shop_boosters.size()) return Refusal::no_such_place;
            return can_pay(run, price_of(run, run.shop_boosters[action.index])) ? Refusal::none
                                                                                : Refusal::not_enough_money;
        case ActionKind::reroll:
            return can_pay(run, reroll_price(run)) ? Refusal::none : Refusal::not_enough_money;
        case ActionKind::pick:
            return check_pick(run, action);
        case ActionKind::use:
            if (action.index >= run.consumables.size()) return Refusal::no_such_place;
            return check_targets(run, run.consumables[action.index].key, action.cards, false);
        case ActionKind::sell_joker:
            if (action.index >= run.jokers.size()) return Refusal::no_such_place;
            return run.jokers[action.index].stickers.eternal ? Refusal::eternal : Refusal::none;
        case ActionKind::sell_consumable:
            return action.index >= run.consumables.size() ? Refusal::no_such_place : Refusal::none;
        case ActionKind::move_joker:
            return check_move_joker(run, action);
        case ActionKind::move_consumable:
            return check_move(run.consumables, action);
        case ActionKind::move_card:
            return check_move(run.hand, action);
        case ActionKind::sort_hand_by_rank:
        case ActionKind::sort_hand_by_suit:
            return run.hand.empty() ? Refusal::nothing_to_do : Refusal::none;
    }
    return Refusal::wrong_phase;
}

namespace {

void list_moves(const RunState& run, std::vector<Action>& actions) {
    const auto add = [&](const Action& action) {
        if (check(run, action) == Refusal::none) actions.push_back(action);
    };
    const auto moves = [&](ActionKind kind, int size) {
        for (int i = 0; i < size; ++i) {
            for (int to = 0; to < size; ++to) {
                add({kind, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(to), 0});
            }
        }
    };
    moves(ActionKind::move_joker, run.jokers.size());
    moves(ActionKind::move_consumable, run.consumables.size());
    moves(ActionKind::move_card, run.hand.size());
    add({ActionKind::sort_hand_by_rank});
    add({ActionKind::sort_hand_by_suit});
}

}  // namespace

std::vector<Action> legal_actions(const RunState& run, bool with_moves) {
    std::vector<Action> actions;
    for (const ActionGroup& group : action_groups(run, true)) {
        for (std::uint64_t n = 0; n < group.count; ++n) actions.push_back(action_of(group, n));
    }
    if (with_moves) list_moves(run, actions);
    return actions;
}

}  // namespace jimbo
