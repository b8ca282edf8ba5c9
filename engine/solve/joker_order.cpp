#include "solve/joker_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/splitmix.hpp"
#include "play/scorer.hpp"
#include "rules/zones.hpp"
#include "solve/quick.hpp"
#include "solve/tuning.hpp"

namespace jimbo {
namespace {

struct Sample {
    FixedVector<CardIndex, max_hand> hand{};
    Positions cards = 0;
};

// Hands as they will come, each with its best play.
std::vector<Sample> sample_plays(const RunState& run, SplitMix& random) {
    std::vector<Sample> samples;
    RunState table = run;
    FixedVector<CardIndex, max_cards> pile;
    for (int i = 0; i < run.cards.size(); ++i) pile.push_back(static_cast<CardIndex>(i));
    const int size = std::min(hand_limit(run), pile.size());
    for (int n = 0; n < tuning::order_hands && size > 0; ++n) {
        table.hand.clear();
        for (int i = 0; i < size; ++i) {
            std::swap(pile[i], pile[i + static_cast<int>(random.below(static_cast<std::uint64_t>(pile.size() - i)))]);
            table.cards[pile[i]].face_down = false;
            table.hand.push_back(pile[i]);
        }
        sort_hand(table);
        const ScoredPlays plays = score_plays(table, shape_of(table, traits_of(table)));
        if (plays.empty()) continue;
        samples.push_back({table.hand, plays[0].cards});
    }
    return samples;
}

class Orders {
public:
    Orders(const RunState& run, std::uint64_t nonce) : run_(run), table_(run) {
        SplitMix random(nonce);
        samples_ = sample_plays(run, random);
    }

    double worth(const std::vector<int>& order) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            table_.jokers[static_cast<int>(i)] = run_.jokers[order[i]];
        }
        double sum = 0;
        for (const Sample& sample : samples_) {
            table_.hand = sample.hand;
            sum += std::log1p(HandScorer(table_).score(sample.cards, Luck::expected).score);
        }
        return sum;
    }

    // Every order of a few jokers.
    std::vector<int> best_of_all(std::vector<int> order) {
        std::vector<int> best = order;
        double most = worth(order);
        while (std::next_permutation(order.begin(), order.end())) keep_better(order, best, most);
        return best;
    }

    // One joker moved at a time, as long as that helps.
    std::vector<int> best_by_moves(const std::vector<int>& start) {
        std::vector<int> best = start;
        double most = worth(best);
        for (bool better = true; better;) {
            better = false;
            const std::vector<int> from = best;
            for (std::size_t a = 0; a < from.size(); ++a) {
                for (std::size_t b = 0; b < from.size(); ++b) {
                    std::vector<int> order = from;
                    order.erase(order.begin() + static_cast<std::ptrdiff_t>(a));
                    order.insert(order.begin() + static_cast<std::ptrdiff_t>(b), from[a]);
                    better |= keep_better(order, best, most);
                }
            }
        }
        return best;
    }

private:
    bool keep_better(const std::vector<int>& order, std::vector<int>& best, double& most) {
        const double value = worth(order);
        if (value <= most + std::log(tuning::joker_order_margin) * static_cast<double>(samples_.size())) return false;
        most = value;
        best = order;
        return true;
    }

    const RunState& run_;
    RunState table_;
    std::vector<Sample> samples_;
};

}  // namespace

std::vector<int> best_joker_order(const RunState& run, std::uint64_t nonce) {
    std::vector<int> order(static_cast<std::size_t>(run.jokers.size()));
    std::iota(order.begin(), order.end(), 0);
    if (order.size() < 2) return order;
    Orders orders(run, nonce);
    return static_cast<int>(order.size()) <= tuning::max_permuted ? orders.best_of_all(order)
                                                                  : orders.best_by_moves(order);
}

}  // namespace jimbo
