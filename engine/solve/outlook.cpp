#include "solve/outlook.hpp"

#include <algorithm>
#include <bit>

#include "play/scorer.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

using Example = ScratchVector<CardIndex, 8>;

// The deck by what poker hands are made of.
struct Deck {
    std::array<FixedVector<CardIndex, max_cards>, rank_count> of_rank{};
    std::array<FixedVector<CardIndex, max_cards>, suit_count> of_suit{};
};

class Examples {
public:
    Examples(const RunState& run, const Traits& traits, SplitMix& random)
        : table_(run), traits_(traits), random_(random) {
        for (int i = 0; i < run.cards.size(); ++i) {
            const Card& card = run.cards[i];
            if (!has_rank(card)) continue;
            deck_.of_rank[static_cast<std::size_t>(card.rank)].push_back(static_cast<CardIndex>(i));
            for (const SuitFact& suit : suit_facts) {
                if (!is_suit_for_flush(card, suit.id, traits)) continue;
                deck_.of_suit[static_cast<std::size_t>(suit.id)].push_back(static_cast<CardIndex>(i));
            }
        }
    }

    int count(int rank) const { return deck_.of_rank[static_cast<std::size_t>(rank)].size(); }

    double kind(int rank, int cards) {
        Example example;
        if (!take(example, deck_.of_rank[static_cast<std::size_t>(rank)], cards)) return 0;
        return score(example);
    }

    double flush(int suit) {
        Example example;
        if (!take(example, deck_.of_suit[static_cast<std::size_t>(suit)], 5)) return 0;
        return score(example);
    }

    // A rank with at least `first` cards and another with at least two.
    double two_groups(int first) {
        Example example;
        const int a = rank_with(first, -1);
        if (a < 0) return 0;
        const int b = rank_with(2, a);
        if (b < 0) return 0;
        take(example, deck_.of_rank[static_cast<std::size_t>(a)], first);
        take(example, deck_.of_rank[static_cast<std::size_t>(b)], 2);
        return score(example);
    }

    double straight() {
        const int start = static_cast<int>(random_.below(rank_count - 4));
        Example example;
        for (int r = start; r < start + 5; ++r) {
            if (!take(example, deck_.of_rank[static_cast<std::size_t>(r)], 1)) return 0;
        }
        return score(example);
    }

    double straight_flush() {
        const int start = static_cast<int>(random_.below(rank_count - 4));
        const auto& suit = deck_.of_suit[static_cast<std::size_t>(random_.below(suit_count))];
        Example example;
        for (int r = start; r < start + 5; ++r) {
            for (CardIndex index : suit) {
                if (static_cast<int>(table_.cards[index].rank) != r) continue;
                example.push_back(index);
                break;
            }
        }
        return example.size() == 5 ? score(example) : 0;
    }

    double high_card() {
        double best = 0;
        for (int r = rank_count - 1; r >= 0; --r) {
            if (count(r) == 0) continue;
            best = kind(r, 1);
            break;
        }
        return best;
    }

private:
    bool take(Example& example, const FixedVector<CardIndex, max_cards>& from, int count) {
        if (from.size() < count) return false;
        const auto start = static_cast<int>(random_.below(static_cast<std::uint64_t>(from.size())));
        // Neighbours from a random place on: any choice will do, as long as no card comes twice.
        for (int n = 0; n < count; ++n) example.push_back(from[(start + n) % from.size()]);
        return true;
    }

    int rank_with(int least, int other_than) {
        const int start = static_cast<int>(random_.below(rank_count));
        for (int n = 0; n < rank_count; ++n) {
            const int rank = (start + n) % rank_count;
            if (rank != other_than && count(rank) >= least) return rank;
        }
        return -1;
    }

    double score(const Example& example) {
        table_.hand.clear();
        for (CardIndex index : example) table_.hand.push_back(index);
        const auto played = (Positions{1} << example.size()) - 1;
        // Junk fills a play up to five cards, as it would be played; three more are held.
        const int junk = 5 - example.size();
        for (int n = 0; n < junk + 3; ++n) add_other_card();
        HandScorer scorer(table_);
        const double alone = scorer.score(played, Luck::expected).score;
        if (junk == 0) return alone;
        const double filled = scorer.score((Positions{1} << std::min(5, table_.hand.size())) - 1, Luck::expected).score;
        return std::max(alone, filled);
    }

    void add_other_card() {
        const int size = table_.cards.size();
        for (int tries = 0; tries < 8; ++tries) {
            const auto index = static_cast<CardIndex>(random_.below(static_cast<std::uint64_t>(size)));
            if (std::find(table_.hand.begin(), table_.hand.end(), index) != table_.hand.end()) continue;
            table_.hand.push_back(index);
            return;
        }
    }

    RunState table_;
    Traits traits_;
    SplitMix& random_;
    Deck deck_{};
};

template <typename Make>
double mean_of(int times, Make make) {
    double sum = 0;
    int made = 0;
    for (int n = 0; n < times; ++n) {
        const double value = make();
        if (value <= 0) continue;
        sum += value;
        ++made;
    }
    return made > 0 ? sum / made : 0;
}

}  // namespace

