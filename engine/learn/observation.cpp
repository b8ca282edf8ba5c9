#include "learn/observation.hpp"

#include <limits>

#include "base/symlog.hpp"
#include "learn/observation_parts.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/prices.hpp"
#include "rules/queries.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

using namespace observing;

// --- The list of fields --------------------------------------------------------------------------------------------

constexpr double any = std::numeric_limits<double>::infinity();  // in the list: as far as the type reaches
constexpr double largest_log = 700;                              // above ln of `largest_logged`

template <typename T>
constexpr double low_of(double low) {
    if (low != any) return low;
    return std::is_floating_point_v<T> ? -largest_log : static_cast<double>(std::numeric_limits<T>::lowest());
}
template <typename T>
constexpr double high_of(double high) {
    if (high != any) return high;
    return std::is_floating_point_v<T> ? largest_log : static_cast<double>(std::numeric_limits<T>::max());
}

constexpr FieldSpec fields[] = {
#define ID(name, rows, columns, vocabulary, parts, doc) \
    {#name, "uint8", rows, columns, offsetof(Observation, name), 0, 0, Vocabulary::vocabulary, parts, doc},
#define FLAG(name, rows, columns, parts, doc) \
    {#name, "uint8", rows, columns, offsetof(Observation, name), 0, 1, Vocabulary::number, parts, doc},
#define NUMBER(type, name, rows, columns, low, high, parts, doc) \
    {#name,                                                      \
     dtype_name<cell::type>(),                                   \
     rows,                                                       \
     columns,                                                    \
     offsetof(Observation, name),                                \
     low_of<cell::type>(low),                                    \
     high_of<cell::type>(high),                                  \
     Vocabulary::number,                                         \
     parts,                                                      \
     doc},
#include "learn/observation_fields.hpp"
#undef ID
#undef FLAG
#undef NUMBER
};

// --- Scalars -------------------------------------------------------------------------------------------------------

void write_run(const RunState& run, Observation& out) {
    out.phase = id_of(run.phase);
    out.challenge = id_of(run.challenge);
    out.won = run.won;
    out.gros_michel_extinct = run.gros_michel_extinct;
    out.sorts_by_suit = run.sorts_by_suit;
    out.last_used = id_of(run.last_used);
    out.round = run.round;
    out.skips = cut(run.skips);
    out.run_hands = cut(run.run_hands);
    out.unused_discards = cut(run.unused_discards);
    out.tarots_used = cut(run.tarots_used);
    out.planets_used = cut(run.used_planets.count());
    out.ectoplasms = run.ectoplasms;
}

void write_money(const RunState& run, Observation& out) {
    out.dollars_log = symlog(run.dollars);
    out.dollars = cut(run.dollars);
    out.spendable = cut(spendable(run));
    out.payout = run.phase == Phase::round_eval ? cut(run.payout.total()) : cut(0);
    out.reroll_price = cut(reroll_price(run));
    out.free_rerolls = run.free_rerolls;
    out.inflation = run.inflation;
}

void write_limits(const RunState& run, Observation& out) {
    out.hands_left = run.hands_left;
    out.discards_left = run.discards_left;
    out.hands_played = run.hands_played;
    out.discards_used = run.discards_used;
    out.hands_per_round = run.hands_per_round;
    out.discards_per_round = run.discards_per_round;
    out.hand_size = cut(hand_limit(run));
    out.joker_slots = run.joker_slots;
    out.joker_room = cut(joker_room(run));
    out.consumable_slots = run.consumable_slots;
    out.consumable_room = cut(consumable_room(run));
    out.shop_slots = run.shop_slots;
}

// The targets follow from deck, stake, ante and boss; in the endless antes they take several powers to find.
void write_targets(const RunState& run, Observation& out) {
    const bool same = out.deck == id_of(run.deck) && out.stake == id_of(run.stake) && out.ante == run.ante &&
                      out.boss == id_of(run.boss);
    if (same) return;
    out.deck = id_of(run.deck);
    out.stake = id_of(run.stake);
    out.ante = run.ante;
    out.boss = id_of(run.boss);
    out.blind_targets_log = {symlog(target_score(run, BlindId::small)), symlog(target_score(run, BlindId::big)),
                             symlog(target_score(run, run.boss))};
}

void write_ante(const RunState& run, Observation& out) {
    write_targets(run, out);
    out.blind_on_deck = id_of(run.on_deck);
    out.boss_rerolled = run.boss_rerolled;
    out.most_played = id_of(run.most_played);
    for (std::size_t i = 0; i < 2; ++i) {
        out.skip_tag[i] = id_of(run.skip_tags[i].key);
        out.skip_tag_hand[i] = orbital_hand(run.skip_tags[i]);
    }
    // The first one is drawn at once but seen only when the first shop opens.
    out.voucher = run.first_booster_made ? id_of(run.voucher) : std::uint8_t{0};
}

void write_blind(const RunState& run, Observation& out) {
    const bool on = run.blind.active;
    out.blind = on ? id_of(run.blind.key) : std::uint8_t{0};
    out.blind_disabled = on && run.blind.disabled;
    out.blind_only_hand = on ? id_of(run.blind.only_hand) : std::uint8_t{0};
    out.blind_reward = on ? run.blind.reward : cut(0);
    out.target_log = on ? symlog(run.blind.target) : 0.0F;
    out.chips_log = on ? symlog(run.chips) : 0.0F;
    out.score_share = on ? static_cast<float>(share_of_target(run)) : 0.0F;
}

void write_last_hand(const RunState& run, Observation& out) {
    const bool any_hand = run.last.any;
    out.last_hand = any_hand ? id_of(run.last.hand) : std::uint8_t{0};
    out.last_blocked = any_hand && run.last.blocked;
    out.last_score_log = any_hand ? symlog(run.last.score) : 0.0F;
    out.last_chips_log = any_hand ? symlog(run.last.chips) : 0.0F;
    out.last_mult_log = any_hand ? symlog(run.last.mult) : 0.0F;
}

// --- What some jokers look for -------------------------------------------------------------------------------------

void write_wanted(const RunState& run, Observation& out) {
    const BitSet<joker_count> seen = jokers_in_sight(run);
    const auto if_seen = [&](JokerId key, auto id) { return seen.has(key) ? id_of(id) : std::uint8_t{0}; };
    out.idol_rank = if_seen(JokerId::idol, run.targets.idol_rank);
    out.idol_suit = if_seen(JokerId::idol, run.targets.idol_suit);
    out.mail_rank = if_seen(JokerId::mail, run.targets.mail_rank);
    out.ancient_suit = if_seen(JokerId::ancient, run.targets.ancient_suit);
    out.castle_suit = if_seen(JokerId::castle, run.targets.castle_suit);
}

}  // namespace

std::span<const FieldSpec> observation_fields() { return fields; }

double share_of_target(const RunState& run) {
    const double share = run.chips / run.blind.target;
    return share < 1.0 ? std::max(0.0, share) : share >= 1.0 ? 1.0 : 0.0;  // 0 for NaN
}

void write_observation(const RunState& run, std::uint64_t selected, Observation& out) {
    write_run(run, out);
    write_money(run, out);
    write_limits(run, out);
    write_ante(run, out);
    write_blind(run, out);
    write_last_hand(run, out);
    write_poker_hands(run, out);
    write_hand(run, selected, out);
    write_jokers(run, out);
    write_consumables(run, out);
    write_shop(run, out);
    write_pack(run, out);
    write_tags(run, out);
    write_counts(run, out);
    write_wanted(run, out);
}

}  // namespace jimbo
