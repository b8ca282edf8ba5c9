// The ways in which rules change a run: money, cards, jokers, consumables, levels. Each keeps the run consistent
// (slots, passives, boss debuffs, jokers that listen), so that no card rule has to.
#pragma once

#include <span>

#include "rules/new_cards.hpp"
#include "rules/open_points.hpp"
#include "rules/turn.hpp"

namespace jimbo {

// The next place in the creation order.
std::uint16_t take_id(RunState& run);

void earn(Turn& turn, int dollars, Actor actor = Actor::none, int index = 0, int key = 0);  // negative to pay
void level_up(Turn& turn, HandType hand, int levels);  // negative to lower; a level never falls below 1
// Of every round, and at once of the present one.
void change_hands(Turn& turn, int by);
void change_discards(Turn& turn, int by);

// --- Playing cards -------------------------------------------------------------------------------------------------
enum class CardTo : std::uint8_t { deck, hand };
// Takes a card (a new one with id 0 is numbered here) and tells the jokers (Hologram). Returns its place in run.cards.
CardIndex add_card(Turn& turn, Card card, CardTo to);
// A new card, not numbered yet, that is like this one.
constexpr Card copy_of(Card card) {
    card.id = 0;
    card.face_down = card.forced = false;
    if (open_point::copies_are_created_in_their_suit) card.created_suit = card.suit;
    return card;
}
// Removes cards from whatever zone they are in and tells the jokers (Canio, Glass Joker). Places in run.cards shift:
// every CardIndex held elsewhere is invalid afterwards.
void destroy_cards(Turn& turn, std::span<const CardIndex> cards);
// Asks the blind again whether these cards are debuffed.
void cards_changed(Turn& turn, std::span<const CardIndex> cards);
inline void card_changed(Turn& turn, CardIndex card) { cards_changed(turn, {&card, 1}); }
// Indices of hand positions given as bits, left to right.
FixedVector<CardIndex, max_hand> hand_cards(const RunState& run, std::uint64_t positions);

// --- Jokers --------------------------------------------------------------------------------------------------------
// Takes a joker as offered (edition and stickers); room must have been checked.
Joker& add_joker(Turn& turn, const Offer& offer);
// Destroys (never sells) a joker; it goes at the end of the present pass. An eternal one stays: returns false.
bool destroy_joker(Turn& turn, int slot);
// The joker's own end (eaten, melted, extinct), which no sticker prevents.
void use_up_joker(Turn& turn, int slot);
// Makes and adds a random joker, if there is room (nothing is drawn otherwise).
bool create_joker(Turn& turn, const JokerSource& from, std::optional<Rarity> rarity);
// Gives an edition to a joker that is already owned (a Negative one brings its slot).
void set_edition(Turn& turn, int slot, Edition edition);
// An exact copy of a joker at the end of the row, fresh id; `strip_negative` as Ankh and Invisible Joker do.
Joker& copy_joker(Turn& turn, int slot, bool strip_negative);
// Removes the jokers that are leaving.
void remove_leaving_jokers(Turn& turn);
inline void sweep_jokers(Turn& turn) {
    for (const Joker& joker : turn.run.jokers) {
        if (joker.leaving) return remove_leaving_jokers(turn);
    }
}
// Slots of jokers in creation order, filtered; what random choices among jokers pick from.
template <typename Keep>
FixedVector<std::uint8_t, max_jokers> jokers_by_id(const RunState& run, Keep keep);
int sell_value(const RunState& run, const Joker& joker);
int sell_value(const RunState& run, const Consumable& consumable);

// --- Consumables ---------------------------------------------------------------------------------------------------
// Adds one, whatever the room (the caller asks consumable_room first, except for Negative ones).
// `id` 0 makes a new one.
Consumable& add_consumable(Turn& turn, ConsumableId key, Edition edition = Edition::base, std::uint16_t id = 0);
// Draws and adds one from a stream, if there is room (nothing is drawn otherwise).
bool create_consumable(Turn& turn, Stream stream, ConsumableKind kind);

// --- Blind ---------------------------------------------------------------------------------------------------------
// Ends the boss's ability for this round (Luchador, Chicot, Verdant Leaf).
void disable_blind(Turn& turn);
// Re-evaluates every debuff of cards and jokers.
void update_debuffs(Turn& turn);
// Lets the blind look at every card again, because a joker or a card came or went, or a consumable was used up.
void look_at_cards_anew(Turn& turn);
void update_joker_debuffs(Turn& turn);

// --- Generation ----------------------------------------------------------------------------------------------------
// What may be made now: keys in use, gates, vouchers, stake, ante.
PoolContext pool_context(const RunState& run);
// Of this only what keeps vouchers, tags, packs and bosses from coming up.
Blocked blocked_for_ante(const RunState& run);

// -------------------------------------------------------------------------------------------------------------------
template <typename Keep>
FixedVector<std::uint8_t, max_jokers> jokers_by_id(const RunState& run, Keep keep) {
    FixedVector<std::uint8_t, max_jokers> slots;
    for (int i = 0; i < run.jokers.size(); ++i) {
        if (!run.jokers[i].leaving && keep(i)) slots.push_back(static_cast<std::uint8_t>(i));
    }
    std::sort(slots.begin(), slots.end(), [&](int a, int b) { return run.jokers[a].id < run.jokers[b].id; });
    return slots;
}

}  // namespace jimbo
