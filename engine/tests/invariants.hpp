// What must be true of every run between two actions, and of every step from one such run to the next. Each function
// returns the first rule that is broken as a sentence, or an empty text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "play/step.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/prices.hpp"
#include "rules/queries.hpp"
#include "store/state_check.hpp"

namespace jimbo::tests {

// --- Cards and zones -----------------------------------------------------------------------------------------------

// Every card lies in exactly one zone, and cards stand in creation order.
inline std::string broken_zone_rule(const RunState& run) {
    std::array<int, max_cards> seen{};
    int lying = 0;
    bool inside = true;
    const auto visit = [&](const auto& zone) {
        for (CardIndex index : zone) {
            inside = inside && index < run.cards.size();
            if (index < max_cards) ++seen[index];
            ++lying;
        }
    };
    visit(run.deck_pile);
    visit(run.discard_pile);
    visit(run.hand);
    visit(run.played);
    if (!inside) return "a zone names a card that does not exist";
    if (lying != run.cards.size()) return "the zones do not hold as many cards as the run has";
    if (std::any_of(seen.begin(), seen.end(), [](int n) { return n > 1; })) return "a card lies in two zones";
    for (int i = 1; i < run.cards.size(); ++i) {
        if (run.cards[i - 1].id >= run.cards[i].id) return "the cards do not stand in creation order";
    }
    return {};
}

// One creation order for everything: what is owned, and what lies in the shop or a pack.
inline std::string broken_uid_rule(const RunState& run) {
    std::vector<int> uids;
    for (const Card& card : run.cards) uids.push_back(card.id);
    for (const Joker& joker : run.jokers) uids.push_back(joker.id);
    for (const Consumable& consumable : run.consumables) uids.push_back(consumable.id);
    const auto offered = [&](const Offer& offer) {
        uids.push_back(offer.id);
        return offer.kind != OfferKind::playing_card || offer.card.id == offer.id;
    };
    bool same = true;
    for (const ShopCard& card : run.shop) same = offered(card.offer) && same;
    for (const Offer& offer : run.pack.cards) same = offered(offer) && same;
    if (!same) return "a playing card on offer has another uid than its offer";
    std::sort(uids.begin(), uids.end());
    if (std::adjacent_find(uids.begin(), uids.end()) != uids.end()) return "two things share a uid";
    if (!uids.empty() && (uids.front() <= 0 || uids.back() >= run.next_id)) return "a uid was never given";
    return {};
}

// --- Slots and numbers of a round ----------------------------------------------------------------------------------

// How many jokers lie above the slots; Negative ones bring their own.
inline int joker_excess(const RunState& run) { return std::max(0, -joker_room(run)); }
inline int consumable_excess(const RunState& run) { return std::max(0, -consumable_room(run)); }

inline int owned(const RunState& run, VoucherId voucher) { return run.has(voucher) ? 1 : 0; }

// Hand size apart from vouchers, jokers, the boss and Juggle Tags: what deck, challenge, Ectoplasm and Ouija make it.
inline int bare_hand_size(const RunState& run) {
    int size = run.hand_size - run.hand_size_bonus;
    size -= owned(run, VoucherId::paint_brush) + owned(run, VoucherId::palette);
    if (acting_blind(run).key == BlindId::manacle) ++size;
    for (const Joker& joker : run.jokers) {
        if (joker.debuffed) continue;
        if (joker.key == JokerId::juggler) size -= 1;
        if (joker.key == JokerId::troubadour) size -= 2;
        if (rule_of(joker.key).count_means == ShownKind::hand_size) size -= joker.count;
        if (joker.key == JokerId::merry_andy) size += 1;
        if (joker.key == JokerId::stuntman) size += 2;
    }
    return size;
}

// What the slots and the numbers of a round must be, derived anew from the deck, the challenge and all that is owned.
inline std::string broken_number_rule(const RunState& run) {
    const ChallengeFact& challenge = challenge_of(run);
    const DeckFact& deck = fact(run.deck);
    const auto both = [&](VoucherId a, VoucherId b) { return owned(run, a) + owned(run, b); };
    const int no_slots_from = challenge.set_joker_slots_ante;
    const int joker_slots = challenge.start.joker_slots + deck.joker_slots + owned(run, VoucherId::antimatter);
    const bool slots_gone = no_slots_from != 0 && run.joker_slots <= owned(run, VoucherId::antimatter);
    if (run.joker_slots != joker_slots && !slots_gone) return "joker_slots is not what the run gives";
    if (run.consumable_slots !=
        challenge.start.consumable_slots + deck.consumable_slots + owned(run, VoucherId::crystal_ball)) {
        return "consumable_slots is not what the run gives";
    }
    if (run.shop_slots != 2 + both(VoucherId::overstock_norm, VoucherId::overstock_plus)) {
        return "shop_slots is not what the run gives";
    }
    const int hands = challenge.start.hands + deck.hands + both(VoucherId::grabber, VoucherId::nacho_tong) -
                      owned(run, VoucherId::hieroglyph) - count_working(run, JokerId::troubadour);
    if (run.hands_per_round != hands) return "hands_per_round is not what the run gives";
    const int discards = challenge.start.discards + deck.discards + fact(run.stake).discards +
                         both(VoucherId::wasteful, VoucherId::recyclomancy) - owned(run, VoucherId::petroglyph) +
                         count_working(run, JokerId::drunkard) + 3 * count_working(run, JokerId::merry_andy);
    if (run.discards_per_round != discards) return "discards_per_round is not what the run gives";
    return {};
}

// --- Phases --------------------------------------------------------------------------------------------------------

inline std::string broken_phase_rule(const RunState& run) {
    const bool in_round = run.phase == Phase::selecting_hand || run.phase == Phase::game_over;
    for (const Card& card : run.cards) {
        if (card.face_down && !in_round) return "a card lies face down outside of a round";
        if (card.forced && (!in_round || run.blind.key != BlindId::final_bell)) return "a card is forced by no boss";
    }
    for (const Joker& joker : run.jokers) {
        if (joker.leaving) return "a destroyed joker is still there";
        if (joker.face_down && !in_round) return "a joker lies face down outside of a round";
        if (joker.debuffed_by_blind && !in_round) return "a joker is debuffed by a blind outside of a round";
        if (joker.stickers.perishable && joker.perish_left == 0 && !joker.debuffed) return "a perished joker works";
    }
    const auto pinned = [](const Joker& joker) { return joker.pinned; };
    if (!std::is_partitioned(run.jokers.begin(), run.jokers.end(), pinned)) return "a pinned joker is not leftmost";
    if (run.hand_size_bonus != 0 && !in_round) return "a Juggle Tag outlives its round";
    if (run.phase == Phase::selecting_hand && run.chips >= run.blind.target) return "a beaten blind goes on";
    if (run.shop.size() > run.shop_slots) return "more cards are on sale than the shop has slots";
    if (run.phase == Phase::pack_opening) {
        const BoosterKind kind = fact(run.pack.key).kind;
        for (const Offer& offer : run.pack.cards) {
            const OfferKind wanted = kind == BoosterKind::buffoon    ? OfferKind::joker
                                     : kind == BoosterKind::standard ? OfferKind::playing_card
                                                                     : OfferKind::consumable;
            if (offer.kind != wanted) return "a pack holds a card of another kind";
        }
    }
    return {};
}

inline std::string broken_rule(const RunState& run) {
    std::string broken = broken_zone_rule(run);
    if (broken.empty()) broken = fault_of(run);
    if (run.end == EndCode::no_room) return broken;  // it stopped in the middle of something
    if (broken.empty()) broken = broken_uid_rule(run);
    if (broken.empty()) broken = broken_number_rule(run);
    if (broken.empty()) broken = broken_phase_rule(run);
    return broken;
}

// --- Steps ---------------------------------------------------------------------------------------------------------

// The consumable that an action uses, if it is one.
inline std::optional<ConsumableId> used_consumable(const RunState& run, const Action& action) {
    switch (action.kind) {
        case ActionKind::use:
            return run.consumables[action.index].key;
        case ActionKind::buy_and_use:
            return run.shop[action.index].offer.consumable;
        case ActionKind::pick:
            if (run.pack.cards[action.index].kind != OfferKind::consumable) return std::nullopt;
            return run.pack.cards[action.index].consumable;
        default:
            return std::nullopt;
    }
}

// What an allowed action costs, if it is a purchase.
inline std::optional<int> price_of(const RunState& run, const Action& action) {
    switch (action.kind) {
        case ActionKind::buy:
        case ActionKind::buy_and_use:
            return jimbo::price_of(run, run.shop[action.index]);
        case ActionKind::redeem:
            return jimbo::price_of(run, run.shop_vouchers[action.index]);
        case ActionKind::open_booster:
            return jimbo::price_of(run, run.shop_boosters[action.index]);
        case ActionKind::reroll:
            return reroll_price(run);
        case ActionKind::reroll_boss:
            return 10;
        case ActionKind::discard:
            return challenge_of(run).discard_cost;
        default:
            return std::nullopt;
    }
}

// Purchases stop at the debt limit and cost their price; sales and the cash-out pay what they say.
inline std::string broken_money_rule(const RunState& before, const Action& action, const RunState& after) {
    const int change = after.dollars - before.dollars;
    if (const auto price = price_of(before, action)) {
        const int limit = -20 * count_working(before, JokerId::credit_card);
        const bool bought = *price > 0 && action.kind != ActionKind::discard;  // a discard is paid for in any case
        if (bought && before.dollars - *price < limit) return "a purchase went below the debt limit";
        const bool earns_too = action.kind == ActionKind::buy_and_use || action.kind == ActionKind::discard;
        if (!earns_too && change != -*price) return "a purchase did not cost its price";
    }
    if (action.kind == ActionKind::cash_out && change != before.payout.total()) return "a wrong sum was cashed out";
    if (action.kind == ActionKind::sell_joker && change != sell_value(before, before.jokers[action.index])) {
        return "a joker was not sold for its value";
    }
    if (action.kind == ActionKind::sell_consumable && change != sell_value(before, before.consumables[action.index])) {
        return "a consumable was not sold for its value";
    }
    return {};
}

// Only a few rules put more into a row than it has slots.
inline std::string broken_slot_rule(const RunState& before, const Action& action, const RunState& after) {
    const auto used = used_consumable(before, action);
    // The copy is made beside eternal jokers, or while a Negative Invisible Joker still holds its own place; Riff-raff
    // fills the slot of a Negative joker that Ceremonial Dagger has just taken.
    const bool may_exceed =
        used == ConsumableId::ankh ||
        (action.kind == ActionKind::sell_joker && before.jokers[action.index].key == JokerId::invisible) ||
        after.joker_slots < before.joker_slots ||
        (action.kind == ActionKind::select_blind && count_working(before, JokerId::riff_raff) > 0 &&
         count_working(before, JokerId::ceremonial) > 0);
    if (joker_excess(after) > joker_excess(before) && !may_exceed) return "more jokers than slots";
    // A Negative one keeps its slot until it has acted.
    const bool negative_acts =
        action.kind == ActionKind::use && before.consumables[action.index].edition == Edition::negative;
    const int more_consumables = consumable_excess(after) - consumable_excess(before);
    if (more_consumables > (negative_acts ? 1 : 0)) return "more consumables than slots";
    return {};
}

inline std::string broken_hand_size_rule(const RunState& before, const Action& action, const RunState& after) {
    const auto used = used_consumable(before, action);
    int expected = bare_hand_size(before);
    if (used == ConsumableId::ouija) expected -= 1;
    if (used == ConsumableId::ectoplasm) expected -= after.ectoplasms;
    return bare_hand_size(after) == expected ? "" : "the hand size is not what the run gives";
}

// Moving and sorting change no card and nothing else; playing and discarding cost one of theirs.
inline std::string broken_turn_rule(const RunState& before, const Action& action, const RunState& after) {
    if (after.next_id < before.next_id) return "the creation order went back";
    if (after.round < before.round || after.round > before.round + 1) return "rounds do not count up";
    const bool goes_on = after.phase == Phase::selecting_hand;
    if (action.kind == ActionKind::play && goes_on && after.hands_left != before.hands_left - 1) {
        return "a play does not cost one hand";
    }
    if (action.kind == ActionKind::discard && goes_on && after.discards_left != before.discards_left - 1) {
        return "a discard does not cost one discard";
    }
    if (action.kind == ActionKind::sell_joker && before.jokers[action.index].stickers.eternal) {
        return "an eternal joker was sold";
    }
    if (action.kind == ActionKind::skip_blind && before.on_deck == BlindSlot::boss) return "a boss was skipped";
    if (action.kind >= ActionKind::move_joker) {
        const bool same = after.cards.size() == before.cards.size() && after.dollars == before.dollars &&
                          after.jokers.size() == before.jokers.size() && after.phase == before.phase;
        if (!same) return "rearranging changed something";
    }
    return {};
}

// What a step by an allowed action must keep to.
inline std::string broken_step_rule(const RunState& before, const Action& action, const RunState& after) {
    if (after.end == EndCode::no_room) return {};
    std::string broken = broken_money_rule(before, action, after);
    if (broken.empty()) broken = broken_slot_rule(before, action, after);
    if (broken.empty()) broken = broken_hand_size_rule(before, action, after);
    if (broken.empty()) broken = broken_turn_rule(before, action, after);
    return broken;
}

}  // namespace jimbo::tests
