// The search for one move of one game. Positions that need an evaluation are handed out, and go on when it comes back.
#pragma once

#include <algorithm>
#include <bit>

#include "tree/gumbel.hpp"
#include "tree/noise.hpp"
#include "tree/puct.hpp"
#include "tree/settings.hpp"

namespace jimbo {

template <Game G>
class Search {
public:
    using State = typename G::State;
    using Vertex = Node<G>;
    using Shares = typename Vertex::template PerAction<float>;

    // A position that waits for its evaluation.
    struct Waiting : Leaf {
        State state{};
    };

    void begin(const State& state, const SearchSettings& settings) {
        settings_ = &settings;
        tree_.plant(state);
        restart();
    }

    // The same for the position after a move, with what is known of it already.
    void go_on(int action, const State& state, SplitMix& random) {
        // Room for twice as many positions as one search adds; what is larger is forgotten.
        if (settings_->tree_reuse && tree_.advance(action, state, 2 * settings_->simulations)) {
            restart();
            prepare_root(random);
        } else {
            begin(state, *settings_);
        }
    }

    bool done() const { return prepared_ && started_ == settings_->simulations && waiting_count_ == 0; }
    std::int64_t simulations() const { return simulations_; }

    // Goes on until `most` positions wait or the search is done.
    void collect(int most, SplitMix& random) {
        if (!prepared_) {
            if (waiting_count_ == 0) ask_for_root();
            return;
        }
        const float loss = most > 1 ? settings_->virtual_loss : 0;
        while (waiting_count_ < most && started_ < settings_->simulations) {
            Waiting& leaf = place(waiting_count_);
            if (!descend(leaf, loss, random)) return;
            if (tree_.node(leaf.node).stage == Stage::over) {
                tree_.back_up(leaf.path, tree_.node(leaf.node).own, loss);
                ++simulations_;
            } else {
                ++waiting_count_;
            }
        }
    }

    int waiting_count() const { return waiting_count_; }
    const State& waiting_state(int i) const { return waiting_[static_cast<std::size_t>(i)].state; }

    // What waits, evaluated: `logits` for each action, in as many rows as there were positions, and values seen by the
    // mover.
    void answer(const float* logits, const float* values, int most, SplitMix& random) {
        const float loss = most > 1 ? settings_->virtual_loss : 0;
        for (int i = 0; i < waiting_count_; ++i) {
            const Waiting& leaf = waiting_[static_cast<std::size_t>(i)];
            open(tree_.node(leaf.node), logits + static_cast<std::ptrdiff_t>(i) * Vertex::actions, values[i]);
            if (leaf.path.empty()) {
                prepare_root(random);
            } else {
                tree_.back_up(leaf.path, values[i], loss);
                ++simulations_;
            }
        }
        waiting_count_ = 0;
    }

    // Up to `most` simulations without a network: equal priors, and what the game guesses or how a random game ends.
    int run_uniform(int most, SplitMix& random) {
        if (!prepared_) {
            open_uniform(tree_.root(), G::guess(tree_.root_state()));
            prepare_root(random);
        }
        Waiting& leaf = place(0);
        int made = 0;
        for (; made < most && started_ < settings_->simulations; ++made) {
            descend(leaf, 0, random);
            Vertex& vertex = tree_.node(leaf.node);
            if (vertex.stage != Stage::over) {
                open_uniform(vertex, settings_->playouts ? playout(leaf.state, random) : G::guess(leaf.state));
            }
            tree_.back_up(leaf.path, vertex.own, 0);
        }
        simulations_ += made;
        return made;
    }

    // --- What the search has found --------------------------------------------------------------------------------

    float value() const { return tree_.root().mean(); }

    // What a learner should copy: shares of the visits, or the improved policy.
    Shares policy() const {
        const Vertex& root = tree_.root();
        if (settings_->kind == SearchKind::gumbel) {
            Shares shares = completed_logits(root, settings_->gumbel_value_scale);
            softmax(shares);
            return shares;
        }
        Shares shares{};
        const auto visits = static_cast<float>(std::max(1, root.total - 1));
        for (std::size_t a = 0; a < shares.size(); ++a) shares[a] = static_cast<float>(root.visits[a]) / visits;
        return shares;
    }

    int choose(float temperature, SplitMix& random) const {
        if (settings_->kind == SearchKind::gumbel) return gumbel_best(most_tried());
        return temperature > 0 ? draw(temperature, random) : most_visited();
    }

private:
    void restart() {
        started_ = 0;
        waiting_count_ = 0;
        prepared_ = false;
    }

    Waiting& place(int i) {
        if (static_cast<std::size_t>(i) >= waiting_.size()) waiting_.resize(static_cast<std::size_t>(i) + 1);
        return waiting_[static_cast<std::size_t>(i)];
    }

    void ask_for_root() {
        Waiting& leaf = place(0);
        leaf.node = 0;
        leaf.path.clear();
        leaf.state = tree_.root_state();
        waiting_count_ = 1;
    }

    bool descend(Waiting& leaf, float loss, SplitMix& random) {
        const bool is_gumbel = settings_->kind == SearchKind::gumbel;
        const auto choose_next = [&](const Vertex& vertex, bool is_root) {
            if (!is_gumbel) return puct_choice<G>(vertex, settings_->c_puct);
            return is_root ? gumbel_best(order_[static_cast<std::size_t>(started_)])
                           : gumbel_choice<G>(vertex, settings_->gumbel_value_scale);
        };
        const bool arrived = tree_.descend(leaf, leaf.state, loss, settings_->worlds, random, choose_next);
        started_ += arrived;
        return arrived;
    }

