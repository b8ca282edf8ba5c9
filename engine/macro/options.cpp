#include "macro/options.hpp"

#include "macro/targets.hpp"
#include "play/step.hpp"
#include "rules/prices.hpp"

namespace jimbo {
namespace {

// Its outcome is drawn when it is used.
bool is_chancy(ConsumableId key) {
    using C = ConsumableId;
    switch (key) {
        case C::high_priestess:
        case C::emperor:
        case C::wheel_of_fortune:
        case C::judgement:
        case C::familiar:
        case C::grim:
        case C::incantation:
        case C::aura:
        case C::wraith:
        case C::sigil:
        case C::ouija:
        case C::ectoplasm:
        case C::immolate:
        case C::ankh:
        case C::hex:
        case C::soul:
            return true;
        default:
            return false;
    }
}

Pending pending_of(Pending::Kind kind, int id = 0) { return {kind, static_cast<std::uint8_t>(id)}; }

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

// With its outcome; nothing is added where it is not allowed.
void OptionList::add(const RunState& run, std::initializer_list<Action> actions, Pending pending) {
    Option& option = next(run);
    option.pending = pending;
    for (const Action& action : actions) {
        option.actions.push_back(action);
        if (step(option.after, action) != Refusal::none) {
            take_back();
            return;
        }
    }
}

void OptionList::list(const RunState& run) {
    count_ = 0;
    if (run.phase == Phase::shop) list_shop(run);
    if (run.phase == Phase::pack_opening) list_pack(run);
    if (run.phase == Phase::blind_select) list_blind(run);
    if (run.phase == Phase::selecting_hand) next(run);
    if (run.phase == Phase::shop || run.phase == Phase::selecting_hand) list_uses(run);
}

void OptionList::list_blind(const RunState& run) {
    next(run).actions.push_back({ActionKind::select_blind});
    if (run.on_deck != BlindSlot::boss) {
        const TagId tag = run.skip_tags[static_cast<std::size_t>(run.on_deck)].key;
        add(run, {{ActionKind::skip_blind}}, pending_of(Pending::Kind::tag, static_cast<int>(tag)));
    }
    if (check(run, {ActionKind::reroll_boss}) == Refusal::none) {
        Option& option = next(run);
        option.actions.push_back({ActionKind::reroll_boss});
        option.after.dollars -= boss_reroll_price;
        option.after.boss_rerolled = true;
        option.pending = pending_of(Pending::Kind::boss);
    }
    list_uses(run);
}

void OptionList::list_shop(const RunState& run) {
    add(run, {{ActionKind::leave_shop}});
    for (int i = 0; i < run.shop.size(); ++i) {
        const Offer& offer = run.shop[i].offer;
        if (offer.kind == OfferKind::joker) {
            list_joker(run, at(ActionKind::buy, i));
        } else if (offer.kind == OfferKind::consumable) {
            list_shop_consumable(run, i, offer.consumable);
        } else {
            add(run, {at(ActionKind::buy, i)});
        }
    }
    for (int i = 0; i < run.shop_vouchers.size(); ++i) add(run, {at(ActionKind::redeem, i)});
    for (int i = 0; i < run.shop_boosters.size(); ++i) {
        const Action open = at(ActionKind::open_booster, i);
        if (check(run, open) != Refusal::none) continue;
        Option& option = next(run);
        option.actions.push_back(open);
        option.after.dollars -= price_of(run, run.shop_boosters[i]);
        option.after.shop_boosters.erase(i);
        option.pending = pending_of(Pending::Kind::pack, static_cast<int>(run.shop_boosters[i].key));
    }
    if (check(run, {ActionKind::reroll}) == Refusal::none) {
        Option& option = next(run);
        option.actions.push_back({ActionKind::reroll});
        option.after.dollars -= reroll_price(run);
        option.after.shop.clear();
        option.pending = pending_of(Pending::Kind::reroll);
    }
    list_sales(run);
}

// With a joker sold for it where there is no room.
void OptionList::list_joker(const RunState& run, const Action& take) {
    const int before = count_;
    add(run, {take});
    if (count_ > before) return;
    for (int j = 0; j < run.jokers.size(); ++j) add(run, {at(ActionKind::sell_joker, j), take});
}

void OptionList::list_shop_consumable(const RunState& run, int index, ConsumableId key) {
    const Action use = at(ActionKind::buy_and_use, index);
    if (is_chancy(key) && check(run, use) == Refusal::none) {
        Option& option = next(run);
        option.actions.push_back(use);
        option.after.dollars -= price_of(run, run.shop[index]);
        option.after.shop.erase(index);
        option.pending = pending_of(Pending::Kind::consumable, static_cast<int>(key));
    } else {
        add(run, {use});
    }
    add(run, {at(ActionKind::buy, index)});
}

void OptionList::list_pack(const RunState& run) {
    add(run, {{ActionKind::skip_pack}});
    for (int i = 0; i < run.pack.cards.size(); ++i) {
        const Offer& offer = run.pack.cards[i];
        if (offer.kind == OfferKind::joker) {
            list_joker(run, at(ActionKind::pick, i));
            continue;
        }
        if (offer.kind != OfferKind::consumable) {
            add(run, {at(ActionKind::pick, i)});
            continue;
        }
        for (std::uint64_t cards : target_choices(run, offer.consumable)) {
            const Action pick = at(ActionKind::pick, i, cards);
            if (!is_chancy(offer.consumable)) {
                add(run, {pick});
            } else if (check(run, pick) == Refusal::none) {
                Option& option = next(run);
                option.actions.push_back(pick);
                option.pending = pending_of(Pending::Kind::consumable, static_cast<int>(offer.consumable));
            }
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
            } else if (check(run, use) == Refusal::none) {
                Option& option = next(run);
                option.actions.push_back(use);
                option.after.consumables.erase(i);
                option.pending = pending_of(Pending::Kind::consumable, static_cast<int>(key));
            }
        }
    }
}

void OptionList::list_sales(const RunState& run) {
    for (int i = 0; i < run.jokers.size(); ++i) add(run, {at(ActionKind::sell_joker, i)});
    for (int i = 0; i < run.consumables.size(); ++i) add(run, {at(ActionKind::sell_consumable, i)});
}

}  // namespace jimbo
