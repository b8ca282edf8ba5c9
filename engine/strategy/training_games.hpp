// Whole runs played for training over all cores, with recorded positions and what came of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rng/seed.hpp"
#include "strategy/strategist.hpp"

namespace jimbo {

struct GameSettings {
    Effort effort{};
    double random_moves = 0.0;  // share of decisions taken at random
    double bias = 0.0;          // scale of the random biases of a game that explores
    double recorded = 0.0;      // share of decisions whose positions are recorded
    int recorded_worlds = 0;    // most worlds of a recorded position's forecast; 0: it is recorded as it was judged
    int second_chances = 0;     // how often a lost run is taken up again some antes before, with what is hidden anew
    // Above zero, options are drawn by the softmax of their preferences at this temperature, among so many of the best,
    // and the choices are recorded.
    double temperature = 0.0;
    int considered = 12;
};

struct GameStart {
    Seed seed{};
    DeckId deck = DeckId::red;
    StakeId stake = StakeId::white;
    std::uint64_t nonce = 0;
    bool explores = false;  // whether it is biased and makes random moves
};

// What became of a blind after a position.
struct BlindFate {
    std::int8_t cleared = -1;  // 1, 0, or -1 where it was not reached or skipped
    float margin = 0;          // log score less log target as forecast when it began
    float dollars = 0;         // when it began
};

struct RecordedPosition {
    int attempt = 0;        // 0: of the run itself, 1 and more: of its second chances
    std::uint8_t next = 0;  // the blind that came next
    bool taken = true;      // false: the run went another way, for the sake of exploring
    std::vector<ValueInput> inputs;
    std::array<BlindFate, value_blinds> fates{};  // unknown on a way that was not taken
};

// A choice that was drawn among options.
struct RecordedChoice {
    struct Considered {
        float worth = 0;
        float correction = 0;
        std::vector<ValueInput> inputs;
    };
    int attempt = 0;
    std::uint8_t next = 0;               // the blind that comes next once the best option is done
    std::uint8_t taken = 0;              // which of them
    float progress = 0;                  // what the value promises of the best one
    std::vector<Considered> considered;  // best first
};

struct PlayedGame {
    bool won = false;  // this and the next two: the run itself, whatever became of second chances
    int ante = 1;
    int round = 0;
    int decisions = 0;         // choices by the value
    int hands = 0;             // decisions of the blind solver
    std::uint64_t digest = 0;  // of the actions of the run itself, one after another
    std::vector<RecordedPosition> positions;
    std::vector<RecordedChoice> choices;
    std::vector<std::uint8_t> bosses;  // beaten at the end of each attempt
};

// One after another or on several threads: the same games.
std::vector<PlayedGame> play_games(const ValueNet& net, const std::vector<GameStart>& starts,
                                   const GameSettings& settings, int threads);

}  // namespace jimbo
