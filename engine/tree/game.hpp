// What the search must be told about a game. A game is a class of static functions over states that are plain values.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/splitmix.hpp"

namespace jimbo {

// A game as stores and learners describe it. An observation is a row of floats; which actions are allowed stands in it
// as zeros and ones from `legal_mask_offset` on.
struct GameFacts {
    std::string_view env_id;
    std::string_view display_name;
    int board_width = 0;
    int board_height = 0;
    int num_actions = 0;
    int obs_size = 0;
    int legal_mask_offset = 0;
    int player_count = 0;
    int max_steps = 0;   // no game is longer
    int symmetries = 1;  // ways to turn the board, with leaving it as it is
};

// One bit for each action.
using ActionBits = std::uint32_t;

// One of the actions, each as likely as the others.
inline int any_of(ActionBits actions, SplitMix& random) {
    for (auto skip = random.below(static_cast<std::uint64_t>(std::popcount(actions))); skip > 0; --skip) {
        actions &= actions - 1;
    }
    return std::countr_zero(actions);
}

// `outcomes` is how often the same action of a position can be tried in different worlds; 1 where nothing is left to
// chance. With chance, a game also has `imagine`, which draws all that the player cannot know anew, and `same`, which
// says whether two positions look alike.
template <typename G>
concept Game = requires(typename G::State& state, const typename G::State& seen, SplitMix& random, float* row,
                        std::uint8_t* bytes) {
    requires std::is_trivially_copyable_v<typename G::State>;
    { G::facts } -> std::convertible_to<GameFacts>;
    { G::outcomes } -> std::convertible_to<int>;
    { G::start(random) } -> std::same_as<typename G::State>;
    { G::legal(seen) } -> std::same_as<ActionBits>;
    { G::step(state, 0, random) };
    // How the game ended, seen by the one who would move; nothing while it goes on.
    { G::ending(seen) } -> std::same_as<std::optional<float>>;
    // What it may be worth to the mover when nobody evaluates it.
    { G::guess(seen) } -> std::same_as<float>;
    { G::player(seen) } -> std::convertible_to<int>;
    { G::observe(seen, row) };
    // A position as bytes, and back: nothing for bytes that are none.
    { G::state_size } -> std::convertible_to<int>;
    { G::write_state(seen, bytes) };
    { G::read_state(bytes) } -> std::same_as<std::optional<typename G::State>>;
};

template <typename G>
concept GameOfChance =
    Game<G> && G::outcomes > 1 && requires(typename G::State& state, const typename G::State& seen, SplitMix& random) {
        { G::imagine(state, random) };
        { G::same(seen, seen) } -> std::same_as<bool>;
    };

// A value seen by the one who moved before.
template <Game G>
constexpr float seen_from_before(float value) {
    return G::facts.player_count == 2 ? -value : value;
}

}  // namespace jimbo
