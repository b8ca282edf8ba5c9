// Everything a run is, in one trivially copyable struct. What can be derived (prices, sell values, odds) is not here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "base/bitset.hpp"
#include "base/fixed_vector.hpp"
#include "catalog/blinds.hpp"
#include "catalog/boosters.hpp"
#include "catalog/challenges.hpp"
#include "catalog/consumables.hpp"
#include "catalog/decks.hpp"
#include "catalog/hands.hpp"
#include "catalog/jokers.hpp"
#include "catalog/stakes.hpp"
#include "catalog/tags.hpp"
#include "catalog/vouchers.hpp"
#include "rng/streams.hpp"
#include "state/card.hpp"
#include "state/hand_stats.hpp"
#include "state/offer.hpp"

namespace jimbo {

enum class Phase : std::uint8_t { blind_select, selecting_hand, round_eval, shop, pack_opening, game_over };
inline constexpr std::array<std::string_view, 6> phase_names{"blind_select", "selecting_hand", "round_eval",
                                                             "shop",         "pack_opening",   "game_over"};

// Why a run ended, other than by winning.
enum class EndCode : std::uint8_t { none, lost, no_room };

enum class BlindSlot : std::uint8_t { small, big, boss };

// Capacities. A step that would exceed one ends the run with EndCode::no_room.
inline constexpr int max_cards = 240;
inline constexpr int max_hand = 64;
inline constexpr int max_jokers = 32;
inline constexpr int max_consumables = 48;
inline constexpr int max_tags = 32;
inline constexpr int max_shop_cards = 8;
inline constexpr int max_shop_vouchers = 8;
inline constexpr int max_shop_boosters = 4;

// Cards are named by their place in RunState::cards, which is also their creation order.
using CardIndex = std::uint8_t;

struct Joker {
    double x_mult = 1.0;     // a growing multiplier (Campfire, Hologram, Caino, Ramen...)
    std::int32_t count = 0;  // the other growing number; its meaning is in the joker's rule
    std::int16_t sell_bonus = 0;
    std::uint16_t id = 0;  // creation order
    JokerId key{};
    Edition edition = Edition::base;
    Stickers stickers{};
    std::uint8_t perish_left = 5;    // rounds until a perishable joker is debuffed for good
    bool debuffed = false;           // for whatever reason
    bool debuffed_by_blind = false;  // Crimson Heart
    bool face_down = false;
    bool pinned = false;   // a challenge keeps it leftmost
    bool leaving = false;  // destroyed; swept at the end of the present pass
};

struct Consumable {
    std::int16_t sell_bonus = 0;
    std::uint16_t id = 0;
    ConsumableId key{};
    Edition edition = Edition::base;
};

struct HeldTag {
    TagId key{};
    HandType orbital_hand{};  // of an Orbital Tag
};

struct ShopCard {
    Offer offer{};
    bool free = false;  // by a tag or coupon
};

struct ShopVoucher {
    VoucherId key{};
    bool free = false;
    bool from_tag = false;  // taking it leaves the ante's voucher
};

struct ShopBooster {
    BoosterId key{};
    bool free = false;
};

struct OpenPack {
    BoosterId key{};
    std::uint8_t picks_left = 0;
    Phase opened_from = Phase::shop;
    FixedVector<Offer, 5> cards{};
};

struct BlindInPlay {
    BlindId key = BlindId::small;
    bool active = false;          // a blind is being played or paid out
    bool disabled = false;        // its ability, by Chicot or Luchador
    bool triggered = false;       // its ability did something to the present hand (Matador)
    bool flip_next_draw = false;  // The Fish: a hand was just played
    std::int16_t taken = 0;       // hands (The Needle) or discards (The Water) it took away
    std::int16_t reward = 0;
    double target = 0.0;
    // The Mouth: the one hand it allows.
    std::optional<HandType> only_hand{};
};

// Last scored hand, for display and for Blue Seals.
struct LastHand {
    HandType hand{};
    bool any = false;
    bool blocked = false;  // the boss made it score nothing
    double chips = 0.0;
    double mult = 0.0;
    double score = 0.0;
};

// The cash-out sheet.
struct Payout {
    std::int32_t blind = 0;
    std::int32_t hands = 0;
    std::int32_t discards = 0;
    std::int32_t jokers = 0;
    std::int32_t interest = 0;
    std::int32_t tags = 0;
    std::int32_t total() const { return blind + hands + discards + jokers + interest + tags; }
};

struct Targets {
    Rank idol_rank = Rank::ace;
    Suit idol_suit = Suit::spades;
    Rank mail_rank = Rank::ace;
    Suit ancient_suit = Suit::spades;
    Suit castle_suit = Suit::spades;
    bool ancient_drawn = false;
};

// The numbers that scoring a hand may change. Besides these it changes only the stats of that hand, the jokers and
// the played cards, which makes trying one cheap (play/scorer).
struct ScoringNumbers {
    double chips = 0.0;  // in this round
    LastHand last{};
    BlindInPlay blind{};
    std::int32_t dollars = 4;
    std::int32_t run_hands = 0;
    std::int16_t hands_left = 0;
    std::int16_t hands_played = 0;  // in this round
    std::uint16_t next_id = 1;      // one creation order for everything: cards, jokers, consumables, vouchers, packs
    EndCode end = EndCode::none;
};

// The numbers of a run, apart from its lists.
struct RunNumbers : ScoringNumbers {
    // The run.
    DeckId deck = DeckId::red;
    StakeId stake = StakeId::white;
    std::optional<ChallengeId> challenge{};
    Phase phase = Phase::blind_select;
    bool won = false;
    std::int16_t ante = 1;
    std::int16_t round = 0;  // blinds started

