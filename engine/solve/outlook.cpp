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
    using Cards = ScratchVector<CardIndex, max_cards>;

    std::array<Cards, rank_count> of_rank;
    std::array<Cards, suit_count> of_suit;
};

class Examples {
public:
    Examples(const RunState& run, const Traits& traits, SplitMix& random) : run_(run), scorer_(run), random_(random) {
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
        if (!take(example, deck_.of_suit[static_cast<std::size_t>(suit)], full_row)) return 0;
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
        const int start = static_cast<int>(random_.below(rank_count + 1 - full_row));
        Example example;
        for (int r = start; r < start + full_row; ++r) {
            if (!take(example, deck_.of_rank[static_cast<std::size_t>(r)], 1)) return 0;
        }
        return score(example);
    }

    double straight_flush() {
        const int start = static_cast<int>(random_.below(rank_count + 1 - full_row));
        const auto& suit = deck_.of_suit[static_cast<std::size_t>(random_.below(suit_count))];
        Example example;
        for (int r = start; r < start + full_row; ++r) {
            for (CardIndex index : suit) {
                if (static_cast<int>(run_.cards[index].rank) != r) continue;
                example.push_back(index);
                break;
            }
        }
        return example.size() == full_row ? score(example) : 0;
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
    bool take(Example& example, const Deck::Cards& from, int count) {
        if (from.size() < count) return false;
        const auto start = static_cast<int>(random_.below(static_cast<std::uint64_t>(from.size())));
        // Neighbours from a random place on: any choice will do, as long as no card comes twice.
        for (int n = 0; n < count; ++n) example.push_back(from[(start + n) % from.size()]);
        return true;
    }

    int rank_with(int min_count, int other_than) {
        const int start = static_cast<int>(random_.below(rank_count));
        for (int n = 0; n < rank_count; ++n) {
            const int rank = (start + n) % rank_count;
            if (rank != other_than && count(rank) >= min_count) return rank;
        }
        return -1;
    }

    double score(const Example& example) {
        hand_.clear();
        for (CardIndex index : example) hand_.push_back(index);
        // Junk fills a play up to five cards, as it would be played; some more are held.
        const int junk = max_selected - example.size();
        for (int n = 0; n < junk + tuning::example_held; ++n) add_other_card();
        const double alone = score_first(example.size());
        if (junk == 0) return alone;
        return std::max(alone, score_first(std::min(max_selected, hand_.size())));
    }

    double score_first(int cards) {
        return scorer_.score_with(hand_, (Positions{1} << cards) - 1, Luck::expected).score;
    }

    void add_other_card() {
        const int size = run_.cards.size();
        for (int tries = 0; tries < tuning::example_tries; ++tries) {
            const auto index = static_cast<CardIndex>(random_.below(static_cast<std::uint64_t>(size)));
            if (std::find(hand_.begin(), hand_.end(), index) != hand_.end()) continue;
            hand_.push_back(index);
            return;
        }
    }

    const RunState& run_;
    HandScorer scorer_;
    HandScorer::Hand hand_{};
    SplitMix& random_;
    Deck deck_;
};

CardTally tally_of(const Card& card, const Traits& traits) {
    CardTally tally;
    if (!has_rank(card)) return tally;
    const int rank = static_cast<int>(card.rank);
    tally.ranks = std::uint64_t{1} << (4 * rank);
    tally.rank_bits = 1u << rank;
    for (const SuitFact& suit : suit_facts) {
        if (!is_suit_for_flush(card, suit.id, traits)) continue;
        tally.suits |= 1u << (8 * static_cast<int>(suit.id));
        tally.suit_ranks |= std::uint64_t{tally.rank_bits} << (16 * static_cast<int>(suit.id));
    }
    return tally;
}

// The ranks that at least `cards` cards have (2 to 5), as the highest of their four bits. Ten or more cards of one
// rank overflow into the next one; such a hand is worth playing whatever the outlook says.
std::uint64_t at_least(std::uint64_t ranks, int cards) {
    constexpr std::uint64_t ones = 0x0001'1111'1111'1111;
    return (ranks + ones * static_cast<std::uint64_t>(8 - cards)) & (ones << 3);
}

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
    for (int s = 0; s < suit_count; ++s) {
        values.flush[static_cast<std::size_t>(s)] = mean_of(tuning::flush_examples, [&] { return examples.flush(s); });
    }
    values.two_pair = mean_of(tuning::hand_examples, [&] { return examples.two_groups(2); });
    values.full_house = mean_of(tuning::hand_examples, [&] { return examples.two_groups(3); });
    values.straight = mean_of(tuning::hand_examples, [&] { return examples.straight(); });
    values.straight_flush = mean_of(tuning::hand_examples, [&] { return examples.straight_flush(); });
    return values;
}

