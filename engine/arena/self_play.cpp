#include "arena/self_play.hpp"

#include "arena/games.hpp"
#include "arena/position_of.hpp"
#include "arena/self_play_of.hpp"

namespace jimbo {

std::unique_ptr<SelfPlay> play_games(std::string_view env_id, int games, const SelfPlayOptions& options) {
    return with_game(env_id, [&](auto game) -> std::unique_ptr<SelfPlay> {
        return std::make_unique<SelfPlayOf<decltype(game)>>(games, options);
    });
}

std::unique_ptr<SelfPlay> search_positions(std::span<const AnyPosition* const> positions,
                                           const SelfPlayOptions& options) {
    if (positions.empty()) throw std::invalid_argument("there is no position to search");
    return with_game(positions[0]->facts().env_id, [&](auto game) -> std::unique_ptr<SelfPlay> {
        using G = decltype(game);
        std::vector<typename G::State> states;
        for (const AnyPosition* position : positions) {
            const auto* own = dynamic_cast<const PositionOf<G>*>(position);
            if (own == nullptr) throw std::invalid_argument("all positions must be of the same game");
            if (own->ending()) throw std::invalid_argument("a game that is over cannot be searched");
            states.push_back(own->state());
        }
        return std::make_unique<SelfPlayOf<G>>(states, options);
    });
}

}  // namespace jimbo
