#include "rules/effects.hpp"

#include <algorithm>

#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/jokers/each_joker.hpp"
#include "rules/prices.hpp"
#include "rules/zones.hpp"

namespace jimbo {

std::uint16_t take_id(RunState& run) {
    if (run.next_id == UINT16_MAX) run.end = EndCode::no_room;
    return run.next_id == UINT16_MAX ? run.next_id : run.next_id++;
}

namespace {

// Luxury Tax: what the money allows the hand to hold beyond what lies there. While a hand is being scored it waits.
void draw_for_money(Turn& turn, int penalty_before) {
    const RunState& run = turn.run;
    const int rise = penalty_before - hand_size_penalty(run);
    const bool waits = run.phase != Phase::selecting_hand || run.hand.empty() || !run.played.empty();
    if (rise > 0 && !waits) draw_cards(turn, rise);
}

}  // namespace

void earn(Turn& turn, int dollars, Actor actor, int index, int key) {
    const int penalty = hand_size_penalty(turn.run);
    turn.run.dollars += dollars;
    draw_for_money(turn, penalty);
    if (dollars != 0) {
        turn.note({EventKind::dollars, actor, static_cast<std::uint8_t>(index), static_cast<std::uint8_t>(key),
                   static_cast<double>(dollars)});
    }
}

void level_up(Turn& turn, HandType hand, int levels) {
    HandStats& stats = turn.run.stats(hand);
    stats.level = std::max(1, stats.level + levels);
    turn.note({EventKind::level, Actor::none, 0, static_cast<std::uint8_t>(hand), static_cast<double>(levels)});
}

void change_hands(Turn& turn, int by) {
    RunState& run = turn.run;
    run.hands_per_round = static_cast<std::int16_t>(run.hands_per_round + by);
    run.hands_left = static_cast<std::int16_t>(std::max(0, run.hands_left + by));
}

void change_discards(Turn& turn, int by) {
    RunState& run = turn.run;
    run.discards_per_round = static_cast<std::int16_t>(run.discards_per_round + by);
    run.discards_left = static_cast<std::int16_t>(std::max(0, run.discards_left + by));
}

// --- Playing cards -------------------------------------------------------------------------------------------------

namespace {

// Puts a card where its id belongs. Two cards of one pack may be taken in the other order than they were made in.
CardIndex place_card(RunState& run, const Card& card) {
    int place = run.cards.size();
    while (place > 0 && run.cards[place - 1].id > card.id) --place;
    if (place < run.cards.size()) {
        const auto renumber = [&](auto& zone) {
            for (CardIndex& index : zone) index = static_cast<CardIndex>(index + (index >= place ? 1 : 0));
        };
        renumber(run.deck_pile);
        renumber(run.discard_pile);
        renumber(run.hand);
        renumber(run.played);
    }
    run.cards.insert(place, card);
    return static_cast<CardIndex>(place);
}

}  // namespace

CardIndex add_card(Turn& turn, Card card, CardTo to) {
    RunState& run = turn.run;
    if (run.cards.full() || (to == CardTo::hand && run.hand.full())) {
        run.end = EndCode::no_room;
        return 0;
    }
    if (card.id == 0) card.id = take_id(run);
    const CardIndex index = place_card(run, card);
    if (to == CardTo::deck) {
        run.deck_pile.insert(0, index);  // at the bottom
    } else {
        run.hand.push_back(index);  // at the right end
    }
    card_changed(turn, index);
    turn.note({EventKind::card_added, Actor::card, index});
    call_jokers(turn, &JokerRule::cards_added, 1);
    return index;
}

void destroy_cards(Turn& turn, std::span<const CardIndex> cards) {
    RunState& run = turn.run;
    ScratchVector<Card, max_cards> gone;
    BitSet<max_cards> leaving;
    for (CardIndex index : cards) {
        gone.push_back(run.cards[index]);
        leaving.set(index);
        turn.note({EventKind::card_destroyed, Actor::card, index});
    }
    std::array<CardIndex, max_cards> moved{};
    int kept = 0;
    for (int i = 0; i < run.cards.size(); ++i) {
        if (leaving.test(i)) continue;
        moved[static_cast<std::size_t>(i)] = static_cast<CardIndex>(kept);
        run.cards[kept++] = run.cards[i];
    }
    while (run.cards.size() > kept) run.cards.pop_back();
    const auto renumber = [&](auto& zone) {
        int n = 0;
        for (int i = 0; i < zone.size(); ++i) {
            if (!leaving.test(zone[i])) zone[n++] = moved[zone[i]];
        }
        while (zone.size() > n) zone.pop_back();
    };
    renumber(run.deck_pile);
    renumber(run.discard_pile);
    renumber(run.hand);
    renumber(run.played);
    look_at_cards_anew(turn);
    call_jokers(turn, &JokerRule::cards_destroyed, std::span<const Card>(gone.begin(), gone.end()));
}

namespace {

// Who debuffs cards now, asked once for many of them.
class CardDebuffs {
public:
    explicit CardDebuffs(const RunState& run)
        : run_(run), by_blind_(acting_blind(run).debuffs), traits_(by_blind_ != nullptr ? traits_of(run) : Traits{}) {}

