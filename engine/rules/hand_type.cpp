#include "rules/hand_type.hpp"

#include <bit>
#include <limits>

#include "rules/hand_finder.hpp"

namespace jimbo {
namespace {

using Mask = std::uint64_t;

constexpr Mask bit(int i) { return Mask{1} << i; }

// Counts up to 8, in which more do not count.
RankNibbles count_ranks(std::span<const CardReading> cards) {
    RankNibbles counts = 0;
    for (const CardReading& card : cards) counts += card.rank & ~(counts >> 3);
    return counts;
}

// The first suit that has enough cards, as the lowest bit of its byte.
std::uint32_t find_flush(std::uint32_t counts, const Traits& traits) {
    const auto needed = static_cast<std::uint32_t>(row_needed(traits));
    const std::uint32_t enough = (counts + (0x80 - needed) * 0x01010101u) & 0x80808080u;
    return (enough & ~(enough - 1)) >> 7;
}

// Marks the ranks of a straight: upwards with the ace at both ends. Shortcut may step over one missing rank at a time.
// Once long enough, the straight still takes in what follows it.
RankNibbles find_straight(RankNibbles marks, const Traits& traits) {
    const int needed = row_needed(traits);
    if (std::popcount(marks) < needed) return 0;
    constexpr int ace = 4 * (rank_count - 1);
    const RankNibbles steps = marks << 4 | marks >> ace;
    if (!traits.shortcut) {
        const RankNibbles two = steps & steps >> 4;
        const RankNibbles four = two & two >> 8;
        if ((needed == 4 ? four : four & steps >> 16) == 0) return 0;
    }
    RankNibbles taken = 0;
    int length = 0;
    bool stepped_over = false;
    for (int step = 0; step <= rank_count; ++step) {
        const RankNibbles here = steps & RankNibbles{8} << (4 * step);
        if (here != 0) {
            ++length;
            taken |= here;
            stepped_over = false;
        } else if (traits.shortcut && !stepped_over && step != rank_count) {
            stepped_over = true;
        } else if (length >= needed) {
            break;
        } else {
            length = 0;
            taken = 0;
            stepped_over = false;
        }
    }
    return length >= needed ? (taken >> 4 | taken << ace) & every_mark : 0;
}

Mask highest_card(std::span<const CardReading> cards) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < cards.size(); ++i) best = cards[i].order > cards[best].order ? i : best;
    return cards.empty() ? 0 : bit(static_cast<int>(best));
}

// What goes beyond a high card.
struct Beginnings {
    RankNibbles two;  // ranks with so many
    RankNibbles straight;
    std::uint32_t flush;

    Beginnings(RankNibbles counts, std::uint32_t suits, const Traits& traits)
        : two(at_least(2, counts)),
          straight(find_straight(at_least(1, counts), traits)),
          flush(find_flush(suits, traits)) {}
    bool none() const { return (two | straight | flush) == 0; }
};

HandFound high_card_found(Mask highest) {
    HandFound found;
    found.contains.add(HandType::high_card);
    found.scoring = highest;
    return found;
}

// A hand that is more than a high card, and which cards score.
struct HandMade {
    HandType hand{};
    HandSet contains{};
    RankNibbles ranks = 0;   // the cards of these, as marks
    std::uint32_t suit = 0;  // and of this one
};

