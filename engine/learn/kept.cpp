#include "learn/kept.hpp"

#include <algorithm>
#include <bit>

#include "learn/tuning.hpp"

namespace jimbo {
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

// One bit for each marked rank: pairs of them move together, then pairs of pairs.
std::size_t bits_of(RankNibbles marks) {
    marks >>= 3;
    marks = (marks | marks >> 3) & 0x0303030303030303;
    marks = (marks | marks >> 6) & 0x000F000F000F000F;
    marks = (marks | marks >> 12) & 0x000000FF000000FF;
    return static_cast<std::size_t>((marks | marks >> 24) & 0xFFFF);
}

int largest_byte(std::uint32_t bytes) {
    const auto byte = [&](int i) { return static_cast<int>(bytes >> 8 * i & 0xFF); };
    return std::max(std::max(byte(0), byte(1)), std::max(byte(2), byte(3)));
}

// Of a rank: where five cards are taken from so many, three stay, and these are counted exactly.
constexpr int most_counted = max_selected + 3;

}  // namespace

HandLook::Cards HandLook::read(const RunState& run) {
    const Traits traits = traits_of(run);
    Cards cards;
    for (CardIndex index : run.hand) {
        if (run.cards[index].face_down) {
            cards.push_back({});
            continue;
        }
        const CardReading card = read_card(run, index, traits);
        cards.push_back({card.rank, card.flush_suits, std::min(card_chips(run.cards[index]), 32767)});
    }
    return cards;
}

HandLook::HandLook(const RunState& run) : cards_(read(run)), sums_(cards_) {
    for (int i = 0; i < cards_.size(); ++i) {
        const Sum& card = cards_[i];
        const std::uint64_t here = std::uint64_t{1} << i;
        all_.suits += card.suits;
        all_.chips += card.chips;
        for (std::size_t s = 0; s < suit_count; ++s) of_suit_[s] |= (card.suits >> 8 * s & 1) != 0 ? here : 0;
        if (card.ranks == 0) continue;
        std::uint64_t& same = of_rank_[first_rank(card.ranks)];
        if (std::popcount(same) < most_counted) all_.ranks += card.ranks;
        same |= here;
    }
}

HandLook::Kept HandLook::without(std::uint64_t positions) const {
    const Sum gone = sums_.of(positions);
    const RankNibbles ranks = all_.ranks - gone.ranks;
    const RankNibbles seen = at_least(1, ranks);
    const RankNibbles two = at_least(2, ranks);
    Kept kept;
    kept.pairs = std::popcount(two);
    kept.rank = two == 0 ? int{seen != 0} : std::max(2, most_of(at_least(3, ranks), positions));
    kept.suit = largest_byte(all_.suits - gone.suits);
    kept.run = longest_runs[bits_of(seen)];
    kept.chips = all_.chips - gone.chips;
    return kept;
}

// The most cards of one of these ranks.
int HandLook::most_of(RankNibbles marks, std::uint64_t without) const {
    int most = 0;
    for (; marks != 0; marks &= marks - 1) {
        most = std::max(most, std::popcount(of_rank_[first_rank(marks)] & ~without));
    }
    return most;
}

int HandLook::company(int position) const {
    const Sum& own = cards_[position];
    const int same_rank = own.ranks == 0 ? 0 : std::popcount(of_rank_[first_rank(own.ranks)]);
    std::uint64_t same_suit = 0;
    for (std::size_t s = 0; s < suit_count; ++s) same_suit |= (own.suits >> 8 * s & 1) != 0 ? of_suit_[s] : 0;
    return tuning::company_of_rank * same_rank + tuning::company_of_suit * std::popcount(same_suit);
}

}  // namespace jimbo
