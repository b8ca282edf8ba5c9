#include "strategy/options.hpp"

#include "play/step.hpp"
#include "rules/consumables.hpp"
#include "rules/prices.hpp"
#include "strategy/targets.hpp"

namespace jimbo {
namespace {

bool is_chancy(ConsumableId key) { return rule_of(key).chance == Chance::drawn; }

Pending pending_of(Pending::Kind kind, int id = 0) { return {kind, static_cast<std::uint8_t>(id)}; }
Pending pending_of(ConsumableId used) { return pending_of(Pending::Kind::consumable, static_cast<int>(used)); }

Action at(ActionKind kind, int index, std::uint64_t cards = 0) {
    return {kind, static_cast<std::uint8_t>(index), 0, cards};
}

}  // namespace

Option& OptionList::next(const RunState& run) {
    if (static_cast<std::size_t>(count_) == options_.size()) options_.emplace_back();
    Option& option = options_[static_cast<std::size_t>(count_++)];
    option.actions.clear();
    option.pending = {};
    clone_into(option.after, run);
    return option;
}

void OptionList::add(const RunState& run, std::initializer_list<Action> actions, Pending pending) {
    Option& option = next(run);
    option.pending = pending;
    for (const Action& action : actions) {
        option.actions.push_back(action);
        if (step(option.after, action) != Refusal::none) {
            --count_;
            return;
        }
    }
}

Option* OptionList::add_hidden(const RunState& run, const Action& action, Pending pending) {
    if (check(run, action) != Refusal::none) return nullptr;
    Option& option = next(run);
    option.actions.push_back(action);
    option.pending = pending;
    return &option;
}

void OptionList::list(const RunState& run) {
    count_ = 0;
    switch (run.phase) {
        case Phase::shop:
            list_shop(run);
            list_uses(run);
            break;
        case Phase::pack_opening:
            list_pack(run);
            break;
        case Phase::blind_select:
            list_blind(run);
            list_uses(run);
            break;
        case Phase::selecting_hand:
            next(run);
            list_uses(run);
            break;
        default:
            break;
    }
}

void OptionList::list_blind(const RunState& run) {
    next(run).actions.push_back({ActionKind::select_blind});
    if (run.on_deck != BlindSlot::boss) {
        const TagId tag = run.skip_tags[static_cast<std::size_t>(run.on_deck)].key;
        add(run, {{ActionKind::skip_blind}}, pending_of(Pending::Kind::tag, static_cast<int>(tag)));
    }
    if (Option* option = add_hidden(run, {ActionKind::reroll_boss}, pending_of(Pending::Kind::boss))) {
        option->after.dollars -= boss_reroll_price;
        option->after.boss_rerolled = true;
    }
}

void OptionList::list_shop(const RunState& run) {
    add(run, {{ActionKind::leave_shop}});
    for (int i = 0; i < run.shop.size(); ++i) list_shop_card(run, i);
    for (int i = 0; i < run.shop_vouchers.size(); ++i) add(run, {at(ActionKind::redeem, i)});
    for (int i = 0; i < run.shop_boosters.size(); ++i) list_shop_pack(run, i);
    list_reroll(run);
    list_sales(run);
}

void OptionList::list_shop_card(const RunState& run, int index) {
    const Offer& offer = run.shop[index].offer;
    const Action buy = at(ActionKind::buy, index);
    if (offer.kind == OfferKind::joker) {
        list_joker(run, buy);
        return;
    }
    if (offer.kind == OfferKind::consumable) {
        const Action use = at(ActionKind::buy_and_use, index);
        if (!is_chancy(offer.consumable)) {
            add(run, {use});
        } else if (Option* option = add_hidden(run, use, pending_of(offer.consumable))) {
            option->after.dollars -= price_of(run, run.shop[index]);
            option->after.shop.erase(index);
        }
    }
    add(run, {buy});
}

void OptionList::list_shop_pack(const RunState& run, int index) {
    const ShopBooster& pack = run.shop_boosters[index];
    const Pending pending = pending_of(Pending::Kind::pack, static_cast<int>(pack.key));
    if (Option* option = add_hidden(run, at(ActionKind::open_booster, index), pending)) {
        option->after.dollars -= price_of(run, pack);
        option->after.shop_boosters.erase(index);
    }
}

void OptionList::list_reroll(const RunState& run) {
    if (Option* option = add_hidden(run, {ActionKind::reroll}, pending_of(Pending::Kind::reroll))) {
        option->after.dollars -= reroll_price(run);
        option->after.shop.clear();
    }
}

// With a joker sold for it where there is no room or not enough money.
void OptionList::list_joker(const RunState& run, const Action& take) {
    const int before = count_;
    add(run, {take});
    if (count_ > before) return;
    for (int j = 0; j < run.jokers.size(); ++j) add(run, {at(ActionKind::sell_joker, j), take});
}

void OptionList::list_pack(const RunState& run) {
    add(run, {{ActionKind::skip_pack}});
    for (int i = 0; i < run.pack.cards.size(); ++i) list_pick(run, i);
}

void OptionList::list_pick(const RunState& run, int index) {
    const Offer& offer = run.pack.cards[index];
    if (offer.kind == OfferKind::joker) {
        list_joker(run, at(ActionKind::pick, index));
        return;
    }
    if (offer.kind != OfferKind::consumable) {
        add(run, {at(ActionKind::pick, index)});
        return;
    }
    for (std::uint64_t cards : target_choices(run, offer.consumable)) {
        const Action pick = at(ActionKind::pick, index, cards);
        if (is_chancy(offer.consumable)) {
            add_hidden(run, pick, pending_of(offer.consumable));
        } else {
            add(run, {pick});
        }
    }
}

void OptionList::list_uses(const RunState& run) {
    for (int i = 0; i < run.consumables.size(); ++i) {
        const ConsumableId key = run.consumables[i].key;
        for (std::uint64_t cards : target_choices(run, key)) {
            const Action use = at(ActionKind::use, i, cards);
            if (!is_chancy(key)) {
                add(run, {use});
            } else if (Option* option = add_hidden(run, use, pending_of(key))) {
                option->after.consumables.erase(i);
            }
        }
    }
}

void OptionList::list_sales(const RunState& run) {
    for (int i = 0; i < run.jokers.size(); ++i) add(run, {at(ActionKind::sell_joker, i)});
    for (int i = 0; i < run.consumables.size(); ++i) add(run, {at(ActionKind::sell_consumable, i)});
}

}  // namespace jimbo
