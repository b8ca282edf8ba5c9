// The 20 challenges: special rules, what the run starts with, and what never appears in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/blinds.hpp"
#include "catalog/boosters.hpp"
#include "catalog/cards.hpp"
#include "catalog/consumables.hpp"
#include "catalog/decks.hpp"
#include "catalog/fact_fields.hpp"
#include "catalog/few.hpp"
#include "catalog/jokers.hpp"
#include "catalog/tags.hpp"
#include "catalog/vouchers.hpp"

namespace jimbo {

// clang-format off
enum class ChallengeId : std::uint8_t {
    omelette, city, rich, knife, xray, mad_world, luxury, non_perishable, medusa, double_nothing, typecast, inflation,
    bram_poker, fragile, monolith, blast_off, five_card, golden_needle, cruelty, jokerless
};

#define CHALLENGE_JOKER_FIELDS(FIELD) \
    FIELD(edition, Edition::base, "", Edition) \
    FIELD(eternal, false, "", bool) \
    FIELD(pinned, false, "It always stands leftmost.", bool)
// clang-format on

struct ChallengeJoker {
    JokerId id{};
    CHALLENGE_JOKER_FIELDS(JIMBO_MEMBER)
};
JIMBO_FIELDS_OF(ChallengeJoker, CHALLENGE_JOKER_FIELDS)

// A challenge's deck is the same in all four suits. It is created in the order of `fronts`, like every deck.
struct ChallengeDeck {
    std::array<std::uint8_t, rank_count> copies{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};  // of 2, 3, ... King, Ace
    Enhancement enhancement = Enhancement::none;                                         // of every card
    Enhancement face_enhancement = Enhancement::none;                                    // of Jacks, Queens and Kings
    Seal seal = Seal::none;                                                              // of every card
};

// clang-format off
#define CHALLENGE_FIELDS(FIELD) \
    FIELD(no_reward, false, "No blind pays its reward ...", bool) \
    FIELD(no_reward_small, false, "... or only the Small Blind does not ...", bool) \
    FIELD(no_reward_big, false, "... or only the Big Blind.", bool) \
    FIELD(no_extra_hand_money, false, "Nothing for hands left.", bool) \
    FIELD(no_interest, false, "", bool) \
    FIELD(chips_dollar_cap, false, "Chips count at most the money.", bool) \
    FIELD(flipped_cards, 0, "1 in this many cards is drawn face down; 0 for none.", std::uint8_t) \
    FIELD(minus_hand_size_per_x_dollar, 0, "-1 hand size for each of this many dollars held; 0 for none.", \
          std::uint8_t) \
    FIELD(debuff_played_cards, false, "Cards that have scored are debuffed for good.", bool) \
    FIELD(discard_cost, 0, "Dollars for each discard.", std::uint8_t) \
    FIELD(set_eternal_ante, 0, "From the boss of this ante on all jokers are eternal; 0 for never.", std::uint8_t) \
    FIELD(set_joker_slots_ante, 0, "From the boss of this ante on there are no joker slots; 0 for never.", \
          std::uint8_t) \
    FIELD(all_eternal, false, "", bool) \
    FIELD(inflation, false, "Every purchase raises all prices by $1.", bool) \
    FIELD(no_shop_jokers, false, "", bool) \
    FIELD(start, {}, "What the run starts from.", RunStart) \
    FIELD(jokers, {}, "Owned at the start.", Few<ChallengeJoker, 5>) \
    FIELD(consumables, {}, "Held at the start.", Few<ConsumableId, 2>) \
    FIELD(vouchers, {}, "Redeemed at the start.", Few<VoucherId, 2>) \
    FIELD(deck, {}, "Its cards, in the order of creation.", ChallengeDeck) \
    FIELD(banned_jokers, {}, "This and the rest never appear.", Few<JokerId, 11>) \
    FIELD(banned_consumables, {}, "", Few<ConsumableId, 10>) \
    FIELD(banned_vouchers, {}, "", Few<VoucherId, 2>) \
    FIELD(banned_boosters, {}, "In every size.", Few<BoosterKind, 1>) \
    FIELD(banned_tags, {}, "", Few<TagId, 8>) \
    FIELD(banned_blinds, {}, "", Few<BlindId, 3>)
// clang-format on

struct ChallengeFact {
    ChallengeId id{};
    std::string_view key{};
    std::string_view name{};
    CHALLENGE_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(ChallengeFact, CHALLENGE_FIELDS)

// clang-format off
inline constexpr auto challenge_facts = [] {
    using B = BlindId;
    using C = ConsumableId;
    using I = ChallengeId;
    using J = JokerId;
    using T = TagId;
    using V = VoucherId;
    constexpr Edition negative = Edition::negative;
    return std::to_array<ChallengeFact>({
        {.id = I::omelette, .key = "c_omelette_1", .name = "The Omelette",
         .no_reward = true, .no_extra_hand_money = true, .no_interest = true,
         .jokers = {{J::egg}, {J::egg}, {J::egg}, {J::egg}, {J::egg}},
         .banned_jokers = {J::to_the_moon, J::rocket, J::golden, J::satellite},
         .banned_vouchers = {V::seed_money, V::money_tree},
         .text = "Start with 5 Eggs. No blind rewards, no interest, nothing for hands left."},
        {.id = I::city, .key = "c_city_1", .name = "15 Minute City",
         .jokers = {{.id = J::ride_the_bus, .eternal = true}, {.id = J::shortcut, .eternal = true}},
         .deck = {.copies = {0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 0}},
         .text = "Eternal Ride the Bus and Shortcut. The deck has no Aces, 2s and 3s, and all face cards twice."},
        {.id = I::rich, .key = "c_rich_1", .name = "Rich get Richer",
         .chips_dollar_cap = true,
         .start = {.dollars = 100},
         .vouchers = {V::seed_money, V::money_tree},
         .text = "Start with $100, Seed Money and Money Tree. The Chips of a hand count at most your money."},
        {.id = I::knife, .key = "c_knife_1", .name = "On a Knife's Edge",
         .jokers = {{.id = J::ceremonial, .eternal = true, .pinned = true}},
         .text = "Start with an eternal Ceremonial Dagger pinned to the left."},
        {.id = I::xray, .key = "c_xray_1", .name = "X-ray Vision",
         .flipped_cards = 4,
         .text = "1 in 4 cards is drawn face down."},
        {.id = I::mad_world, .key = "c_mad_world_1", .name = "Mad World",
         .no_extra_hand_money = true, .no_interest = true,
         .jokers = {{.id = J::pareidolia, .edition = negative, .eternal = true}, {.id = J::business, .eternal = true}},
         .deck = {.copies = {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0}},
         .banned_blinds = {B::plant},
         .text = "Eternal Business Card and eternal, Negative Pareidolia. The deck has only 2s to 9s. No interest, "
                 "nothing for hands left."},
        {.id = I::luxury, .key = "c_luxury_1", .name = "Luxury Tax",
         .minus_hand_size_per_x_dollar = 5,
         .start = {.hand_size = 10},
         .text = "Start with hand size 10, 1 less for each $5 you have."},
        {.id = I::non_perishable, .key = "c_non_perishable_1", .name = "Non-Perishable",
         .all_eternal = true,
         .banned_jokers = {J::gros_michel, J::ice_cream, J::cavendish, J::turtle_bean, J::ramen, J::diet_cola,
                           J::selzer, J::popcorn, J::mr_bones, J::invisible, J::luchador},
         .banned_blinds = {B::final_leaf},
         .text = "All Jokers are Eternal."},
        {.id = I::medusa, .key = "c_medusa_1", .name = "Medusa",
         .jokers = {{.id = J::marble, .eternal = true}},
         .deck = {.face_enhancement = Enhancement::stone},
         .text = "Start with an eternal Marble Joker. All face cards of the deck are Stone cards."},
        {.id = I::double_nothing, .key = "c_double_nothing_1", .name = "Double or Nothing",
         .debuff_played_cards = true,
         .deck = {.seal = Seal::red},
         .text = "Every card of the deck has a Red Seal. Played cards are debuffed for the rest of the ante."},
        {.id = I::typecast, .key = "c_typecast_1", .name = "Typecast",
         .set_eternal_ante = 4, .set_joker_slots_ante = 4,
         .banned_blinds = {B::final_leaf},
         .text = "From the boss of ante 4 on, all Jokers are Eternal and there are no Joker slots."},
        {.id = I::inflation, .key = "c_inflation_1", .name = "Inflation",
         .inflation = true,
         .jokers = {{J::credit_card}},
         .banned_vouchers = {V::clearance_sale, V::liquidation},
         .text = "Start with Credit Card. Every purchase raises all prices by $1."},
        {.id = I::bram_poker, .key = "c_bram_poker_1", .name = "Bram Poker",
         .no_shop_jokers = true,
         .jokers = {{.id = J::vampire, .eternal = true}},
         .consumables = {C::empress, C::emperor},
         .vouchers = {V::magic_trick, V::illusion},
         .text = "Start with an eternal Vampire, The Empress, The Emperor, Magic Trick and Illusion. No Jokers in the "
                 "shop."},
        {.id = I::fragile, .key = "c_fragile_1", .name = "Fragile",
         .jokers = {{.id = J::oops, .edition = negative, .eternal = true},
                    {.id = J::oops, .edition = negative, .eternal = true}},
         .deck = {.enhancement = Enhancement::glass},
         .banned_jokers = {J::marble, J::vampire, J::midas_mask, J::certificate},
         .banned_consumables = {C::magician, C::empress, C::heirophant, C::chariot, C::devil, C::tower, C::lovers,
                                C::incantation, C::grim, C::familiar},
         .banned_vouchers = {V::magic_trick, V::illusion},
         .banned_boosters = {BoosterKind::standard},
         .banned_tags = {T::standard},
         .text = "Every card of the deck is a Glass card. Start with 2 eternal, Negative Oops! All 6s."},
        {.id = I::monolith, .key = "c_monolith_1", .name = "Monolith",
         .jokers = {{.id = J::obelisk, .eternal = true}, {.id = J::marble, .edition = negative, .eternal = true}},
         .text = "Start with an eternal Obelisk and an eternal, Negative Marble Joker."},
        {.id = I::blast_off, .key = "c_blast_off_1", .name = "Blast Off",
         .start = {.hands = 2, .discards = 2, .joker_slots = 4},
         .jokers = {{.id = J::constellation, .eternal = true}, {.id = J::rocket, .eternal = true}},
         .vouchers = {V::planet_merchant, V::planet_tycoon},
         .banned_jokers = {J::burglar},
         .banned_vouchers = {V::grabber, V::nacho_tong},
         .text = "2 hands, 2 discards, 4 Joker slots. Start with eternal Constellation and Rocket, Planet Merchant and "
                 "Planet Tycoon."},
        {.id = I::five_card, .key = "c_five_card_1", .name = "Five-Card Draw",
         .start = {.discards = 6, .hand_size = 5, .joker_slots = 7},
         .jokers = {{J::card_sharp}, {J::joker}},
         .banned_jokers = {J::juggler, J::troubadour, J::turtle_bean},
         .text = "Hand size 5, 6 discards, 7 Joker slots. Start with Card Sharp and Joker."},
        {.id = I::golden_needle, .key = "c_golden_needle_1", .name = "Golden Needle",
         .discard_cost = 1,
         .start = {.dollars = 10, .hands = 1, .discards = 6},
         .jokers = {{J::credit_card}},
         .banned_jokers = {J::burglar},
         .banned_vouchers = {V::grabber, V::nacho_tong},
         .text = "1 hand, 6 discards, $10. Start with Credit Card. Each discard costs $1."},
        {.id = I::cruelty, .key = "c_cruelty_1", .name = "Cruelty",
         .no_reward_small = true, .no_reward_big = true,
         .start = {.joker_slots = 3},
         .text = "3 Joker slots. Small Blind and Big Blind pay no reward."},
        {.id = I::jokerless, .key = "c_jokerless_1", .name = "Jokerless",
         .no_shop_jokers = true,
         .start = {.joker_slots = 0},
         .banned_consumables = {C::judgement, C::wraith, C::soul},
         .banned_vouchers = {V::antimatter},
         .banned_boosters = {BoosterKind::buffoon},
         .banned_tags = {T::rare, T::uncommon, T::holo, T::polychrome, T::negative, T::foil, T::buffoon, T::top_up},
         .banned_blinds = {B::final_acorn, B::final_heart, B::final_leaf},
         .text = "No Joker slots and no Jokers."},
    });
}();
// clang-format on
inline constexpr int challenge_count = static_cast<int>(challenge_facts.size());

constexpr const ChallengeFact& fact(ChallengeId id) { return challenge_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
