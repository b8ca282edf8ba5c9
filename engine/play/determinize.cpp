#include "play/determinize.hpp"

#include <algorithm>
#include <utility>

#include "base/splitmix.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/consumables.hpp"
#include "rules/effects.hpp"
#include "rules/targets.hpp"

namespace jimbo {
namespace {

template <typename List>
void shuffle(List& list, SplitMix& random) {
    for (int i = list.size() - 1; i > 0; --i) std::swap(list[i], list[static_cast<int>(random.below(i + 1u))]);
}

Seed random_seed(SplitMix& random) {
    Seed seed;
    seed.length = made_seed_length;
    for (std::size_t i = 0; i < made_seed_length; ++i) {
        seed.text[i] = made_seed_letters[random.below(made_seed_letters.size())];
    }
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
    const Clues clues(run);
    if (clues.none()) {
        mix_hidden_cards(run, random, [](const Card&) { return true; });
        return;
    }
    for (int kind = 0; kind < Clues::kinds; ++kind) {
        mix_hidden_cards(run, random, [&](const Card& card) { return clues.kind(card) == kind; });
    }
    std::sort(run.deck_pile.begin(), run.deck_pile.end());
    shuffle(run.deck_pile, random);
}

// An eternal joker cannot be sold and a pinned one not moved, so face-down ones can be told apart by that.
void mix_jokers(RunState& run, SplitMix& random) {
    for (int kind = 0; kind < 4; ++kind) {
        const auto among = [&](const Joker& joker) {
            return joker.face_down && joker.stickers.eternal == ((kind & 1) != 0) && joker.pinned == ((kind & 2) != 0);
        };
        FixedVector<Joker, max_jokers> hidden;
        for (const Joker& joker : run.jokers) {
            if (among(joker)) hidden.push_back(joker);
        }
        std::sort(hidden.begin(), hidden.end(), [](const Joker& a, const Joker& b) { return a.id < b.id; });
        shuffle(hidden, random);
        int next = 0;
        for (Joker& joker : run.jokers) {
            if (among(joker)) joker = hidden[next++];
        }
    }
}

// Drawn long before a joker shows them; until then any card of the deck may be the one.
void mix_targets(RunState& run, SplitMix& random) {
    ScratchVector<CardIndex, max_cards> ranked;
    for (int i = 0; i < run.cards.size(); ++i) {
        if (has_rank(run.cards[i])) ranked.push_back(static_cast<CardIndex>(i));
    }
    const auto any_card = [&]() -> const Card& {
        return run.cards[ranked[static_cast<int>(random.below(static_cast<std::uint64_t>(ranked.size())))]];
    };
    const SeenTargets seen = targets_in_sight(run);
    Targets& targets = run.targets;
    if (!seen.ancient) targets.ancient_suit = static_cast<Suit>(random.below(suit_count));
    if (ranked.empty()) return;
    if (!seen.idol) {
        const Card& idol = any_card();
        targets.idol_rank = idol.rank;
        targets.idol_suit = idol.suit;
    }
    if (!seen.mail) targets.mail_rank = any_card().rank;
    if (!seen.castle) targets.castle_suit = any_card().suit;
}

// Every tag is drawn with a hand, which only an Orbital Tag shows and uses.
void forget_hands(RunState& run) {
    const auto forget = [](HeldTag& tag) {
        if (tag.key != TagId::orbital) tag.orbital_hand = {};
    };
    std::for_each(run.skip_tags.begin(), run.skip_tags.end(), forget);
    std::for_each(run.tags.begin(), run.tags.end(), forget);
}

}  // namespace

Clues::Clues(const RunState& run) : hides_(acting_blind(run).hides), traits_(traits_of(run)) {
    for (const Consumable& held : run.consumables) {
        if (const auto takes = rule_of(held.key).takes; takes != nullptr) takes_ = takes;
    }
}

std::optional<bool> Clues::is_face(const Card& card) const {
    return hides_ != nullptr ? std::optional(hides_(card, traits_)) : std::nullopt;
}

std::optional<bool> Clues::is_taken(const Card& card) const {
    return takes_ != nullptr ? std::optional(takes_(card)) : std::nullopt;
}

int Clues::kind(const Card& card) const {
    return (is_face(card).value_or(false) ? 0 : 2) + (is_taken(card).value_or(true) ? 1 : 0);
}

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
    mix_targets(world, random);
    forget_hands(world);
    return world;
}

}  // namespace jimbo
