#include "learn/kept.hpp"

#include <algorithm>
#include <bit>

#include "learn/habits.hpp"

namespace jimbo {

HandLook::HandLook(const RunState& run) : size_(run.hand.size()) {
    const Traits traits = traits_of(run);
    for (int i = 0; i < size_; ++i) {
        const Card& card = run.hand_card(i);
        if (card.face_down) continue;
        Look& look = cards_[static_cast<std::size_t>(i)];
        look.chips = static_cast<std::int16_t>(std::min(card_chips(card), 32767));
        if (has_rank(card)) look.rank = static_cast<std::int8_t>(card.rank);
        for (const SuitFact& suit : suit_facts) {
            if (is_suit_for_flush(card, suit.id, traits)) look.suits |= static_cast<std::uint8_t>(1u << int(suit.id));
        }
    }
}

namespace {

// Bit 0 is the Ace as the lowest card, bits 1 to 13 are Two to Ace.
int longest_run(unsigned ranks) {
    const unsigned around = (ranks << 1) | ((ranks >> 12) & 1);
    int most = 0;
    for (int low = 0; low <= 9; ++low) most = std::max(most, std::popcount((around >> low) & 31u));
    return most;
}

}  // namespace

HandLook::Kept HandLook::without(std::uint64_t positions) const {
    Kept kept;
    std::array<std::uint8_t, rank_count> ranks{};
    std::array<std::uint8_t, suit_count> suits{};
    unsigned seen = 0;
    for (int i = 0; i < size_; ++i) {
        if (((positions >> i) & 1) != 0) continue;
        const Look& look = cards_[static_cast<std::size_t>(i)];
        kept.chips += look.chips;
        for (std::size_t s = 0; s < suit_count; ++s) {
            suits[s] = static_cast<std::uint8_t>(suits[s] + ((look.suits >> s) & 1));
        }
        if (look.rank < 0) continue;
        seen |= 1u << look.rank;
        const int same = ++ranks[static_cast<std::size_t>(look.rank)];
        kept.rank = std::max(kept.rank, same);
        kept.pairs += same == 2 ? 1 : 0;
    }
    kept.suit = *std::max_element(suits.begin(), suits.end());
    kept.run = longest_run(seen);
    return kept;
}

int HandLook::company(int position) const {
    const Look& own = cards_[static_cast<std::size_t>(position)];
    int same_rank = 0;
    int same_suit = 0;
    for (int i = 0; i < size_; ++i) {
        const Look& other = cards_[static_cast<std::size_t>(i)];
        same_rank += own.rank >= 0 && other.rank == own.rank ? 1 : 0;
        same_suit += (own.suits & other.suits) != 0 ? 1 : 0;
    }
    return habits::company_of_rank * same_rank + habits::company_of_suit * same_suit;
}

}  // namespace jimbo
