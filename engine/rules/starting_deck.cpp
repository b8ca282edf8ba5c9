#include "rules/starting_deck.hpp"

#include "rules/queries.hpp"

namespace jimbo {
namespace {

constexpr auto plain_cards = [] {
    std::array<Card, front_count> cards{};
    for (std::size_t i = 0; i < front_count; ++i) cards[i].set_front(fronts[i]);
    return cards;
}();

void create(StartingDeck& cards, Card card) {
    card.id = static_cast<std::uint16_t>(cards.size() + 1);
    cards.push_back(card);
}

}  // namespace

StartingDeck make_deck(Streams& streams, DeckId deck) {
    const DeckFact& rules = fact(deck);
    StartingDeck cards;
    if (!rules.erratic && !rules.remove_faces && !rules.checkered) {
        for (const Card& card : plain_cards) create(cards, card);
        return cards;
    }
    // Fronts are numbered in the order of their keys, which is the order of creation.
    std::array<std::uint8_t, front_count> copies{};
    for (std::size_t i = 0; i < front_count; ++i) {
        if (rules.erratic) {
            ++copies[static_cast<std::size_t>(streams.pick(Stream::erratic, front_count))];
        } else {
            copies[i] = rules.remove_faces && is_face_rank(fronts[i].rank) ? 0 : 1;
        }
    }

    for (std::size_t i = 0; i < front_count; ++i) {
        Card card = plain_cards[i];
        if (rules.checkered && card.suit == Suit::clubs) card.suit = Suit::spades;
        if (rules.checkered && card.suit == Suit::diamonds) card.suit = Suit::hearts;
        for (int n = copies[i]; n > 0; --n) create(cards, card);
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
