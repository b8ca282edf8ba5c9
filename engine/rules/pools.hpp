// Drawing an item from an ordered pool in which unavailable entries stay as blanks.
#pragma once

#include <span>

#include "base/bitset.hpp"
#include "catalog/blinds.hpp"
#include "catalog/boosters.hpp"
#include "catalog/consumables.hpp"
#include "catalog/jokers.hpp"
#include "catalog/stakes.hpp"
#include "catalog/tags.hpp"
#include "catalog/vouchers.hpp"
#include "rng/streams.hpp"

namespace jimbo {

// The keys that may not come up now: banned, locked, gated, redeemed or in use.
struct Blocked {
    BitSet<joker_count> jokers{};
    BitSet<consumable_count> consumables{};
    BitSet<voucher_count> vouchers{};
    BitSet<tag_count> tags{};
    BitSet<booster_count> boosters{};
    BitSet<blind_count> blinds{};
};

// The first booster of a run is always this one, without a draw. Which of its two pictures it shows is not seeded.
inline constexpr BoosterId first_booster = BoosterId::buffoon_normal_1;

JokerId pick_joker(Streams& streams, StreamKey key, Rarity rarity, const Blocked& blocked);
ConsumableId pick_consumable(Streams& streams, StreamKey key, ConsumableKind kind, const Blocked& blocked);
VoucherId pick_voucher(Streams& streams, StreamKey key, const Blocked& blocked);
TagId pick_tag(Streams& streams, int ante, const Blocked& blocked);
BoosterId pick_booster(Streams& streams, int ante, const Blocked& blocked);

// How often each blind was drawn as a boss in this run, rerolled ones included.
using BossUses = std::array<std::uint8_t, blind_count>;

// Draws among the least used eligible bosses and counts the use.
BlindId pick_boss(Streams& streams, int ante, BossUses& uses, const Blocked& blocked);

constexpr bool is_showdown_ante(int ante) { return ante >= 2 && ante % win_ante == 0; }

}  // namespace jimbo