HandValues hand_values(const RunState& run, const Traits& traits, SplitMix& random) {
    Examples examples(run, traits, random);
    HandValues values;
    values.high_card = examples.high_card();
    for (int r = 0; r < rank_count; ++r) {
        const auto rank = static_cast<std::size_t>(r);
        if (examples.count(r) >= 2) values.pair[rank] = examples.kind(r, 2);
        if (examples.count(r) >= 3) values.three[rank] = examples.kind(r, 3);
        if (examples.count(r) >= 4) values.four[rank] = examples.kind(r, 4);
        if (examples.count(r) >= 5) values.five[rank] = examples.kind(r, 5);
    }
    for (int s = 0; s < suit_count; ++s) values.flush[static_cast<std::size_t>(s)] = mean_of(2, [&] { return examples.flush(s); });
    values.two_pair = mean_of(3, [&] { return examples.two_groups(2); });
    values.full_house = mean_of(3, [&] { return examples.two_groups(3); });
    values.straight = mean_of(3, [&] { return examples.straight(); });
    values.straight_flush = mean_of(3, [&] { return examples.straight_flush(); });
    return values;
}

// -------------------------------------------------------------------------------------------------------------------

DiscardOutlook::DiscardOutlook(const RunState& run, const HandShape& shape, const HandValues& values, double cap,
                               SplitMix& random)
    : shape_(shape), values_(values), cap_(cap), hand_size_(run.hand.size()), wanted_(hand_limit(run)) {
    for (int i = 0; i < hand_size_; ++i) {
        if (!run.hand_card(i).face_down) hand_[static_cast<std::size_t>(i)] = face_of(run.hand_card(i));
    }
    FixedVector<CardIndex, max_cards> pile = run.deck_pile;
    available_ = std::min(pile.size(), most_drawn);
    for (auto& sample : drawn_) {
        for (int n = 0; n < available_; ++n) {
            const int other = n + static_cast<int>(random.below(static_cast<std::uint64_t>(pile.size() - n)));
            std::swap(pile[n], pile[other]);
            sample[static_cast<std::size_t>(n)] = face_of(run.cards[pile[n]]);
        }
    }
}

DiscardOutlook::Face DiscardOutlook::face_of(const Card& card) const {
    Face face;
    if (!has_rank(card)) return face;
    face.rank = static_cast<std::int8_t>(card.rank);
    for (const SuitFact& suit : suit_facts) {
        if (is_suit_for_flush(card, suit.id, shape_.traits)) {
            face.suits = static_cast<std::uint8_t>(face.suits | (1u << static_cast<int>(suit.id)));
        }
    }
    return face;
}

void DiscardOutlook::Count::add(Face face) {
    if (face.rank < 0) return;
    const auto bit = static_cast<std::uint16_t>(1u << face.rank);
    ++ranks[static_cast<std::size_t>(face.rank)];
    rank_bits = static_cast<std::uint16_t>(rank_bits | bit);
    for (std::size_t s = 0; s < suits.size(); ++s) {
        if (((face.suits >> s) & 1) == 0) continue;
        ++suits[s];
        ranks_of_suit[s] = static_cast<std::uint16_t>(ranks_of_suit[s] | bit);
    }
}

bool DiscardOutlook::has_straight(std::uint16_t rank_bits) const {
    // Bit 0 is the ace below the two.
    std::uint32_t bits = (static_cast<std::uint32_t>(rank_bits) << 1) | ((rank_bits >> (rank_count - 1)) & 1u);
    if (shape_.traits.shortcut) {
        // A missing rank between two others does not break the row; good enough for an outlook.
        bits |= (bits << 1) & (bits >> 1);
    }
    std::uint32_t run = bits;
    for (int n = 1; n < shape_.needed; ++n) run &= bits >> n;
    return run != 0;
}

double DiscardOutlook::best_value(const Count& count) const {
    double best = values_.high_card;
    int pairs = 0;
    int threes = 0;
    for (std::size_t r = 0; r < count.ranks.size(); ++r) {
        const int cards = count.ranks[r];
        if (cards < 2) continue;
        ++pairs;
        best = std::max(best, values_.pair[r]);
        if (cards < 3) continue;
        ++threes;
        best = std::max(best, values_.three[r]);
        if (cards >= 4) best = std::max(best, values_.four[r]);
        if (cards >= 5) best = std::max(best, values_.five[r]);
    }
    if (pairs >= 2) best = std::max(best, values_.two_pair);
    if (pairs >= 2 && threes >= 1) best = std::max(best, values_.full_house);
    if (has_straight(count.rank_bits)) best = std::max(best, values_.straight);
    for (std::size_t s = 0; s < count.suits.size(); ++s) {
        if (count.suits[s] < shape_.needed) continue;
        best = std::max(best, values_.flush[s]);
        if (has_straight(count.ranks_of_suit[s])) best = std::max(best, values_.straight_flush);
    }
    return best;
}

double DiscardOutlook::worth(Positions thrown) const {
    Count kept;
    for (int i = 0; i < hand_size_; ++i) {
        if (((thrown >> i) & 1) == 0) kept.add(hand_[static_cast<std::size_t>(i)]);
    }
    const int draws = std::clamp(wanted_ - hand_size_ + std::popcount(thrown), 0, available_);
    double sum = 0;
    for (const auto& sample : drawn_) {
        Count count = kept;
        for (int n = 0; n < draws; ++n) count.add(sample[static_cast<std::size_t>(n)]);
        sum += std::min(cap_, best_value(count));
    }
    return sum / samples;
}

}  // namespace jimbo
