// Which action a way down the tree takes: the mean value so far, and a bonus for what the network likes and was tried
// little.
#pragma once

#include <cmath>

#include "tree/tree.hpp"

namespace jimbo {

template <Game G>
int puct_choice(const Node<G>& node, float c_puct) {
    using Vertex = Node<G>;
    const float bonus = c_puct * std::sqrt(static_cast<float>(node.total));
    const float untried = node.mean();
    typename Vertex::template PerAction<float> score;
    for (std::size_t a = 0; a < score.size(); ++a) {
        const auto visits = static_cast<float>(node.visits[a]);
        const float mean = node.value[a] / (visits > 1 ? visits : 1);
        score[a] = (visits > 0 ? mean : untried) + bonus * node.prior[a] / (1 + visits);
    }
    int best = 0;
    for (int a = 1; a < Vertex::actions; ++a) {
        if (score[static_cast<std::size_t>(a)] > score[static_cast<std::size_t>(best)]) best = a;
    }
    return best;
}

}  // namespace jimbo
