#include "rules/hand_type.hpp"

#include <bit>

namespace jimbo {
namespace {

using Mask = std::uint64_t;

constexpr Mask bit(std::size_t i) { return Mask{1} << i; }

// Four bits for each rank: a count up to 8 in which more do not count, or the highest of them as a mark.
constexpr RankNibbles every_rank = 0x1111111111111;
constexpr RankNibbles every_mark = every_rank << 3;

RankNibbles count_ranks(std::span<const CardReading> cards) {
    RankNibbles counts = 0;
    for (const CardReading& card : cards) counts += card.rank & ~(counts >> 3);
    return counts;
}

// Marks the ranks that at least `count` cards have.
constexpr RankNibbles at_least(int count, RankNibbles counts) {
    return (counts + every_rank * static_cast<RankNibbles>(8 - count)) & every_mark;
}

Mask cards_of(std::span<const CardReading> cards, RankNibbles marks) {
    Mask mask = 0;
    for (std::size_t i = 0; i < cards.size(); ++i) mask |= Mask{(cards[i].rank & marks >> 3) != 0} << i;
    return mask;
}

// All cards of the first suit that has enough of them.
Mask find_flush(std::span<const CardReading> cards, const Traits& traits) {
    const auto needed = static_cast<std::uint32_t>(row_needed(traits));
    if (cards.size() < needed) return 0;
    std::uint32_t counts = 0;  // one byte for each suit
    for (const CardReading& card : cards) counts += card.flush_suits;
    const std::uint32_t enough = (counts + (0x80 - needed) * 0x01010101u) & 0x80808080u;
    if (enough == 0) return 0;
    const int suit = std::countr_zero(enough) - 7;
    Mask mask = 0;
    for (std::size_t i = 0; i < cards.size(); ++i) mask |= Mask{(cards[i].flush_suits >> suit) & 1u} << i;
    return mask;
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
    return cards.empty() ? 0 : bit(best);
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
    const RankNibbles counts = count_ranks(cards);
    const RankNibbles two = at_least(2, counts);
    const Mask flush_cards = find_flush(cards, traits);
    const RankNibbles straight_ranks = find_straight(at_least(1, counts), traits);

    HandFound found;
    using enum HandType;
    if (two == 0 && flush_cards == 0 && straight_ranks == 0) {
        found.contains.add(high_card);
        found.scoring = highest_card(cards);
        return found;
    }
    const RankNibbles three = at_least(3, counts);
    const RankNibbles four = at_least(4, counts);
    const RankNibbles five = at_least(5, counts);
    // Groups of exactly two, three and four.
    const RankNibbles pairs = two & ~three;
    const RankNibbles threes = three & ~four;
    const RankNibbles fours = four & ~five;
    const bool is_full_house = threes != 0 && pairs != 0;
    const bool is_straight = straight_ranks != 0;
    const bool is_flush = flush_cards != 0;
    found.contains.add(high_card);
    found.contains.add(pair, two != 0);
    found.contains.add(two_pair, (pairs & (pairs - 1)) != 0 || is_full_house);
    found.contains.add(three_of_a_kind, three != 0);
    found.contains.add(straight, is_straight);
    found.contains.add(flush, is_flush);
    found.contains.add(full_house, is_full_house);
    found.contains.add(four_of_a_kind, four != 0);
    found.contains.add(straight_flush, is_straight && is_flush);
    found.contains.add(five_of_a_kind, five != 0);
    found.contains.add(flush_house, is_full_house && is_flush);
    found.contains.add(flush_five, five != 0 && is_flush);

    found.hand = found.contains.highest();
    if (found.hand == straight || found.hand == flush || found.hand == straight_flush) {
        found.scoring = cards_of(cards, straight_ranks) | flush_cards;
    } else {
        found.scoring = cards_of(cards, five != 0 ? five : fours != 0 ? fours : threes | pairs);
    }
    return found;
}

}  // namespace jimbo
