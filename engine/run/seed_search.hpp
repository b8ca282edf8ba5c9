// Looking for seeds that hold wanted items, on several threads.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "run/explore.hpp"

namespace jimbo {

using Item = std::variant<JokerId, ConsumableId, VoucherId, BoosterId, TagId, BlindId>;

// The item of a game key such as "j_blueprint" or "tag_negative".
std::optional<Item> item_by_key(std::string_view key);

struct SeedQuery {
    std::vector<Item> items;  // all of them must turn up
    int by_ante = 1;
    int shop_queue = 20;  // how many cards of each ante's shop queue count
    DeckId deck = DeckId::red;
    StakeId stake = StakeId::white;
};

bool matches(const Seed& seed, const SeedQuery& query);

// The seeds that the game makes itself: eight characters without 0 and O, numbered from 11111111 = 0 on.
inline constexpr std::uint64_t made_seed_count = 1'785'793'904'896;  // 34^8
Seed numbered_seed(std::uint64_t number);
std::optional<std::uint64_t> number_of(const Seed& seed);  // nothing for other seeds

// The matching seeds among `count` from number `first` on, in order.
std::vector<Seed> search_seeds(const SeedQuery& query, std::uint64_t first, std::uint64_t count, int threads);

}  // namespace jimbo
