#include "run/seed_search.hpp"

#include <algorithm>
#include <thread>

#include "catalog/lookup.hpp"

namespace jimbo {
namespace {

constexpr std::string_view seed_alphabet = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";

template <typename Id>
bool wants(const SeedQuery& query) {
    return std::any_of(query.items.begin(), query.items.end(),
                       [](const Item& item) { return std::holds_alternative<Id>(item); });
}

bool is_card(const Item& item, const Offer& offer) {
    if (const auto* joker = std::get_if<JokerId>(&item)) return offer.kind == OfferKind::joker && offer.joker == *joker;
    const auto* consumable = std::get_if<ConsumableId>(&item);
    return consumable && offer.kind == OfferKind::consumable && offer.consumable == *consumable;
}

bool has_card(const Item& item, const AnteReport& report) {
    const auto is_wanted = [&](const Offer& offer) { return is_card(item, offer); };
    return std::any_of(report.shop.begin(), report.shop.end(), is_wanted) ||
           std::any_of(report.legendaries.begin(), report.legendaries.end(), is_wanted) ||
           std::any_of(report.packs.begin(), report.packs.end(), [&](const FoundPack& pack) {
               return std::any_of(pack.cards.begin(), pack.cards.end(), is_wanted);
           });
}

bool holds(const Item& item, const AnteReport& report) {
    if (const auto* voucher = std::get_if<VoucherId>(&item)) return report.voucher == *voucher;
    if (const auto* boss = std::get_if<BlindId>(&item)) return report.boss == *boss;
    if (const auto* tag = std::get_if<TagId>(&item)) return report.tags[0] == *tag || report.tags[1] == *tag;
    if (const auto* booster = std::get_if<BoosterId>(&item)) {
        return std::any_of(report.packs.begin(), report.packs.end(),
                           [&](const FoundPack& pack) { return pack.booster == *booster; });
    }
    return has_card(item, report);
}

}  // namespace

std::optional<Item> item_by_key(std::string_view key) {
    if (const auto id = joker_by_key(key)) return *id;
    if (const auto id = consumable_by_key(key)) return *id;
    if (const auto id = voucher_by_key(key)) return *id;
    if (const auto id = booster_by_key(key)) return *id;
    if (const auto id = tag_by_key(key)) return *id;
    if (const auto id = blind_by_key(key); id && fact(*id).boss) return *id;
    return std::nullopt;
}

bool matches(const Seed& seed, const SeedQuery& query) {
    const bool cards = wants<JokerId>(query) || wants<ConsumableId>(query);
    const Wanted wanted{.boss = wants<BlindId>(query),
                        .voucher = wants<VoucherId>(query),
                        .tags = wants<TagId>(query),
                        .packs = cards || wants<BoosterId>(query),
                        .shop = cards ? query.shop_queue : 0};
    Explorer explorer(seed, query.deck, query.stake, Conventions{});
    std::vector<Item> missing = query.items;
    for (int ante = 1; ante <= query.by_ante && !missing.empty(); ++ante) {
        const AnteReport report = explorer.next_ante(wanted);
        std::erase_if(missing, [&](const Item& item) { return holds(item, report); });
    }
    return missing.empty();
}

Seed numbered_seed(std::uint64_t number) {
    Seed seed;
    seed.length = Seed::max_length;
    for (std::size_t i = Seed::max_length; i-- > 0; number /= seed_alphabet.size()) {
        seed.text[i] = seed_alphabet[number % seed_alphabet.size()];
    }
    return seed;
}

std::optional<std::uint64_t> number_of(const Seed& seed) {
    if (seed.length != Seed::max_length) return std::nullopt;
    std::uint64_t number = 0;
    for (char c : seed.text) {
        const auto digit = seed_alphabet.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        number = number * seed_alphabet.size() + digit;
    }
    return number;
}

std::vector<Seed> search_seeds(const SeedQuery& query, std::uint64_t first, std::uint64_t count, int threads) {
    const std::uint64_t end = std::min(first + count, made_seed_count);
    const auto parts = static_cast<std::uint64_t>(std::max(1, threads));
    std::vector<std::vector<Seed>> found(parts);
    {
        std::vector<std::jthread> workers;
        for (std::uint64_t part = 0; part < parts; ++part) {
            workers.emplace_back([&, part] {
                const std::uint64_t from = first + (end - first) * part / parts;
                const std::uint64_t to = first + (end - first) * (part + 1) / parts;
                for (std::uint64_t n = from; n < to; ++n) {
                    const Seed seed = numbered_seed(n);
                    if (matches(seed, query)) found[part].push_back(seed);
                }
            });
        }
    }
    std::vector<Seed> all;
    for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace jimbo
