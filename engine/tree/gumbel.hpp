// Planning with Gumbel noise (Danihelka and others, 2022): the root tries some actions drawn without replacement,
// halves them in turn, and the improved policy completes the values of what was not tried.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tree/tree.hpp"

namespace jimbo {

// The constant of the paper.
inline constexpr float visit_base = 50;

// The number of visits that an action must have so far to be tried next, for each simulation of sequential halving.
inline std::vector<int> halving_visits(int considered, int simulations) {
    std::vector<int> order;
    std::vector<int> visits(static_cast<std::size_t>(considered), 0);
    const int rounds = std::max(1, static_cast<int>(std::ceil(std::log2(considered))));
    for (int left = considered; static_cast<int>(order.size()) < simulations; left = std::max(2, left / 2)) {
        left = std::min(left, considered);
        for (int extra = std::max(1, simulations / (rounds * left)); extra > 0; --extra) {
            for (int i = 0; i < left; ++i) order.push_back(visits[static_cast<std::size_t>(i)]++);
        }
    }
    order.resize(static_cast<std::size_t>(simulations));
    return order;
}

// Logarithms of the priors plus scaled values: what the improved policy is made of. An action that was not tried has
// the value that the others and the position's own suggest.
template <Game G>
typename Node<G>::template PerAction<float> completed_logits(const Node<G>& node, float value_scale) {
    using Vertex = Node<G>;
    typename Vertex::template PerAction<float> logits;
    float tried = 0, weighted = 0;
    int most = 0, visits = 0;
    for (std::size_t a = 0; a < Vertex::actions; ++a) {
        if (node.visits[a] == 0) continue;
        tried += node.prior[a];
        weighted += node.prior[a] * node.value[a] / static_cast<float>(node.visits[a]);
        most = std::max(most, node.visits[a]);
        visits += node.visits[a];
    }
    const auto n = static_cast<float>(visits);
    const float mixed = tried > 0 ? (node.own + n * weighted / tried) / (1 + n) : node.own;
    const float scale =
        (visit_base + static_cast<float>(most)) * value_scale / 2;  // the paper's values run from 0 to 1
    for (std::size_t a = 0; a < logits.size(); ++a) {
        const bool allowed = node.prior[a] >= 0;
        const float mean = node.visits[a] > 0 ? node.value[a] / static_cast<float>(node.visits[a]) : mixed;
        logits[a] = allowed ? std::log(std::max(node.prior[a], 1e-9F)) + scale * mean : Vertex::never;
    }
    return logits;
}

// Turns logits into shares that add up to 1.
template <typename Numbers>
void softmax(Numbers& numbers) {
    const float top = *std::max_element(numbers.begin(), numbers.end());
    float sum = 0;
    for (float& number : numbers) sum += number = std::exp(number - top);
    for (float& number : numbers) number /= sum;
}

// Below the root: whatever brings the visits nearer to the improved policy.
template <Game G>
int gumbel_choice(const Node<G>& node, float value_scale) {
    auto policy = completed_logits(node, value_scale);
    softmax(policy);
    int best = -1;
    float lead = 0;
    for (int a = 0; a < Node<G>::actions; ++a) {
        const auto i = static_cast<std::size_t>(a);
        if (node.prior[i] < 0) continue;
        const float lacks = policy[i] - static_cast<float>(node.visits[i]) / static_cast<float>(node.total);
        if (best < 0 || lacks > lead) {
            best = a;
            lead = lacks;
        }
    }
    return best;
}

}  // namespace jimbo