HandMade make_hand(RankNibbles counts, const Beginnings& begun) {
    HandMade made;
    using enum HandType;
    const RankNibbles two = begun.two;
    const RankNibbles three = at_least(3, counts);
    const RankNibbles four = at_least(4, counts);
    const RankNibbles five = at_least(5, counts);
    // Groups of exactly two, three and four.
    const RankNibbles pairs = two & ~three;
    const RankNibbles threes = three & ~four;
    const RankNibbles fours = four & ~five;
    const bool is_full_house = threes != 0 && pairs != 0;
    const bool is_straight = begun.straight != 0;
    const bool is_flush = begun.flush != 0;
    made.contains.add(high_card);
    made.contains.add(pair, two != 0);
    made.contains.add(two_pair, (pairs & (pairs - 1)) != 0 || is_full_house);
    made.contains.add(three_of_a_kind, three != 0);
    made.contains.add(straight, is_straight);
    made.contains.add(flush, is_flush);
    made.contains.add(full_house, is_full_house);
    made.contains.add(four_of_a_kind, four != 0);
    made.contains.add(straight_flush, is_straight && is_flush);
    made.contains.add(five_of_a_kind, five != 0);
    made.contains.add(flush_house, is_full_house && is_flush);
    made.contains.add(flush_five, five != 0 && is_flush);

    made.hand = made.contains.highest();
    if (made.hand == straight || made.hand == flush || made.hand == straight_flush) {
        made.ranks = begun.straight;
        made.suit = begun.flush;
    } else {
        made.ranks = five != 0 ? five : fours != 0 ? fours : threes | pairs;
    }
    return made;
}

}  // namespace

CardReading read_card(const RunState& run, CardIndex index, const Traits& traits) {
    const Card& card = run.cards[index];
    return {.rank = has_rank(card) ? RankNibbles{1} << (4 * static_cast<int>(card.rank)) : 0,
            .order = nominal_order(run, index),
            .flush_suits = (flush_suits(card, traits) * 0x00204081u) & 0x01010101u};  // bit i to byte i
}

HandFound find_hand(const RunState& run, std::span<const CardIndex> cards, const Traits& traits) {
    ScratchVector<CardReading, max_hand> readings;
    for (CardIndex card : cards) readings.push_back(read_card(run, card, traits));
    return find_hand(readings, traits);
}

HandFound find_hand(std::span<const CardReading> cards, const Traits& traits) {
    std::uint32_t suits = 0;
    for (const CardReading& card : cards) suits += card.flush_suits;
    const RankNibbles counts = count_ranks(cards);
    const Beginnings begun(counts, suits, traits);
    if (begun.none()) return high_card_found(highest_card(cards));
    const HandMade made = make_hand(counts, begun);
    HandFound found{made.hand, made.contains, 0};
    for (std::size_t i = 0; i < cards.size(); ++i) {
        const bool scores = (cards[i].rank & made.ranks >> 3) != 0 || (cards[i].flush_suits & made.suit) != 0;
        found.scoring |= Mask{scores} << i;
    }
    return found;
}

HandFinder::HandFinder(const RunState& run, const Traits& traits) : traits_(traits), sums_(read(run)) {}

HandFinder::Cards HandFinder::read(const RunState& run) {
    Cards cards;
    for (int i = 0; i < run.hand.size(); ++i) {
        const CardReading card = read_card(run, run.hand[i], traits_);
        const std::int64_t order = std::int64_t{card.order} - std::numeric_limits<std::int32_t>::min();
        cards.push_back({card.rank, order * max_hand + max_hand - 1 - i, card.flush_suits});
        if (card.rank != 0) of_rank_[first_rank(card.rank)] |= bit(i);
        for (std::size_t s = 0; s < suit_count; ++s) of_suit_[s] |= Mask{(card.flush_suits >> 8 * s) & 1} << i;
    }
    return cards;
}

HandFound HandFinder::find(std::uint64_t positions) const {
    const Sum sum = sums_.of(positions);
    const Beginnings begun(sum.ranks, sum.suits, traits_);
    if (begun.none()) {
        return high_card_found(positions == 0 ? 0 : bit(max_hand - 1 - static_cast<int>(sum.highest % max_hand)));
    }
    const HandMade made = make_hand(sum.ranks, begun);
    Mask scoring = made.suit == 0 ? 0 : of_suit_[static_cast<std::size_t>(std::countr_zero(made.suit)) / 8];
    for (RankNibbles rest = made.ranks; rest != 0; rest &= rest - 1) {
        scoring |= of_rank_[first_rank(rest)];
    }
    return {made.hand, made.contains, scoring & positions};
}

}  // namespace jimbo
