#include "rules/pools.hpp"

#include <algorithm>
#include <type_traits>

namespace jimbo {
namespace {

// A seed whose own hash is NaN makes every draw the same and would resample for ever (the real game hangs on it);
// no other seed comes near this many resamples.
constexpr int resample_limit = 250;

template <typename Id, int Count>
Id pick(Streams& streams, StreamKey key, std::type_identity_t<std::span<const Id>> pool, const BitSet<Count>& blocked,
        Id fallback) {
    const bool any = std::any_of(pool.begin(), pool.end(), [&](Id id) { return !blocked.has(id); });
    if (!any) {
        streams.node(key);  // the game draws from a list of one
        return fallback;
    }
    const int size = static_cast<int>(pool.size());
    Id id = pool[static_cast<std::size_t>(streams.pick(key, size))];
    for (int n = 2; blocked.has(id); ++n) {
        if (n > resample_limit) return fallback;
        id = pool[static_cast<std::size_t>(streams.pick({key.stream, key.ante, n}, size))];
    }
    return id;
}

// All ids from `first` on, in pool order.
template <typename Id, std::size_t Size>
constexpr std::array<Id, Size> ids(int first = 0) {
    std::array<Id, Size> list{};
    for (std::size_t i = 0; i < Size; ++i) list[i] = static_cast<Id>(first + static_cast<int>(i));
    return list;
}

constexpr auto all_tarots = ids<ConsumableId, tarot_count>();
constexpr auto all_planets = ids<ConsumableId, planet_count>(tarot_count);
constexpr auto all_spectrals = ids<ConsumableId, spectral_count>(tarot_count + planet_count);
constexpr auto all_vouchers = ids<VoucherId, voucher_count>();
constexpr auto all_tags = ids<TagId, tag_count>();

}  // namespace

JokerId pick_joker(Streams& streams, StreamKey key, Rarity rarity, const Blocked& blocked) {
    return pick(streams, key, joker_pool(rarity), blocked.jokers, JokerId::joker);
}

ConsumableId pick_consumable(Streams& streams, StreamKey key, ConsumableKind kind, const Blocked& blocked) {
    switch (kind) {
        case ConsumableKind::tarot:
            return pick(streams, key, all_tarots, blocked.consumables, ConsumableId::strength);
        case ConsumableKind::planet:
            return pick(streams, key, all_planets, blocked.consumables, ConsumableId::pluto);
        case ConsumableKind::spectral:
            break;
    }
    // The Soul and Black Hole hold their places in the list but only ever come from their own polls.
    BitSet<consumable_count> shut = blocked.consumables;
    shut.add(ConsumableId::soul);
    shut.add(ConsumableId::black_hole);
    return pick(streams, key, all_spectrals, shut, ConsumableId::incantation);
}

VoucherId pick_voucher(Streams& streams, StreamKey key, const Blocked& blocked) {
    return pick(streams, key, all_vouchers, blocked.vouchers, VoucherId::blank);
}

TagId pick_tag(Streams& streams, int ante, const Blocked& blocked) {
    BitSet<tag_count> shut = blocked.tags;
    for (TagId id : all_tags) {
        if (fact(id).min_ante > std::max(1, ante)) shut.add(id);
    }
    return pick(streams, {Stream::tag, ante}, all_tags, shut, TagId::handy);
}

BoosterId pick_booster(Streams& streams, int ante, const Blocked& blocked) {
    double total = 0.0;
    for (const BoosterFact& b : booster_facts) {
        if (!blocked.boosters.has(b.id)) total += b.weight;
    }
    const double poll = streams.random({Stream::shop_pack, ante}) * total;
    double sum = 0.0;
    BoosterId last{};
    for (const BoosterFact& b : booster_facts) {
        if (blocked.boosters.has(b.id)) continue;
        last = b.id;
        sum += b.weight;
        if (sum >= poll) break;
    }
    return last;
}

BlindId pick_boss(Streams& streams, int ante, BossUses& uses, const Blocked& blocked) {
    const auto eligible = [&](const BlindFact& b) {
        if (blocked.blinds.has(b.id)) return false;
        return is_showdown_ante(ante) ? b.showdown : !b.showdown && b.min_ante <= std::max(1, ante);
    };
    std::array<BlindId, blind_count> candidates{};
    int fewest = 255;
    int count = 0;
    for (BlindId id : boss_order) {
        const int used = uses[static_cast<std::size_t>(id)];
        if (used > fewest || !eligible(fact(id))) continue;
        if (used < fewest) count = 0;
        fewest = used;
        candidates[static_cast<std::size_t>(count++)] = id;
    }
    const BlindId boss = candidates[static_cast<std::size_t>(streams.pick(Stream::boss, count))];
    ++uses[static_cast<std::size_t>(boss)];
    return boss;
}

}  // namespace jimbo