    // The blinds of this ante.
    BlindSlot on_deck = BlindSlot::small;
    BlindId boss{};
    std::array<HeldTag, 2> skip_tags{};  // for skipping the small and the big blind
    std::optional<VoucherId> voucher{};  // on offer this ante; gone once redeemed
    bool boss_rerolled = false;          // this ante
    std::array<std::uint8_t, blind_count> boss_uses{};
    HandType most_played{};  // as The Ox sees it: fixed when the ante begins

    // The round.
    std::int16_t discards_left = 0;
    std::int16_t discards_used = 0;
    std::int16_t hand_size_bonus = 0;  // Juggle Tag: for this round only
    Payout payout{};
    Targets targets{};
    bool sorts_by_suit = false;  // how the player wants the hand sorted

    // What a round starts with, and the limits.
    std::int16_t hands_per_round = 4;
    std::int16_t discards_per_round = 3;
    std::int16_t hand_size = 8;
    std::int16_t joker_slots = 5;
    std::int16_t consumable_slots = 2;
    std::int16_t shop_slots = 2;

    // The shop.
    std::int16_t reroll_increase = 0;  // dollars added by paid rerolls in this shop
    std::int16_t reroll_cut = 0;       // dollars off the next reroll alone
    std::int16_t free_rerolls = 0;
    bool rerolls_start_free = false;  // D6 Tag in this shop
    bool first_booster_made = false;

    // What the run remembers.
    BitSet<voucher_count> vouchers{};
    std::array<HandStats, hand_type_count> hands{};
    std::int32_t unused_discards = 0;
    std::int32_t skips = 0;
    std::int32_t tarots_used = 0;
    BitSet<consumable_count> used_planets{};  // Satellite counts the different ones
    std::optional<ConsumableId> last_used{};  // last tarot or planet, for The Fool
    std::int16_t ectoplasms = 0;
    std::int16_t inflation = 0;
    bool gros_michel_extinct = false;

    const HandStats& stats(HandType h) const { return hands[static_cast<std::size_t>(h)]; }
    HandStats& stats(HandType h) { return hands[static_cast<std::size_t>(h)]; }
    bool has(VoucherId v) const { return vouchers.has(v); }
};

struct RunState : RunNumbers {
    // Cards. `cards` holds every playing card in creation order; the zones below hold places in it.
    FixedVector<CardIndex, max_hand> hand{};
    FixedVector<CardIndex, max_hand> played{};  // while a hand is being scored
    FixedVector<Card, max_cards> cards{};
    FixedVector<CardIndex, max_cards> deck_pile{};  // the last is drawn next
    FixedVector<CardIndex, max_cards> discard_pile{};

    FixedVector<Joker, max_jokers> jokers{};
    FixedVector<Consumable, max_consumables> consumables{};
    FixedVector<HeldTag, max_tags> tags{};

    // The shop and an open pack.
    FixedVector<ShopCard, max_shop_cards> shop{};
    FixedVector<ShopVoucher, max_shop_vouchers> shop_vouchers{};
    FixedVector<ShopBooster, max_shop_boosters> shop_boosters{};
    OpenPack pack{};

    Streams streams{};

    const Card& hand_card(int i) const { return cards[hand[i]]; }
    Card& hand_card(int i) { return cards[hand[i]]; }
};
static_assert(std::is_trivially_copyable_v<RunState>);
static_assert(sizeof(RunState) <= 8192, "RunState must stay within 8 KB");

// Makes `to` the same run as `from`. Only what the lists hold is copied, which is less than half of a RunState; past
// their ends `to` keeps whatever bytes it had, and nothing reads them.
void clone_into(RunState& to, const RunState& from);

}  // namespace jimbo
