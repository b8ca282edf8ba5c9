// The list of all games: whatever works on any of them goes through it.
#pragma once

#include <stdexcept>
#include <string>
#include <tuple>

#include "boards/connect4.hpp"
#include "boards/tictactoe.hpp"
#include "campaign/campaign.hpp"

namespace jimbo {

using AllGames = std::tuple<TicTacToe, Connect4, Campaign>;

// Calls `use` with the game of that name (a value of its class, which holds nothing).
template <typename Use>
auto with_game(std::string_view env_id, const Use& use) {
    using Result = decltype(use(TicTacToe{}));
    std::string names;
    std::optional<Result> result;
    const auto try_one = [&](auto game) {
        names += (names.empty() ? "" : ", ") + std::string(game.facts.env_id);
        if (game.facts.env_id == env_id) result.emplace(use(game));
    };
    std::apply([&](auto... games) { (try_one(games), ...); }, AllGames{});
    if (!result) throw std::invalid_argument("there is no game \"" + std::string(env_id) + "\"; there are " + names);
    return std::move(*result);
}

}  // namespace jimbo