BlindBasis blind_basis(const RunState& run, SplitMix& random) {
    BlindBasis basis;
    basis.traits = traits_of(run);
    for (const Card& card : run.cards) basis.tallies.push_back(tally_of(card, basis.traits));
    basis.values = hand_values(run, basis.traits, random);
    return basis;
}

// -------------------------------------------------------------------------------------------------------------------

DiscardOutlook::DiscardOutlook(const RunState& run, const BlindBasis& basis, int needed, double cap, int samples,
                               SplitMix& random)
    : basis_(basis), needed_(needed), cap_(cap), wanted_(hand_limit(run)) {
    for (int i = 0; i < run.hand.size(); ++i) {
        hand_.push_back(run.hand_card(i).face_down ? CardTally{} : basis.tallies[run.hand[i]]);
    }
    ScratchVector<CardIndex, max_cards> pile;
    for (CardIndex card : run.deck_pile) pile.push_back(card);
    available_ = std::min(pile.size(), tuning::max_drawn);
    drawn_.resize(samples);
    for (auto& sample : drawn_) {
        sample[0] = {};
        for (int n = 0; n < available_; ++n) {
            const int other = n + static_cast<int>(random.below(static_cast<std::uint64_t>(pile.size() - n)));
            std::swap(pile[n], pile[other]);
            const auto place = static_cast<std::size_t>(n);
            sample[place + 1] = sample[place] + basis.tallies[pile[n]];
        }
    }
}

bool DiscardOutlook::has_straight(std::uint64_t ranks) const {
    // Bit 0 is the ace below the two.
    std::uint64_t bits = (ranks << 1) | ((ranks >> (rank_count - 1)) & 1u);
    // With Shortcut a missing rank between two others does not break the row; good enough for an outlook.
    if (basis_.traits.shortcut) bits |= (bits << 1) & (bits >> 1);
    std::uint64_t row = bits;
    for (int n = 1; n < needed_; ++n) row &= bits >> n;
    return row != 0;
}

double DiscardOutlook::best_value(const CardTally& tally) const {
    const HandValues& values = basis_.values;
    double best = values.high_card;
    const auto raise = [&](std::uint64_t ranks, const std::array<double, rank_count>& by_rank) {
        for (; ranks != 0; ranks &= ranks - 1) {
            best = std::max(best, by_rank[static_cast<std::size_t>(std::countr_zero(ranks) / 4)]);
        }
    };
    const std::uint64_t pairs = at_least(tally.ranks, 2);
    if (pairs != 0) {
        const std::uint64_t threes = at_least(tally.ranks, 3);
        raise(pairs, values.pair);
        raise(threes, values.three);
        raise(at_least(tally.ranks, 4), values.four);
        raise(at_least(tally.ranks, 5), values.five);
        if ((pairs & (pairs - 1)) != 0) {
            best = std::max(best, values.two_pair);
            if (threes != 0) best = std::max(best, values.full_house);
        }
    }
    if (has_straight(tally.rank_bits)) best = std::max(best, values.straight);
    for (int s = 0; s < suit_count; ++s) {
        if (static_cast<int>((tally.suits >> (8 * s)) & 0xFF) < needed_) continue;
        best = std::max(best, values.flush[static_cast<std::size_t>(s)]);
        if (has_straight((tally.suit_ranks >> (16 * s)) & 0xFFFF)) best = std::max(best, values.straight_flush);
    }
    return best;
}

double DiscardOutlook::worth(Positions thrown) const {
    CardTally kept;
    for (int i = 0; i < hand_.size(); ++i) {
        if (((thrown >> i) & 1) == 0) kept = kept + hand_[i];
    }
    const auto draws =
        static_cast<std::size_t>(std::clamp(wanted_ - hand_.size() + std::popcount(thrown), 0, available_));
    double sum = 0;
    for (const auto& sample : drawn_) sum += std::min(cap_, best_value(kept + sample[draws]));
    return sum / drawn_.size();
}

}  // namespace jimbo