    static constexpr float largest_logit = 1e4F;  // of any use

    // --- Evaluations ----------------------------------------------------------------------------------------------

    static void open(Vertex& vertex, const float* logits, float value) {
        vertex.prior.fill(Vertex::never);
        for (ActionBits rest = vertex.legal; rest != 0; rest &= rest - 1) {
            const int a = std::countr_zero(rest);
            vertex.prior[static_cast<std::size_t>(a)] = std::clamp(logits[a], -largest_logit, largest_logit);
        }
        softmax_allowed(vertex);
        settle(vertex, value);
    }

    static void open_uniform(Vertex& vertex, float value) {
        const float share = 1 / static_cast<float>(std::popcount(vertex.legal));
        for (std::size_t a = 0; a < vertex.prior.size(); ++a) {
            vertex.prior[a] = (vertex.legal >> a & 1) != 0 ? share : Vertex::never;
        }
        settle(vertex, value);
    }

    static void settle(Vertex& vertex, float value) {
        vertex.own = value;
        vertex.sum += value;
        vertex.stage = Stage::open;
    }

    static void softmax_allowed(Vertex& vertex) {
        softmax(vertex.prior);
        for (std::size_t a = 0; a < vertex.prior.size(); ++a) {
            if ((vertex.legal >> a & 1) == 0) vertex.prior[a] = Vertex::never;
        }
    }

    static float playout(State state, SplitMix& random) {
        for (float sign = 1;; sign = seen_from_before<G>(sign)) {
            if (const auto ending = G::ending(state)) return sign * *ending;
            G::step(state, any_of(G::legal(state), random), random);
        }
    }

    // --- The root -------------------------------------------------------------------------------------------------

    void prepare_root(SplitMix& random) {
        prepared_ = true;
        Vertex& root = tree_.root();
        before_ = root.visits;
        if (settings_->kind == SearchKind::gumbel) {
            draw_gumbel(random);
        } else if (settings_->dirichlet_weight > 0) {
            add_noise(random);
        }
    }

    void add_noise(SplitMix& random) {
        Vertex& root = tree_.root();
        Shares noise{};
        dirichlet(random, settings_->dirichlet_alpha,
                  std::span(noise).first(static_cast<std::size_t>(std::popcount(root.legal))));
        std::size_t next = 0;
        for (ActionBits rest = root.legal; rest != 0; rest &= rest - 1) {
            float& prior = root.prior[static_cast<std::size_t>(std::countr_zero(rest))];
            prior += settings_->dirichlet_weight * (noise[next++] - prior);
        }
    }

    // Noise for each action, and the order in which sequential halving tries them.
    void draw_gumbel(SplitMix& random) {
        for (float& noise : gumbels_) noise = settings_->gumbel_scale * static_cast<float>(gumbel(random));
        const int allowed = std::popcount(tree_.root().legal);
        const int considered = std::max(1, std::min(settings_->gumbel_considered, allowed));
        if (considered == considered_) return;
        considered_ = considered;
        order_ = halving_visits(considered, settings_->simulations);
    }

    // The best action among those with so many visits in this search.
    int gumbel_best(int visits) const {
        const Vertex& root = tree_.root();
        const Shares logits = completed_logits(root, settings_->gumbel_value_scale);
        int best = -1;
        float lead = 0;
        for (int a = 0; a < Vertex::actions; ++a) {
            const auto i = static_cast<std::size_t>(a);
            if (root.prior[i] < 0 || root.visits[i] - before_[i] != visits) continue;
            if (best < 0 || gumbels_[i] + logits[i] > lead) {
                best = a;
                lead = gumbels_[i] + logits[i];
            }
        }
        return best >= 0 ? best : puct_choice<G>(root, settings_->c_puct);
    }

    int most_tried() const {
        const Vertex& root = tree_.root();
        int most = 0;
        for (std::size_t a = 0; a < before_.size(); ++a) most = std::max(most, root.visits[a] - before_[a]);
        return most;
    }

    int most_visited() const {
        const auto& visits = tree_.root().visits;
        return static_cast<int>(std::max_element(visits.begin(), visits.end()) - visits.begin());
    }

    // An action, drawn by visits to the power of 1 / temperature.
    int draw(float temperature, SplitMix& random) const {
        const auto& visits = tree_.root().visits;
        const double top = visits[static_cast<std::size_t>(most_visited())];
        std::array<double, Vertex::width> weights;
        double sum = 0;
        for (std::size_t a = 0; a < weights.size(); ++a) {
            sum += weights[a] = std::pow(visits[a] / top, 1 / static_cast<double>(temperature));
        }
        double left = unit(random) * sum;
        for (std::size_t a = 0; a < weights.size(); ++a) {
            if (weights[a] > 0 && (left -= weights[a]) < 0) return static_cast<int>(a);
        }
        return most_visited();
    }

    const SearchSettings* settings_ = nullptr;
    Tree<G> tree_;
    std::vector<Waiting> waiting_;
    int waiting_count_ = 0;
    int started_ = 0;        // simulations of this move, with those that wait
    bool prepared_ = false;  // the root has been evaluated
    std::int64_t simulations_ = 0;
    typename Vertex::template PerAction<std::int32_t> before_{};  // visits of the root's actions in earlier searches
    Shares gumbels_{};
    int considered_ = 0;
    std::vector<int> order_;
};

}  // namespace jimbo
