#include "learn/kept.hpp"

#include <algorithm>
#include <bit>

#include "learn/habits.hpp"

namespace jimbo {

HandLook::HandLook(const RunState& run) {
    const Traits traits = traits_of(run);
    std::array<std::uint64_t, rank_count> of_rank{};
    for (int i = 0; i < run.hand.size(); ++i) {
        const Card& card = run.hand_card(i);
        if (card.face_down) continue;
        const std::uint64_t here = std::uint64_t{1} << i;
        Look& look = cards_[static_cast<std::size_t>(i)];
        look.chips = static_cast<std::int16_t>(std::min(card_chips(card), 32767));
        chips_ += look.chips;
        if (has_rank(card)) {
            look.rank = static_cast<std::int8_t>(card.rank);
            of_rank[static_cast<std::size_t>(look.rank)] |= here;
        }
        for (const SuitFact& suit : suit_facts) {
            if (!is_suit_for_flush(card, suit.id, traits)) continue;
            look.suits |= static_cast<std::uint8_t>(1u << int(suit.id));
            of_suit_[static_cast<std::size_t>(suit.id)] |= here;
        }
    }
    for (int rank = 0; rank < rank_count; ++rank) {
        const std::uint64_t positions = of_rank[static_cast<std::size_t>(rank)];
        if (positions != 0) of_rank_[static_cast<std::size_t>(ranks_++)] = {positions, rank};
    }
}

namespace {

// By the ranks as bits, Two first: the largest number out of five neighbours, the Ace being the lowest card, too.
constexpr auto longest_runs = [] {
    std::array<std::uint8_t, 1 << rank_count> longest{};
    for (unsigned ranks = 0; ranks < longest.size(); ++ranks) {
        const unsigned around = (ranks << 1) | ((ranks >> 12) & 1);
        int most = 0;
        for (int low = 0; low <= 9; ++low) most = std::max(most, std::popcount((around >> low) & 31u));
        longest[ranks] = static_cast<std::uint8_t>(most);
    }
    return longest;
}();

}  // namespace

HandLook::Kept HandLook::without(std::uint64_t positions) const {
    Kept kept;
    kept.chips = chips_;
    for (std::uint64_t rest = positions; rest != 0; rest &= rest - 1) kept.chips -= chips(std::countr_zero(rest));
    for (const std::uint64_t suit : of_suit_) kept.suit = std::max(kept.suit, std::popcount(suit & ~positions));
    unsigned seen = 0;
    for (int i = 0; i < ranks_; ++i) {
        const OfRank& of = of_rank_[static_cast<std::size_t>(i)];
        const int same = std::popcount(of.positions & ~positions);
        kept.rank = std::max(kept.rank, same);
        kept.pairs += same >= 2 ? 1 : 0;
        seen |= static_cast<unsigned>(same > 0) << of.rank;
    }
    kept.run = longest_runs[seen];
    return kept;
}

int HandLook::company(int position) const {
    const Look& own = cards_[static_cast<std::size_t>(position)];
    const std::uint64_t here = std::uint64_t{1} << position;
    int same_rank = 0;
    for (int i = 0; i < ranks_; ++i) {
        const OfRank& of = of_rank_[static_cast<std::size_t>(i)];
        if ((of.positions & here) != 0) same_rank = std::popcount(of.positions);
    }
    std::uint64_t same_suit = 0;
    for (std::size_t s = 0; s < suit_count; ++s) same_suit |= ((own.suits >> s) & 1) != 0 ? of_suit_[s] : 0;
    return habits::company_of_rank * same_rank + habits::company_of_suit * std::popcount(same_suit);
}

}  // namespace jimbo
