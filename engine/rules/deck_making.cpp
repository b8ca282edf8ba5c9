#include "rules/deck_making.hpp"

#include <algorithm>

#include "rules/queries.hpp"

namespace jimbo {
namespace {

void create(StartingDeck& cards, Card card) {
    card.id = static_cast<std::uint16_t>(cards.size() + 1);
    cards.push_back(card);
}

}  // namespace

StartingDeck make_deck(Streams& streams, DeckId deck) {
    const DeckFact& rules = fact(deck);
    FixedVector<int, front_count> chosen;
    for (int i = 0; i < front_count; ++i) {
        if (rules.erratic) {
            chosen.push_back(streams.pick(Stream::erratic, front_count));
        } else if (!(rules.remove_faces && is_face_rank(fronts[static_cast<std::size_t>(i)].rank))) {
            chosen.push_back(i);
        }
    }
    std::sort(chosen.begin(), chosen.end());  // fronts are numbered in the order of their keys

    StartingDeck cards;
    for (int front : chosen) {
        Card card;
        card.set_front(fronts[static_cast<std::size_t>(front)]);
        if (rules.checkered && card.suit == Suit::clubs) card.suit = Suit::spades;
        if (rules.checkered && card.suit == Suit::diamonds) card.suit = Suit::hearts;
        create(cards, card);
    }
    return cards;
}

StartingDeck make_challenge_deck(const ChallengeDeck& deck) {
    StartingDeck cards;
    for (Front front : fronts) {
        Card card;
        card.set_front(front);
        const bool face = is_face_rank(front.rank) && deck.face_enhancement != Enhancement::none;
        card.enhancement = face ? deck.face_enhancement : deck.enhancement;
        card.seal = deck.seal;
        for (int n = 0; n < deck.copies[static_cast<std::size_t>(front.rank)]; ++n) create(cards, card);
    }
    return cards;
}

}  // namespace jimbo
