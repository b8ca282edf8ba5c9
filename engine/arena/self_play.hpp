// Many games of one kind side by side, each with its own search, whose positions are evaluated together.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "arena/position.hpp"
#include "tree/settings.hpp"

namespace jimbo {

// Where the decisions of finished games go: arrays with a row for each, of the sizes that the game's facts give.
struct FinishedArrays {
    std::int64_t* episode = nullptr;  // a number that no other game of the same players has
    std::int32_t* step = nullptr;
    std::int32_t* action = nullptr;
    std::uint8_t* state = nullptr;
    std::uint8_t* next_state = nullptr;
    float* observation = nullptr;
    float* next_observation = nullptr;
    float* reward = nullptr;  // of the mover: how the game ended, with its last move
    std::uint8_t* done = nullptr;
    float* policy = nullptr;
    float* value = nullptr;    // of the root, seen by the mover
    float* outcome = nullptr;  // how the game ended, seen by the mover
};

// What a search says about a position.
struct SearchResult {
    int action = 0;
    float value = 0;
};

class ValueNet;

class SelfPlay {
public:
    virtual ~SelfPlay() = default;
    virtual const GameFacts& facts() const = 0;
    virtual int state_size() const = 0;
    virtual int games() const = 0;
    virtual int most_leaves() const = 0;

    // Goes on until every game waits for evaluations; how many there are. The same again until they come.
    virtual int collect() = 0;
    virtual void write_leaves(float* rows) = 0;
    virtual void evaluated(const float* logits, const float* values) = 0;
    // Evaluates what waits by the learnt value of runs; std::invalid_argument for a game that has none.
    virtual void evaluate_by(const ValueNet& net) = 0;
    virtual bool is_waiting() const = 0;
    // That many simulations in all, without a network, while no position waits.
    virtual void run_uniform(std::int64_t simulations) = 0;

    virtual std::int64_t simulations() const = 0;
    virtual std::int64_t moves() const = 0;
    virtual std::int64_t episodes() const = 0;

    // Decisions of games that ended since they were last taken.
    virtual int finished_rows() const = 0;
    virtual void take_finished(const FinishedArrays& arrays) = 0;

    // Of searches of given positions, when collect() finds nothing more to do: `policies` has a row for each.
    virtual std::vector<SearchResult> results(float* policies) = 0;
};

struct SelfPlayOptions {
    SearchSettings settings{};
    std::uint64_t seed = 0;
    int threads = 1;
};

// Games from their start, one after the other in each place.
std::unique_ptr<SelfPlay> play_games(std::string_view env_id, int games, const SelfPlayOptions& options);

// One search of each of these positions of one game, none of which is over.
std::unique_ptr<SelfPlay> search_positions(std::span<const AnyPosition* const> positions,
                                           const SelfPlayOptions& options);

}  // namespace jimbo
