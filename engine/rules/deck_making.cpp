#include "rules/deck_making.hpp"

#include <algorithm>

namespace jimbo {
namespace {

bool is_face(Rank rank) { return rank == Rank::jack || rank == Rank::queen || rank == Rank::king; }

}  // namespace

StartingDeck make_deck(Streams& streams, DeckId deck) {
    const DeckFact& rules = fact(deck);
    FixedVector<int, front_count> chosen;
    for (int i = 0; i < front_count; ++i) {
        if (rules.erratic) {
            chosen.push_back(streams.pick(Stream::erratic, front_count));
        } else if (!(rules.remove_faces && is_face(fronts[static_cast<std::size_t>(i)].rank))) {
            chosen.push_back(i);
        }
    }
    std::sort(chosen.begin(), chosen.end());  // fronts are numbered in the order of their keys

    StartingDeck cards;
    for (int front : chosen) {
        Card card;
        card.id = static_cast<std::uint16_t>(cards.size() + 1);
        card.set_front(fronts[static_cast<std::size_t>(front)]);
        if (rules.checkered && card.suit == Suit::clubs) card.suit = Suit::spades;
        if (rules.checkered && card.suit == Suit::diamonds) card.suit = Suit::hearts;
        cards.push_back(card);
    }
    return cards;
}

}  // namespace jimbo
