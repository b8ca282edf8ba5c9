// Positions of any of the games, by name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tree/game.hpp"

namespace jimbo {

class AnyPosition {
public:
    virtual ~AnyPosition() = default;
    virtual std::unique_ptr<AnyPosition> copy() const = 0;

    virtual const GameFacts& facts() const = 0;
    virtual ActionBits legal() const = 0;  // none when the game is over
    virtual void step(int action) = 0;
    // How the game ended, seen by the one who would move; nothing while it goes on.
    virtual std::optional<float> ending() const = 0;
    virtual int player() const = 0;
    virtual void observe(float* row) const = 0;
    virtual std::string bytes() const = 0;
};

// The games there are.
std::vector<GameFacts> game_list();

// ValueError-like std::invalid_argument for a game that there is not, or bytes that are no position of it.
std::unique_ptr<AnyPosition> start_position(std::string_view env_id, std::uint64_t seed);
std::unique_ptr<AnyPosition> position_from_bytes(std::string_view env_id, std::string_view bytes);

// Where each number of an observation, or each action, comes from when the board is turned.
std::vector<int> turned_observation(std::string_view env_id, int symmetry);
std::vector<int> turned_policy(std::string_view env_id, int symmetry);

}  // namespace jimbo
