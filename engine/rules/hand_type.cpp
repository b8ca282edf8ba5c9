#include "rules/hand_type.hpp"

#include <algorithm>
#include <bit>

namespace jimbo {
namespace {

using Mask = std::uint64_t;

constexpr Mask bit(std::size_t i) { return Mask{1} << i; }

// The cards that share a rank, one mask for each rank; Stone cards have none.
struct Ranks {
    std::array<Mask, rank_count> cards{};
    std::uint32_t present = 0;   // ranks, as bits
    std::uint32_t repeated = 0;  // those of two cards or more
};

Ranks by_rank(std::span<const CardReading> cards) {
    Ranks ranks;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (cards[i].rank < 0) continue;
        const auto rank = static_cast<std::size_t>(cards[i].rank);
        const std::uint32_t here = std::uint32_t{1} << rank;
        ranks.repeated |= ranks.present & here;
        ranks.present |= here;
        ranks.cards[rank] |= bit(i);
    }
    return ranks;
}

// All cards of the first suit that has enough of them.
Mask find_flush(std::span<const CardReading> cards, const Traits& traits) {
    const int needed = traits.four_fingers ? 4 : 5;
    if (cards.size() < static_cast<std::size_t>(needed)) return 0;
    std::uint32_t counts = 0;  // one byte for each suit
    for (const CardReading& card : cards) counts += (card.flush_suits * 0x00204081u) & 0x01010101u;  // bit i to byte i
    for (int suit = 0; suit < suit_count; ++suit) {
        if (static_cast<int>(counts >> (8 * suit) & 255) < needed) continue;
        Mask mask = 0;
        for (std::size_t i = 0; i < cards.size(); ++i) mask |= Mask{(cards[i].flush_suits >> suit) & 1u} << i;
        return mask;
    }
    return 0;
}

// Ranks upwards with the ace at both ends. Shortcut may step over one missing rank at a time. Once long enough, the
// straight still takes in what follows it.
Mask find_straight(const Ranks& ranks, const Traits& traits) {
    const int needed = traits.four_fingers ? 4 : 5;
    if (std::popcount(ranks.present) < needed) return 0;
    Mask mask = 0;
    int length = 0;
    bool stepped_over = false;
    for (int step = 0; step <= rank_count; ++step) {
        const Mask here = ranks.cards[static_cast<std::size_t>(step == 0 ? rank_count - 1 : step - 1)];
        if (here != 0) {
            ++length;
            mask |= here;
            stepped_over = false;
        } else if (traits.shortcut && !stepped_over && step != rank_count) {
            stepped_over = true;
        } else if (length >= needed) {
            break;
        } else {
            length = 0;
            mask = 0;
            stepped_over = false;
        }
    }
    return length >= needed ? mask : 0;
}

// Groups of equal rank, highest rank first.
struct Groups {
    std::array<Mask, 6> of{};  // all cards in groups of exactly 2, 3, 4, 5
    std::array<int, 6> count{};
};

Groups find_groups(const Ranks& ranks) {
    Groups groups;
    for (std::uint32_t rest = ranks.repeated; rest != 0; rest &= rest - 1) {
        const Mask mask = ranks.cards[static_cast<std::size_t>(std::countr_zero(rest))];
        const auto size = static_cast<std::size_t>(std::min(std::popcount(mask), 5));
        groups.of[size] |= mask;
        ++groups.count[size];
    }
    return groups;
}

Mask highest_card(std::span<const CardReading> cards) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < cards.size(); ++i) best = cards[i].order > cards[best].order ? i : best;
    return cards.empty() ? 0 : bit(best);
}

}  // namespace

CardReading read_card(const RunState& run, CardIndex index, const Traits& traits) {
    const Card& card = run.cards[index];
    return {.order = nominal_order(run, index),
            .rank = static_cast<std::int8_t>(has_rank(card) ? static_cast<int>(card.rank) : -1),
            .flush_suits = static_cast<std::uint8_t>(flush_suits(card, traits))};
}

HandFound find_hand(const RunState& run, std::span<const CardIndex> cards, const Traits& traits) {
    ScratchVector<CardReading, max_hand> readings;
    for (CardIndex card : cards) readings.push_back(read_card(run, card, traits));
    return find_hand(readings, traits);
}

HandFound find_hand(std::span<const CardReading> cards, const Traits& traits) {
    const Ranks ranks = by_rank(cards);
    const Mask flush_cards = find_flush(cards, traits);
    const Mask straight_cards = find_straight(ranks, traits);

    HandFound found;
    found.contains.add(HandType::high_card);
    if (ranks.repeated == 0 && flush_cards == 0 && straight_cards == 0) {
        found.scoring = highest_card(cards);
        return found;
    }
    const Groups groups = find_groups(ranks);
    const Mask pairs = groups.of[2];
    const Mask threes = groups.of[3];
    const bool is_full_house = threes != 0 && pairs != 0;
    // From the lowest up, so that the last one found is the hand; all found are contained.
    const auto make = [&](bool here, HandType hand, Mask scoring) {
        if (!here) return;
        found.contains.add(hand);
        found.hand = hand;
        found.scoring = scoring;
    };
    const auto contain = [&](bool here, HandType hand) {
        if (here) found.contains.add(hand);
    };
    using enum HandType;
    contain(groups.of[5] != 0 || groups.of[4] != 0 || threes != 0, pair);
    make(pairs != 0, pair, pairs);
    make(groups.count[2] >= 2, two_pair, pairs);
    contain(is_full_house, two_pair);
    contain(groups.of[5] != 0 || groups.of[4] != 0, three_of_a_kind);
    make(threes != 0, three_of_a_kind, threes);
    make(straight_cards != 0, straight, straight_cards);
    make(flush_cards != 0, flush, flush_cards);
    make(is_full_house, full_house, threes | pairs);
    contain(groups.of[5] != 0, four_of_a_kind);
    make(groups.of[4] != 0, four_of_a_kind, groups.of[4]);
    make(straight_cards != 0 && flush_cards != 0, straight_flush, straight_cards | flush_cards);
    make(groups.of[5] != 0, five_of_a_kind, groups.of[5]);
    make(is_full_house && flush_cards != 0, flush_house, threes | pairs);
    make(groups.of[5] != 0 && flush_cards != 0, flush_five, groups.of[5]);
    return found;
}

}  // namespace jimbo
