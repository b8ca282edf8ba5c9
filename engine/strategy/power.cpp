#include "strategy/power.hpp"

#include <algorithm>
#include <vector>

#include "base/hash128.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/vouchers/in_force.hpp"
#include "solve/outlook.hpp"

namespace jimbo {
namespace {

template <std::size_t N>
double most(const std::array<double, N>& values) {
    return *std::max_element(values.begin(), values.end());
}

template <std::size_t N>
double mean_of_some(const std::array<double, N>& values) {
    double sum = 0;
    int count = 0;
    for (double value : values) {
        sum += value;
        count += value > 0;
    }
    return count > 0 ? sum / count : 0;
}

Power power_at(const RunState& table) {
    SplitMix random(0);
    const HandValues values = hand_values(table, traits_of(table), random);
    return {values.high_card,  most(values.pair),    mean_of_some(values.pair),
            values.two_pair,   most(values.three),   mean_of_some(values.three),
            values.straight,   most(values.flush),   mean_of_some(values.flush),
            values.full_house, most(values.four),    mean_of_some(values.four),
            most(values.five), values.straight_flush};
}

// --- What scoring reads --------------------------------------------------------------------------------------------
// Numbers that change all the time matter to few jokers: without these they are left out. A test puts every joker into
// many runs and compares with what the whole run scores.

struct Readers {
    bool money = false;
    bool plays = false;
    bool all_hands = false;
    bool pile = false;
    bool targets = false;
};

Readers readers_of(const RunState& run) {
    Readers reads;
    for (const Joker& joker : run.jokers) {
        switch (joker.key) {
            case JokerId::bull:
            case JokerId::bootstraps:
                reads.money = true;
                break;
            case JokerId::supernova:
            case JokerId::obelisk:
            case JokerId::card_sharp:
                reads.plays = true;
                break;
            case JokerId::loyalty_card:
                reads.all_hands = true;
                break;
            case JokerId::blue_joker:
                reads.pile = true;
                break;
            case JokerId::idol:
            case JokerId::ancient:
                reads.targets = true;
                break;
            default:
                break;
        }
    }
    reads.money |= challenge_of(run).chips_dollar_cap;
    reads.plays |= run.blind.active;  // bosses ask which hands were played
    return reads;
}

void copy_cards(RunState& table, const RunState& run) {
    table.cards = run.cards;
    for (Card& card : table.cards) card.face_down = card.forced = card.played_this_ante = false;
}

void copy_hands(RunState& table, const RunState& run, bool with_plays) {
    for (std::size_t h = 0; h < run.hands.size(); ++h) {
        table.hands[h] = {};
        table.hands[h].level = run.hands[h].level;
        if (with_plays) table.hands[h] = run.hands[h];
    }
}

Hash128 hash_of(const RunState& table) {
    Hash128 hash;
    for (const Card& card : table.cards) hash.add(std::bit_cast<std::uint64_t>(card));
    hash.add(table.cards.size());
    for (const Joker& joker : table.jokers) {
        hash.add(joker.x_mult);
        hash.add(joker.count);
        hash.add(joker.sell_bonus);
        hash.add(joker.id);
        hash.add(joker.key);
        hash.add(joker.edition);
        hash.add(joker.perish_left);
        hash.add(std::uint64_t{joker.debuffed} | std::uint64_t{joker.debuffed_by_blind} << 1 |
                 std::uint64_t{joker.face_down} << 2 | std::uint64_t{joker.pinned} << 3 |
                 std::uint64_t{joker.leaving} << 4 | std::uint64_t{joker.stickers.eternal} << 5 |
                 std::uint64_t{joker.stickers.perishable} << 6 | std::uint64_t{joker.stickers.rental} << 7);
    }
    hash.add(table.jokers.size());
    for (const Consumable& held : table.consumables) hash.add(held.key);
    hash.add(table.consumables.size());
    for (const HandStats& stats : table.hands) {
        hash.add(stats.level);
        hash.add(stats.played);
        hash.add(stats.played_this_round);
    }
    for (const VoucherFact& voucher : voucher_facts) hash.add(table.has(voucher.id));
    const BlindInPlay& blind = table.blind;
    hash.add(blind.key);
    hash.add(blind.active);
    hash.add(blind.disabled);
    hash.add(blind.only_hand ? 1 + static_cast<int>(*blind.only_hand) : 0);
    const Targets& targets = table.targets;
    hash.add(targets.idol_rank);
    hash.add(targets.idol_suit);
    hash.add(targets.ancient_suit);
    hash.add(table.challenge ? 1 + static_cast<int>(*table.challenge) : 0);
    for (int number :
         {static_cast<int>(table.deck), static_cast<int>(table.stake), int{table.ante}, table.dollars, table.run_hands,
          int{table.hands_left}, int{table.discards_left}, int{table.joker_slots}, table.skips, table.tarots_used,
          int{table.inflation}, table.deck_pile.size(), static_cast<int>(table.most_played)}) {
        hash.add(number);
    }
    return hash;
}

struct Known {
    Hash128 hash{0, 0};
    Power power{};
};

constexpr std::size_t known_builds = 2048;  // about a quarter of a megabyte for each thread

}  // namespace

void copy_scoring_facts(RunState& table, const RunState& run) {
    const Readers reads = readers_of(run);
    table.deck = run.deck;
    table.stake = run.stake;
    table.challenge = run.challenge;
    table.ante = run.ante;
    table.vouchers = run.vouchers;
    table.most_played = run.most_played;
    table.joker_slots = run.joker_slots;
    table.skips = run.skips;
    table.tarots_used = run.tarots_used;
    table.inflation = run.inflation;
    table.hands_left = run.hands_per_round;
    table.discards_left = run.discards_per_round;
    table.blind = {};
    if (run.blind.active) {
        table.blind = {.key = run.blind.key, .active = true, .disabled = run.blind.disabled};
        table.blind.only_hand = run.blind.only_hand;
    }
    table.jokers = run.jokers;
    copy_cards(table, run);
    copy_hands(table, run, reads.plays);
    table.dollars = reads.money ? run.dollars : 0;
    table.run_hands = reads.all_hands ? run.run_hands : 0;
    table.targets = {};
    if (reads.targets) {
        table.targets.idol_rank = run.targets.idol_rank;
        table.targets.idol_suit = run.targets.idol_suit;
        table.targets.ancient_suit = run.targets.ancient_suit;
    }
    table.deck_pile.clear();
    while (reads.pile && table.deck_pile.size() < run.deck_pile.size()) table.deck_pile.push_back(0);
    table.consumables.clear();
    if (in_force<&VoucherRule::held_planet_x_mult>(run) != 1.0) table.consumables = run.consumables;
}

Power power_of(const RunState& run) {
    thread_local RunState table;
    thread_local std::vector<Known> known(known_builds);
    copy_scoring_facts(table, run);
    const Hash128 hash = hash_of(table);
    Known& place = known[hash.low % known_builds];
    if (place.hash != hash) place = {hash, power_at(table)};
    return place.power;
}

Power power_anew(const RunState& run) {
    RunState table = run;
    table.hands_left = run.hands_per_round;
    table.discards_left = run.discards_per_round;
    table.hands_played = 0;
    return power_at(table);
}

}  // namespace jimbo
