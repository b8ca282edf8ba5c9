#include "rules/zones.hpp"

#include <algorithm>
#include <bit>

#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo {

int hand_limit(const RunState& run) { return std::max(0, run.hand_size - hand_size_penalty(run)); }

namespace {

bool comes_face_down(Turn& turn, const BlindRule& blind, const Card& card, const Traits& traits) {
    // Both are asked: each may draw from its own stream.
    const bool by_blind = blind.flips != nullptr && blind.flips(turn, card, traits);
    const bool by_challenge = flips_drawn_card(turn.run);
    return by_blind || by_challenge;
}

int cards_to_draw(const RunState& run) {
    const bool serpent = acting_blind(run).key == BlindId::serpent && (run.hands_played > 0 || run.discards_used > 0);
    const int wanted = serpent ? 3 : hand_limit(run) - run.hand.size();
    return std::clamp(wanted, 0, run.deck_pile.size());
}

}  // namespace

void draw_cards(Turn& turn, int count) {
    RunState& run = turn.run;
    if (count <= 0 || run.deck_pile.empty()) return;  // only a card that comes puts the hand in order
    const Traits traits = traits_of(run);
    const BlindRule& blind = acting_blind(run);
    for (; count > 0 && !run.deck_pile.empty() && !run.hand.full(); --count) {
        const CardIndex index = run.deck_pile.back();
        run.deck_pile.pop_back();
        if (run.phase == Phase::selecting_hand) {
            run.cards[index].face_down = comes_face_down(turn, blind, run.cards[index], traits);
        }
        run.hand.push_back(index);
        turn.note({EventKind::drawn, Actor::card, index});
    }
    sort_hand(run);
}

void draw_for_round(Turn& turn, Draw why) {
    draw_cards(turn, cards_to_draw(turn.run));
    cards_changed(turn, turn.run.hand);
    const BlindRule& blind = acting_blind(turn.run);
    if (blind.hand_drawn != nullptr) blind.hand_drawn(turn, why);
}

void change_hand_size(Turn& turn, int by) {
    RunState& run = turn.run;
    run.hand_size = static_cast<std::int16_t>(run.hand_size + by);
    if (by > 0 && run.phase == Phase::selecting_hand && !run.hand.empty()) draw_cards(turn, by);
}

namespace {

// Higher stands further left. The lowest byte tells the card.
int sort_key(const RunState& run, CardIndex index) {
    const int by_rank = nominal_order(run, index);
    if (!run.sorts_by_suit) return by_rank;
    const Card& card = run.cards[index];
    constexpr int beyond_ranks = 1 << 19;
    return by_rank + beyond_ranks * (is_stone(card) ? 0 : suit_count - static_cast<int>(card.suit));
}

}  // namespace

void sort_hand(RunState& run) {
    const int size = run.hand.size();
    std::array<int, max_hand> keys;
    for (int i = 0; i < size; ++i) keys[static_cast<std::size_t>(i)] = sort_key(run, run.hand[i]);
    // A card's place is the number of cards before it: for a hand's few cards that is faster than to compare and swap.
    for (int i = 0; i < size; ++i) {
        const int key = keys[static_cast<std::size_t>(i)];
        int place = 0;
        for (int j = 0; j < size; ++j) place += keys[static_cast<std::size_t>(j)] > key ? 1 : 0;
        run.hand[place] = static_cast<CardIndex>(255 - (key & 255));
    }
}

void take_played(RunState& run, std::uint64_t positions) {
    const FixedVector<CardIndex, max_hand> hand = run.hand;
    split_hand(run, hand, positions);
}

void split_hand(RunState& run, std::span<const CardIndex> hand, std::uint64_t positions) {
    // Each card is written to the end of both zones and counts in one: what to jump over could not be guessed.
    CardIndex* const to_played = run.played.data();
    CardIndex* const to_hand = run.hand.data();
    const int size = static_cast<int>(hand.size());
    int played = 0;
    for (int i = 0; i < size; ++i) {
        const CardIndex card = hand[static_cast<std::size_t>(i)];
        to_played[played] = card;
        to_hand[i - played] = card;
        played += static_cast<int>(positions >> i & 1);
    }
    run.played.resize(played);
    run.hand.resize(size - played);
}

namespace {

bool discard_one(Turn& turn, const JokerCalls& jokers, const Discard& discard, CardIndex index) {
    const Card& card = turn.run.cards[index];
    if (card.seal == Seal::purple && !card.debuffed) create_consumable(turn, Stream::tarot_8ba, ConsumableKind::tarot);
    bool destroyed = false;
    for (const JokerCall& joker : jokers) {
        if (joker.rule->card_discarded != nullptr) {
            destroyed |= joker.rule->card_discarded(turn, joker, discard, index);
        }
    }
    return destroyed;
}

}  // namespace

void discard_cards(Turn& turn, std::span<const CardIndex> cards, bool by_hook) {
    RunState& run = turn.run;
    const Discard discard{cards, by_hook};
    const JokerCalls jokers = resolve_jokers(run);
    for (const JokerCall& joker : jokers) {
        if (joker.rule->before_discard != nullptr) joker.rule->before_discard(turn, joker, discard);
    }
    ScratchVector<CardIndex, max_hand> destroyed;
    for (CardIndex index : cards) {
        if (discard_one(turn, jokers, discard, index)) destroyed.push_back(index);
        turn.note({EventKind::discarded, Actor::card, index});
    }
    for (CardIndex index : cards) {
        run.hand.erase(static_cast<int>(std::find(run.hand.begin(), run.hand.end(), index) - run.hand.begin()));
        run.cards[index].forced = false;
        run.discard_pile.push_back(index);
    }
    if (!destroyed.empty()) destroy_cards(turn, destroyed);
    sweep_jokers(turn);
}

void shuffle_deck(RunState& run, StreamKey key) {
    BitSet<max_cards> in_pile;
    for (CardIndex index : run.deck_pile) in_pile.set(index);
    run.deck_pile.clear();
    in_pile.for_each([&](int index) { run.deck_pile.push_back(static_cast<CardIndex>(index)); });
    run.streams.shuffle(key, std::span(run.deck_pile.begin(), run.deck_pile.end()));
}

void gather_deck(RunState& run) {
    const auto undrawn = run.deck_pile;
    run.deck_pile.clear();
    const auto take = [&](auto& zone) {
        for (CardIndex index : zone) run.deck_pile.push_back(index);
    };
    take(run.discard_pile);
    take(run.played);
    take(run.hand);
    take(undrawn);
    run.discard_pile.clear();
    run.played.clear();
    run.hand.clear();
    for (Card& card : run.cards) card.face_down = card.forced = false;
}

void put_back_hand(RunState& run) {
    for (CardIndex index : run.hand) run.deck_pile.insert(0, index);
    run.hand.clear();
}

}  // namespace jimbo
