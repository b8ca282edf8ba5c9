#include <bit>
#include <cstring>

#include "base/splitmix.hpp"
#include "learn/observation_parts.hpp"

namespace jimbo::observing {
namespace {

// Cards by what can be seen on them.
struct Counts {
    Cells<std::uint8_t, suit_count, rank_count> fronts{};
    std::array<std::uint8_t, enhancement_count> enhancements{};
    std::array<std::uint8_t, edition_count> editions{};
    std::array<std::uint8_t, seal_count> seals{};
    std::uint8_t cards = 0;

    void add(const Card& card) {
        ++cards;
        std::uint8_t& front = fronts[static_cast<std::size_t>(card.suit)][static_cast<std::size_t>(card.rank)];
        ++front;
        ++enhancements[static_cast<std::size_t>(card.enhancement)];
        ++editions[static_cast<std::size_t>(card.edition)];
        ++seals[static_cast<std::size_t>(card.seal)];
        if (card.enhancement == Enhancement::stone) --front;
    }
};

template <typename Row>
void subtract(const Row& from, const Row& less, Row& out) {
    for (std::size_t i = 0; i < from.size(); ++i) out[i] = static_cast<std::uint8_t>(from[i] - less[i]);
}

// --- The full deck, which seldom changes ---------------------------------------------------------------------------

std::uint64_t word_of(const Card& card) {
    std::uint64_t word = 0;
    std::memcpy(&word, &card, sizeof card);
    return word;
}

// What is printed and put on a card, without what happens to it in a round and without unused bits.
const std::uint64_t lasting_bits = [] {
    Card card;
    std::memset(static_cast<void*>(&card), 0, sizeof card);
    card.id = card.bonus = 0xFFFF;
    card.rank = Rank{0xF};
    card.suit = Suit{0x3};
    card.enhancement = Enhancement{0xF};
    card.edition = Edition{0x7};
    card.seal = Seal{0x7};
    return word_of(card);
}();

const std::array<std::uint64_t, max_cards> place_weights = [] {
    std::array<std::uint64_t, max_cards> weights{};
    SplitMix random(1);
    for (std::uint64_t& weight : weights) weight = random.next() | 1;
    return weights;
}();

// Different decks have different numbers, except for one case in 2^64.
std::array<std::uint8_t, 8> number_of_deck(const RunState& run) {
    std::uint64_t sum = static_cast<std::uint64_t>(run.cards.size());
    for (int i = 0; i < run.cards.size(); ++i) {
        sum += (word_of(run.cards.data()[i]) & lasting_bits) * place_weights[static_cast<std::size_t>(i)];
    }
    return std::bit_cast<std::array<std::uint8_t, 8>>(sum);
}

void write_deck(const RunState& run, Observation& out) {
    const auto number = number_of_deck(run);
    if (number == out.deck_number) return;
    Counts deck;
    for (const Card& card : run.cards) deck.add(card);
    out.deck_number = number;
    out.n_deck = deck.cards;
    out.deck_fronts = deck.fronts;
    out.deck_enhancements = deck.enhancements;
    out.deck_editions = deck.editions;
    out.deck_seals = deck.seals;
}

}  // namespace

// Whatever was not seen is the rest of the deck.
void write_counts(const RunState& run, Observation& out) {
    write_deck(run, out);
    Counts seen;
    for (CardIndex index : run.discard_pile) seen.add(run.cards[index]);
    if (seen.cards != 0 || out.n_discarded != 0) {
        out.n_discarded = seen.cards;
        out.discarded_fronts = seen.fronts;
    }
    for (CardIndex index : run.hand) {
        if (!run.cards[index].face_down) seen.add(run.cards[index]);
    }
    for (CardIndex index : run.played) seen.add(run.cards[index]);
    out.n_unseen = static_cast<std::uint8_t>(out.n_deck - seen.cards);
    for (std::size_t suit = 0; suit < suit_count; ++suit) {
        subtract(out.deck_fronts[suit], seen.fronts[suit], out.unseen_fronts[suit]);
    }
    subtract(out.deck_enhancements, seen.enhancements, out.unseen_enhancements);
    subtract(out.deck_editions, seen.editions, out.unseen_editions);
    subtract(out.deck_seals, seen.seals, out.unseen_seals);
}

}  // namespace jimbo::observing
