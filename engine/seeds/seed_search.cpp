#include "seeds/seed_search.hpp"

#include <algorithm>
#include <thread>

namespace jimbo {
namespace {

// How many seeds, spread over all, tell how often a condition holds.
constexpr int samples = 64;

}  // namespace

SeedSearch::SeedSearch(SeedQuery query) : query_(std::move(query)) {
    for (const Condition& condition : query_.conditions) {
        if (const auto* turns_up = std::get_if<TurnsUp>(&condition)) {
            last_ante_ = std::max(last_ante_, turns_up->last_ante);
        }
    }
    std::vector<std::pair<double, std::size_t>> by_cost;
    Explorer explorer = this->explorer();
    for (std::size_t i = 0; i < query_.conditions.size(); ++i) {
        by_cost.emplace_back(expected_cost(query_.conditions[i], explorer), i);
    }
    std::sort(by_cost.begin(), by_cost.end());
    for (const auto& [cost, i] : by_cost) order_.push_back(i);
}

// The draws that a condition takes for each seed that it refutes: cheap and rare ones come first.
double SeedSearch::expected_cost(const Condition& condition, Explorer& explorer) const {
    int refuted = 0;
    for (std::uint64_t i = 0; i < samples && query_.conditions.size() > 1; ++i) {
        explorer.start(numbered_seed(made_seed_count / samples * i));
        refuted += !holds(condition, explorer);
    }
    return cost_of(condition, query_.opening, query_.shop_queue) / (refuted + 0.5);
}

std::vector<SeedHit> SeedSearch::search(std::uint64_t first, std::uint64_t count, int threads) const {
    const std::uint64_t end = std::min(first + count, made_seed_count);
    const auto parts = static_cast<std::uint64_t>(std::max(1, threads));
    std::vector<std::vector<SeedHit>> found(parts);
    {
        std::vector<std::jthread> workers;
        for (std::uint64_t part = 0; part < parts; ++part) {
            workers.emplace_back([&, part] {
                const std::uint64_t from = first + (end - first) * part / parts;
                const std::uint64_t to = first + (end - first) * (part + 1) / parts;
                found[part] = search_part(from, to);
            });
        }
    }
    std::vector<SeedHit> all;
    for (auto& part : found) std::move(part.begin(), part.end(), std::back_inserter(all));
    return all;
}

std::vector<SeedHit> SeedSearch::search_part(std::uint64_t first, std::uint64_t end) const {
    std::vector<SeedHit> found;
    Explorer explorer = this->explorer();
    for (std::uint64_t n = first; n < end; ++n) {
        const Seed seed = numbered_seed(n);
        explorer.start(seed);
        const bool hit_it = std::all_of(order_.begin(), order_.end(),
                                        [&](std::size_t i) { return holds(query_.conditions[i], explorer); });
        if (hit_it) found.push_back(hit(seed, explorer));
    }
    return found;
}

SeedHit SeedSearch::hit(const Seed& seed, Explorer& explorer) const {
    SeedHit hit{.seed = seed};
    for (const Condition& condition : query_.conditions) {
        if (const auto* deck = std::get_if<DeckHolds>(&condition)) {
            hit.counts.push_back(first_count(*deck, explorer.deck()).value());
        } else if (const auto& turns_up = std::get<TurnsUp>(condition); turns_up.wanted) {
            hit.places.push_back(first_place(turns_up, explorer).value());
        }
    }
    return hit;
}

}  // namespace jimbo
