#include "play/determinize.hpp"

#include <algorithm>
#include <utility>

#include "base/splitmix.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/effects.hpp"

namespace jimbo {
namespace {

template <typename List>
void shuffle(List& list, SplitMix& random) {
    for (int i = list.size() - 1; i > 0; --i) std::swap(list[i], list[static_cast<int>(random.below(i + 1u))]);
}

Seed random_seed(SplitMix& random) {
    Seed seed;
    for (char& c : seed.text) c = made_seed_letters[random.below(made_seed_letters.size())];
    seed.length = Seed::max_length;
    return seed;
}

// Cards the player cannot tell apart: the draw pile and the face-down hand cards for which `among` holds.
template <typename Among>
void mix_hidden_cards(RunState& run, SplitMix& random, Among among) {
    FixedVector<CardIndex, max_cards> cards;
    FixedVector<std::uint8_t, max_cards> in_pile;
    FixedVector<std::uint8_t, max_hand> in_hand;
    for (int i = 0; i < run.deck_pile.size(); ++i) {
        if (!among(run.cards[run.deck_pile[i]])) continue;
        in_pile.push_back(static_cast<std::uint8_t>(i));
        cards.push_back(run.deck_pile[i]);
    }
    for (int i = 0; i < run.hand.size(); ++i) {
        if (!run.hand_card(i).face_down || !among(run.hand_card(i))) continue;
        in_hand.push_back(static_cast<std::uint8_t>(i));
        cards.push_back(run.hand[i]);
    }
    // Sorted first: the world must depend on the nonce alone, not on where the hidden cards were.
    std::sort(cards.begin(), cards.end());
    shuffle(cards, random);
    int next = 0;
    for (int place : in_pile) run.deck_pile[place] = cards[next++];
    FixedVector<bool, max_hand> forced;
    for (int place : in_hand) forced.push_back(bool{run.hand_card(place).forced});
    for (int place : in_hand) run.hand_card(place).face_down = run.hand_card(place).forced = false;
    for (int i = 0; i < in_hand.size(); ++i) {
        const CardIndex card = cards[next++];
        run.hand[in_hand[i]] = card;
        run.cards[card].face_down = true;
        run.cards[card].forced = forced[i];
    }
}

void mix_cards(RunState& run, SplitMix& random) {
    if (acting_blind(run).key != BlindId::mark) {
        mix_hidden_cards(run, random, [](const Card&) { return true; });
        return;
    }
    // The Mark shows which face-down cards are faces: all of them.
    const Traits traits = traits_of(run);
    mix_hidden_cards(run, random, [&](const Card& card) { return is_face(card, traits, true); });
    mix_hidden_cards(run, random, [&](const Card& card) { return !is_face(card, traits, true); });
    std::sort(run.deck_pile.begin(), run.deck_pile.end());
    shuffle(run.deck_pile, random);
}

void mix_jokers(RunState& run, SplitMix& random) {
    FixedVector<Joker, max_jokers> hidden;
    for (const Joker& joker : run.jokers) {
        if (joker.face_down) hidden.push_back(joker);
    }
    std::sort(hidden.begin(), hidden.end(), [](const Joker& a, const Joker& b) { return a.id < b.id; });
    shuffle(hidden, random);
    int next = 0;
    for (Joker& joker : run.jokers) {
        if (joker.face_down) joker = hidden[next++];
    }
}

}  // namespace

RunState determinize(const RunState& run, std::uint64_t nonce) {
    RunState world = run;
    SplitMix random(nonce);
    mix_cards(world, random);
    mix_jokers(world, random);
    world.streams = Streams(random_seed(random));
    // The first voucher is seen only when the first shop opens; later ones are on display as soon as they are drawn.
    if (!world.first_booster_made) {
        world.voucher = pick_voucher(world.streams, {Stream::voucher, world.ante}, blocked_for_ante(world));
    }
    return world;
}

}  // namespace jimbo
