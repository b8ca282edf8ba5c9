#include "arena/position.hpp"

#include <numeric>

#include "arena/games.hpp"
#include "arena/position_of.hpp"

namespace jimbo {

std::vector<GameFacts> game_list() {
    return std::apply([](auto... games) { return std::vector<GameFacts>{games.facts...}; }, AllGames{});
}

std::unique_ptr<AnyPosition> start_position(std::string_view env_id, std::uint64_t seed) {
    return with_game(env_id, [&](auto game) -> std::unique_ptr<AnyPosition> {
        SplitMix random(seed);
        const auto state = game.start(random);
        return std::make_unique<PositionOf<decltype(game)>>(state, random);
    });
}

std::unique_ptr<AnyPosition> position_from_bytes(std::string_view env_id, std::string_view bytes) {
    return with_game(env_id, [&](auto game) -> std::unique_ptr<AnyPosition> {
        const std::string name(game.facts.display_name);
        if (bytes.size() != static_cast<std::size_t>(game.state_size)) {
            throw std::invalid_argument("a position of " + name + " has " + std::to_string(game.state_size) +
                                        " bytes, not " + std::to_string(bytes.size()));
        }
        const auto state = game.read_state(reinterpret_cast<const std::uint8_t*>(bytes.data()));
        if (!state) throw std::invalid_argument("these bytes are no position of " + name);
        return std::make_unique<PositionOf<decltype(game)>>(*state, SplitMix(0));
    });
}

std::vector<int> turned_policy(std::string_view env_id, int symmetry) {
    return with_game(env_id, [&](auto game) {
        std::vector<int> from(static_cast<std::size_t>(game.facts.num_actions));
        std::iota(from.begin(), from.end(), 0);
        if constexpr (game.facts.symmetries > 1) {
            for (int a = 0; a < game.facts.num_actions; ++a) {
                from[static_cast<std::size_t>(game.turned_action(symmetry, a))] = a;
            }
        }
        return from;
    });
}

std::vector<int> turned_observation(std::string_view env_id, int symmetry) {
    return with_game(env_id, [&](auto game) {
        constexpr GameFacts facts = decltype(game)::facts;
        std::vector<int> from(static_cast<std::size_t>(facts.obs_size));
        std::iota(from.begin(), from.end(), 0);
        if constexpr (facts.symmetries > 1) {
            const int cells = facts.board_width * facts.board_height;
            for (int cell = 0; cell < cells; ++cell) {
                const int target = game.turned(symmetry, cell);
                from[static_cast<std::size_t>(target)] = cell;
                from[static_cast<std::size_t>(cells + target)] = cells + cell;
            }
            for (int a = 0; a < facts.num_actions; ++a) {
                const int target = facts.legal_mask_offset + game.turned_action(symmetry, a);
                from[static_cast<std::size_t>(target)] = facts.legal_mask_offset + a;
            }
        }
        return from;
    });
}

}  // namespace jimbo
