// How a search is made.
#pragma once

#include <cstdint>

namespace jimbo {

enum class SearchKind : std::uint8_t { puct, gumbel };

inline constexpr int max_worlds = 8;

struct SearchSettings {
    SearchKind kind = SearchKind::puct;
    int simulations = 800;  // for each move
    float c_puct = 1.25F;
    float dirichlet_alpha = 0.3F;
    float dirichlet_weight = 0.25F;  // 0: no noise
    float temperature = 1.0F;        // of the first moves; 0: the most visited
    float late_temperature = 0.1F;
    int temperature_moves = 15;
    float virtual_loss = 1.0F;
    int leaf_batch = 32;  // positions that wait for evaluation at once, over all games; at least one in each
    int gumbel_considered = 16;
    float gumbel_scale = 1.0F;  // 0: no chance in the choice
    float gumbel_value_scale = 1.0F;
    bool tree_reuse = true;
    int worlds = 4;          // outcomes tried for each action of a game of chance
    bool playouts = false;   // without a network: random games instead of a guess
    int random_opening = 0;  // games begin with 0 to so many random moves, of which nothing is told
};

}  // namespace jimbo
