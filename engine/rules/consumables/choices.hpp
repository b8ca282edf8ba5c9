// What several consumables choose from and change: selected cards, the dealt hand, jokers without an edition.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "rules/consumables.hpp"
#include "rules/effects.hpp"
#include "rules/queries.hpp"

namespace jimbo::consumables {

// Suits in the order in which the game's random choices list them; not their display order.
inline constexpr std::array<Suit, suit_count> drawn_suits{Suit::spades, Suit::hearts, Suit::diamonds, Suit::clubs};

template <typename List>
auto pick_from(Turn& turn, Stream stream, const List& list) {
    return list.begin()[turn.run.streams.pick(stream, static_cast<int>(list.size()))];
}

// Whether at least `cards` cards lie in a hand: of the round, or of an open Arcana or Spectral pack.
inline bool has_dealt_hand(const RunState& run, int cards = 1) {
    const bool dealt = run.phase == Phase::selecting_hand || run.phase == Phase::pack_opening;
    return dealt && run.hand.size() >= cards;
}

// A place in RunState::cards is also the place in creation order.
inline FixedVector<CardIndex, max_hand> hand_by_id(const RunState& run) {
    FixedVector<CardIndex, max_hand> cards = run.hand;
    std::sort(cards.begin(), cards.end());
    return cards;
}

template <typename Change>
void change_cards(Turn& turn, const Use& use, std::span<const CardIndex> cards, Change change) {
    for (CardIndex card : cards) {
        change(turn.run.cards[card]);
        turn.note({.kind = EventKind::card_changed,
                   .actor = Actor::consumable,
                   .index = card,
                   .key = static_cast<std::uint8_t>(use.key)});
    }
    cards_changed(turn, cards);
}

inline void earn_by(Turn& turn, const Use& use, int dollars) {
    earn(turn, dollars, Actor::consumable, 0, static_cast<int>(use.key));
}

// Debuffed ones are among them.
inline FixedVector<std::uint8_t, max_jokers> jokers_without_edition(const RunState& run) {
    return jokers_by_id(run, [&](int slot) { return run.jokers[slot].edition == Edition::base; });
}

inline bool has_joker_without_edition(const RunState& run) { return !jokers_without_edition(run).empty(); }
inline bool has_joker_room(const RunState& run) { return joker_room(run) > 0; }

}  // namespace jimbo::consumables
