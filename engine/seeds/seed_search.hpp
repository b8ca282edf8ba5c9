// Looking for seeds that hold what is wanted, on several threads.
#pragma once

#include <cstdint>
#include <vector>

#include "seeds/seed_query.hpp"

namespace jimbo {

struct SeedQuery {
    Opening opening{};
    std::vector<Condition> conditions{};  // all of them must hold
    int shop_queue = 20;                  // how many cards of each ante's shop queue count
};

struct SeedHit {
    Seed seed{};
    std::vector<Place> places{};    // of each thing that was to turn up, in the order of the conditions
    std::vector<Counted> counts{};  // of each condition for the deck
};

// Tries seeds against a query, in whichever order of its conditions refutes fastest.
class SeedSearch {
public:
    explicit SeedSearch(SeedQuery query);

    const SeedQuery& query() const { return query_; }

    // The hits among `count` seeds from number `first` on, in order.
    std::vector<SeedHit> search(std::uint64_t first, std::uint64_t count, int threads) const;

private:
    Explorer explorer() const { return {query_.opening, query_.shop_queue, last_ante_}; }
    double expected_cost(const Condition& condition, Explorer& explorer) const;
    std::vector<SeedHit> search_part(std::uint64_t first, std::uint64_t end) const;
    SeedHit hit(const Seed& seed, Explorer& explorer) const;

    SeedQuery query_;
    int last_ante_ = 1;
    std::vector<std::size_t> order_;  // of the conditions
};

}  // namespace jimbo
