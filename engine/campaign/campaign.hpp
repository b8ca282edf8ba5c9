// A run as a game of one player for the search: the decisions that matter are its moves, and chance does the rest.
//
// Moves are the first candidates that learn/candidates.hpp lists, in the phases blind_select, shop and pack_opening,
// and in a hand while a consumable could be used in it. All other hands are played at once by the blind solver, with
// less work in imagined worlds, what a blind pays is cashed, and where only one thing can be done it is done. Who
// decides sees nothing hidden: candidates and observations show only what a player may know, hands are chosen in a
// world drawn anew, and so is every world that a search tries an action in.
//
// How a game ends runs from -1 to 1: half of it is winning, the other half how far the run came (see `worth`).
#pragma once

#include <array>

#include "learn/candidates.hpp"
#include "learn/observation.hpp"
#include "state/run_state.hpp"
#include "strategy/judge.hpp"
#include "tree/game.hpp"
#include "tree/settings.hpp"

namespace jimbo {

inline constexpr int campaign_actions = 24;  // as many as networks choose from
inline constexpr int campaign_max_steps = 600;

struct CampaignState {
    RunState run{};
    std::array<Action, campaign_actions> actions{};
    std::uint8_t count = 0;
    bool imagined = false;
    bool recorded = false;    // `taken` tells how it came from the start of the run
    std::uint16_t steps = 0;  // decisions so far
    std::uint64_t look = 0;   // positions that look the same have the same
    Seed seed{};              // of the run, where it is recorded
    std::array<std::uint8_t, campaign_max_steps> taken{};
};

// Evaluates positions by the learnt value that `expert` plays by.
class CampaignEvaluator {
public:
    explicit CampaignEvaluator(const ValueNet& net) : net_(net), judge_(net) {}

    // A logit for each action, and the outcome to expect.
    float evaluate(const CampaignState& state, float* logits);

private:
    const ValueNet& net_;
    Judge judge_;
};

struct Campaign {
    using State = CampaignState;
    using Evaluator = CampaignEvaluator;

    // A row: the observation, field by field; ids, then numbers of each candidate; which candidates there are.
    static constexpr int observation_cells = 0
#define ID(name, rows, columns, vocabulary, parts, doc) +(rows == 0 ? 1 : rows) * (columns == 0 ? 1 : columns)
#define FLAG(name, rows, columns, parts, doc) +(rows == 0 ? 1 : rows) * (columns == 0 ? 1 : columns)
#define NUMBER(type, name, rows, columns, low, high, parts, doc) +(rows == 0 ? 1 : rows) * (columns == 0 ? 1 : columns)
#include "learn/observation_fields.hpp"
#undef ID
#undef FLAG
#undef NUMBER
        ;
    static constexpr int mask_offset =
        observation_cells + campaign_actions * (candidate_id_count + candidate_number_count);

    static constexpr GameFacts facts{.env_id = "balatro",
                                     .display_name = "Balatro",
                                     .num_actions = campaign_actions,
                                     .obs_size = mask_offset + campaign_actions,
                                     .legal_mask_offset = mask_offset,
                                     .player_count = 1,
                                     .max_steps = campaign_max_steps};
    static constexpr int outcomes = max_worlds;

    // Red Deck, White Stake.
    static State start(SplitMix& random);
    // Any run; it goes on to its first decision.
    static State from_run(const RunState& run);

    static ActionBits legal(const State& state) { return (ActionBits{1} << state.count) - 1; }
    static int player(const State&) { return 0; }
    static void step(State& state, int action, SplitMix& random);
    static std::optional<float> ending(const State& state);
    static float guess(const State& state) { return worth(state.run); }
    static void observe(const State& state, float* row);

    static void imagine(State& state, SplitMix& random);
    static bool same(const State& a, const State& b) { return a.look == b.look; }

    // -1 for a run that ends in its first blind, 1 for one that is won; each blind on the way is worth a 24th.
    static float worth(const RunState& run);

    // The seed, which is one that the game makes, and the decisions taken; a position that did not begin with the run
    // cannot be written.
    static constexpr int state_size = made_seed_length + 2 + campaign_max_steps;
    static void write_state(const State& state, std::uint8_t* bytes);
    static std::optional<State> read_state(const std::uint8_t* bytes);
};

static_assert(GameOfChance<Campaign>);

}  // namespace jimbo
