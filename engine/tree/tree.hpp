// The positions a search has looked at, in a pool that is used again for every move.
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "tree/game.hpp"

namespace jimbo {

enum class Stage : std::uint8_t { waiting, open, over };  // for its evaluation; evaluated; the game has ended there

template <Game G>
struct Node {
    static constexpr int actions = G::facts.num_actions;
    static constexpr int width = (actions + 3) / 4 * 4;  // whole vectors
    static constexpr float never = -std::numeric_limits<float>::infinity();

    template <typename T, int Each = 1>
    using PerAction = std::array<T, static_cast<std::size_t>(width* Each)>;

    PerAction<float> prior;                         // `never` where an action is not allowed
    PerAction<float> value{};                       // sums, seen by the mover
    PerAction<std::int32_t> visits{};               // with those under way
    PerAction<std::uint32_t, G::outcomes> child{};  // 0: none yet
    std::int32_t total = 1;                         // visits of all actions, and its own
    float own = 0;                                  // what the position itself was valued
    float sum = 0;                                  // values of all visits
    ActionBits legal = 0;
    Stage stage = Stage::waiting;

    float mean() const { return sum / static_cast<float>(total); }
};

struct PathStep {
    std::uint32_t node;
    std::int32_t action;
};
using Path = std::vector<PathStep>;

// Where a way down the tree led.
struct Leaf {
    std::uint32_t node = 0;
    Path path;
};

template <Game G>
class Tree {
public:
    using State = typename G::State;
    using Vertex = Node<G>;

    // Forgets everything; the root waits for its evaluation.
    void plant(const State& root) {
        nodes_.clear();
        states_.clear();
        root_ = root;
        add(root);
    }

    Vertex& root() { return nodes_[0]; }
    const Vertex& root() const { return nodes_[0]; }
    const State& root_state() const { return root_; }
    Vertex& node(std::uint32_t at) { return nodes_[at]; }
    int size() const { return static_cast<int>(nodes_.size()); }

    // Follows `choose(node, is_root)` to a position that was not there before, or to the end of a game; false when it
    // met one that still waits, and then nothing has changed. Visits are counted on the way, and `loss` is taken off
    // until the value is known.
    template <typename Choose>
    bool descend(Leaf& leaf, State& state, float loss, int worlds, SplitMix& random, const Choose& choose) {
        leaf.path.clear();
        if constexpr (!by_chance) state = root_;
        std::uint32_t at = 0;
        for (bool fresh = false; !fresh && nodes_[at].stage != Stage::over;) {
            Vertex& vertex = nodes_[at];
            if (vertex.stage == Stage::waiting) {
                forget(leaf.path, loss);
                return false;
            }
            const int action = choose(vertex, at == 0);
            leaf.path.push_back({at, action});
            const int slot = slot_of(vertex, action, worlds);
            count(vertex, action, 1, -loss);
            at = go(at, action, slot, state, random, fresh);
        }
        leaf.node = at;
        return true;
    }

    // Adds a value, seen by the mover of the leaf, all the way up.
    void back_up(const Path& path, float value, float loss) {
        for (auto step = path.rbegin(); step != path.rend(); ++step) {
            value = seen_from_before<G>(value);
            Vertex& vertex = nodes_[step->node];
            vertex.value[static_cast<std::size_t>(step->action)] += value + loss;
            vertex.sum += value;
        }
    }

    void forget(const Path& path, float loss) {
        for (const PathStep& step : path) count(nodes_[step.node], step.action, -1, loss);
    }

    // Makes the position that an action led to the root and keeps what lies below it. False when it is not known, or
    // too large, and then nothing has changed.
    bool advance(int action, const State& reached, int limit) {
        const std::uint32_t kept = find(action, reached);
        if (kept == 0 || nodes_[kept].stage != Stage::open || nodes_[kept].total > limit) return false;
        copy_below(kept);
        nodes_.swap(spare_nodes_);
        states_.swap(spare_states_);
        root_ = reached;
        return true;
    }

private:
    static constexpr bool by_chance = G::outcomes > 1;

    static int slot_of(const Vertex& vertex, int action, int worlds) {
        if constexpr (by_chance) {
            return action * G::outcomes + vertex.visits[static_cast<std::size_t>(action)] % worlds;
        } else {
            return action;
        }
    }

    static void count(Vertex& vertex, int action, int visits, float value) {
        vertex.visits[static_cast<std::size_t>(action)] += visits;
        vertex.value[static_cast<std::size_t>(action)] += value;
        vertex.total += visits;
    }

    // One step down; `fresh` when that made a position.
    std::uint32_t go(std::uint32_t from, int action, int slot, State& state, SplitMix& random, bool& fresh) {
        const std::uint32_t known = nodes_[from].child[static_cast<std::size_t>(slot)];
        if constexpr (by_chance) {
            if (known != 0) return known;
            state = states_[from];
            G::imagine(state, random);
        }
        G::step(state, action, random);
        if (known != 0) return known;
        std::uint32_t made = twin(from, action, state);
        if (made == 0) {
            made = add(state);
            fresh = true;
        }
        nodes_[from].child[static_cast<std::size_t>(slot)] = made;
        return made;
    }

    // Another world in which the action led to the same.
    std::uint32_t twin(std::uint32_t from, int action, const State& state) const {
        if constexpr (by_chance) {
            for (int i = 0; i < G::outcomes; ++i) {
                const std::uint32_t other = nodes_[from].child[static_cast<std::size_t>(action * G::outcomes + i)];
                if (other != 0 && G::same(states_[other], state)) return other;
            }
        }
        return 0;
    }

    std::uint32_t find(int action, const State& reached) const {
        if constexpr (by_chance) {
            return twin(0, action, reached);
        } else {
            return nodes_[0].child[static_cast<std::size_t>(action)];
        }
    }

    std::uint32_t add(const State& state) {
        Vertex& vertex = nodes_.emplace_back();
        if (const auto ending = G::ending(state)) {
            vertex.stage = Stage::over;
            vertex.own = *ending;
        } else {
            vertex.legal = G::legal(state);
        }
        if constexpr (by_chance) states_.push_back(state);
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    void copy_below(std::uint32_t top) {
        spare_nodes_.clear();
        spare_states_.clear();
        copy_one(top);
        for (std::size_t i = 0; i < spare_nodes_.size(); ++i) {
            const auto old = spare_nodes_[i].child;
            for (std::size_t slot = 0; slot < old.size(); ++slot) {
                if (old[slot] == 0) continue;
                // The same position may have been met in several worlds.
                std::size_t first = slot / G::outcomes * G::outcomes;
                while (old[first] != old[slot]) ++first;
                const std::uint32_t made = first == slot ? copy_one(old[slot]) : spare_nodes_[i].child[first];
                spare_nodes_[i].child[slot] = made;
            }
        }
    }

    std::uint32_t copy_one(std::uint32_t old) {
        spare_nodes_.push_back(nodes_[old]);
        if constexpr (by_chance) spare_states_.push_back(states_[old]);
        return static_cast<std::uint32_t>(spare_nodes_.size() - 1);
    }

    State root_{};
    std::vector<Vertex> nodes_, spare_nodes_;
    std::vector<State> states_, spare_states_;  // of games of chance: what can be seen of each position
};

}  // namespace jimbo
