#include "solve/hand_order.hpp"

#include <algorithm>
#include <bit>

#include "play/scorer.hpp"
#include "solve/tuning.hpp"

namespace jimbo {

std::vector<int> best_hand_order(const RunState& run, Positions cards) {
    std::vector<int> places;
    for (Positions rest = cards; rest != 0; rest &= rest - 1) places.push_back(std::countr_zero(rest));
    RunState table = run;
    const auto score = [&](const std::vector<int>& order) {
        for (std::size_t i = 0; i < order.size(); ++i) table.hand[places[i]] = run.hand[order[i]];
        return HandScorer(table).score(cards, Luck::expected).score;
    };
    std::vector<int> best = places;
    double most = score(best) * tuning::hand_order_margin;
    std::vector<int> order = places;
    while (std::next_permutation(order.begin(), order.end())) {
        const double value = score(order);
        if (value <= most) continue;
        most = value;
        best = order;
    }
    return best;
}

}  // namespace jimbo