    bool hits(const Card& card) const { return card.worn || (by_blind_ != nullptr && by_blind_(run_, card, traits_)); }

private:
    const RunState& run_;
    decltype(BlindRule::debuffs) by_blind_;
    Traits traits_;
};

bool has_perished(const Joker& joker) { return joker.stickers.perishable && joker.perish_left == 0; }

void set_debuffed(Turn& turn, Joker& joker, bool debuffed) {
    if (joker.debuffed == debuffed) return;
    joker.debuffed = debuffed;
    const JokerRule& rule = rule_of(joker.key);
    if (debuffed && rule.lost != nullptr) rule.lost(turn, joker);
    if (!debuffed && rule.gained != nullptr) rule.gained(turn, joker);
}

}  // namespace

void cards_changed(Turn& turn, std::span<const CardIndex> cards) {
    const CardDebuffs debuffs(turn.run);
    for (CardIndex index : cards) turn.run.cards[index].debuffed = debuffs.hits(turn.run.cards[index]);
}

FixedVector<CardIndex, max_hand> hand_cards(const RunState& run, std::uint64_t positions) {
    FixedVector<CardIndex, max_hand> cards;
    for (int i = 0; i < run.hand.size(); ++i) {
        if (((positions >> i) & 1) != 0) cards.push_back(run.hand[i]);
    }
    return cards;
}

namespace {

void debuff_cards(RunState& run) {
    const CardDebuffs debuffs(run);
    for (Card& card : run.cards) card.debuffed = debuffs.hits(card);
}

}  // namespace

void look_at_cards_anew(Turn& turn) {
    // While a hand is being scored nobody looks: that waits until its cards have been drawn.
    if (acting_blind(turn.run).debuffs != nullptr && turn.run.played.empty()) debuff_cards(turn.run);
}

void update_debuffs(Turn& turn) {
    debuff_cards(turn.run);
    update_joker_debuffs(turn);
}

void update_joker_debuffs(Turn& turn) {
    for (Joker& joker : turn.run.jokers) set_debuffed(turn, joker, has_perished(joker) || joker.debuffed_by_blind);
}

// --- Jokers --------------------------------------------------------------------------------------------------------

namespace {

Joker& place_joker(Turn& turn, Joker joker) {
    RunState& run = turn.run;
    if (run.jokers.full()) {
        run.end = EndCode::no_room;
        return run.jokers.back();
    }
    if (joker.id == 0) joker.id = take_id(run);
    run.jokers.push_back(joker);
    Joker& placed = run.jokers.back();
    const JokerRule& rule = rule_of(placed.key);
    if (!placed.debuffed && rule.gained != nullptr) rule.gained(turn, placed);
    look_at_cards_anew(turn);
    const auto slot = static_cast<std::uint8_t>(run.jokers.size() - 1);
    turn.note({EventKind::joker_added, Actor::joker, slot, static_cast<std::uint8_t>(placed.key)});
    return placed;
}

}  // namespace

Joker& add_joker(Turn& turn, const Offer& offer) {
    const JokerRule& rule = rule_of(offer.joker);
    Joker joker;
    joker.key = offer.joker;
    joker.edition = offer.edition;
    joker.stickers = offer.stickers;
    joker.id = offer.id;
    joker.count = rule.start_count;
    joker.x_mult = rule.start_x_mult;
    return place_joker(turn, joker);
}

bool destroy_joker(Turn& turn, int slot) {
    const Joker& joker = turn.run.jokers[slot];
    if (joker.stickers.eternal || joker.leaving) return false;
    use_up_joker(turn, slot);
    return true;
}

void use_up_joker(Turn& turn, int slot) {
    Joker& joker = turn.run.jokers[slot];
    joker.leaving = true;
    turn.note({EventKind::joker_destroyed, Actor::joker, static_cast<std::uint8_t>(slot),
               static_cast<std::uint8_t>(joker.key)});
}

void remove_leaving_jokers(Turn& turn) {
    RunState& run = turn.run;
    for (int i = run.jokers.size() - 1; i >= 0; --i) {
        if (!run.jokers[i].leaving) continue;
        const Joker gone = run.jokers[i];
        run.jokers.erase(i);
        const JokerRule& rule = rule_of(gone.key);
        Joker copy = gone;
        if (!gone.debuffed && rule.lost != nullptr) rule.lost(turn, copy);
    }
    look_at_cards_anew(turn);
}

bool create_joker(Turn& turn, const JokerSource& from, std::optional<Rarity> rarity) {
    if (joker_room(turn.run) <= 0) return false;
    add_joker(turn, make_joker(turn.run.streams, pool_context(turn.run), from, rarity));
    return true;
}

void set_edition(Turn& turn, int slot, Edition edition) { turn.run.jokers[slot].edition = edition; }

Joker& copy_joker(Turn& turn, int slot, bool strip_negative) {
    Joker joker = turn.run.jokers[slot];
    if (strip_negative && joker.edition == Edition::negative) joker.edition = Edition::base;
    joker.leaving = false;
    joker.id = 0;
    return place_joker(turn, joker);
}

int sell_value(const RunState& run, const Joker& joker) {
    return std::max(1, price_of(run, joker.key, joker.edition, joker.stickers.rental) / 2) + joker.sell_bonus;
}

int sell_value(const RunState& run, const Consumable& consumable) {
    return std::max(1, price_of(run, consumable.key, consumable.edition) / 2) + consumable.sell_bonus;
}

// --- Consumables ---------------------------------------------------------------------------------------------------

Consumable& add_consumable(Turn& turn, ConsumableId key, Edition edition, std::uint16_t id) {
    RunState& run = turn.run;
    if (id == 0) id = take_id(run);
    if (run.consumables.full()) {
        run.end = EndCode::no_room;
        return run.consumables.back();
    }
    run.consumables.push_back({.sell_bonus = 0, .id = id, .key = key, .edition = edition});
    turn.note({EventKind::consumable_added, Actor::consumable, static_cast<std::uint8_t>(run.consumables.size() - 1),
               static_cast<std::uint8_t>(key)});
    return run.consumables.back();
}

bool create_consumable(Turn& turn, Stream stream, ConsumableKind kind) {
    RunState& run = turn.run;
    if (consumable_room(run) <= 0) return false;
    add_consumable(turn, pick_consumable(run.streams, {stream, run.ante}, kind, pool_context(run).blocked));
    return true;
}

// --- Blind ---------------------------------------------------------------------------------------------------------

void disable_blind(Turn& turn) {
    RunState& run = turn.run;
    if (!run.blind.active || run.blind.disabled || !fact(run.blind.key).boss) return;
    const BlindRule& blind = rule_of(run.blind.key);
    run.blind.disabled = true;
    if (blind.ended != nullptr) blind.ended(turn);
    for (CardIndex index : run.hand) run.cards[index].face_down = false;
    for (Joker& joker : run.jokers) joker.debuffed_by_blind = false;
    update_debuffs(turn);
    if (blind.disabled != nullptr) blind.disabled(turn);
    turn.note({EventKind::blind_disabled, Actor::blind, 0, static_cast<std::uint8_t>(run.blind.key)});
}

}  // namespace jimbo
