// The 15 decks a run may start with, the deck of the challenges, and what every run starts from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/consumables.hpp"
#include "catalog/fact_fields.hpp"
#include "catalog/few.hpp"
#include "catalog/vouchers.hpp"

namespace jimbo {

// clang-format off
#define START_FIELDS(FIELD) \
    FIELD(dollars, 4, "", std::int16_t) \
    FIELD(hands, 4, "", std::int8_t) \
    FIELD(discards, 3, "", std::int8_t) \
    FIELD(hand_size, 8, "", std::int8_t) \
    FIELD(joker_slots, 5, "", std::int8_t) \
    FIELD(consumable_slots, 2, "", std::int8_t) \
    FIELD(reroll_cost, 5, "", std::int8_t)
// clang-format on

// What a run starts from before its deck, stake and challenge change it.
struct RunStart {
    START_FIELDS(JIMBO_MEMBER)
    constexpr bool operator==(const RunStart&) const = default;
};
JIMBO_FIELDS_OF(RunStart, START_FIELDS)
inline constexpr RunStart run_start{};

// clang-format off
enum class DeckId : std::uint8_t {
    red, blue, yellow, green, black, magic, nebula, ghost, abandoned, checkered, zodiac, painted, anaglyph, plasma,
    erratic, challenge
};

#define DECK_FIELDS(FIELD) \
    FIELD(hands, 0, "This and the next five are added to what every run starts with.", std::int8_t) \
    FIELD(discards, 0, "", std::int8_t) \
    FIELD(dollars, 0, "", std::int8_t) \
    FIELD(hand_size, 0, "", std::int8_t) \
    FIELD(joker_slots, 0, "", std::int8_t) \
    FIELD(consumable_slots, 0, "", std::int8_t) \
    FIELD(dollars_per_hand, 1, "Payout for each hand left at the end of a round.", std::uint8_t) \
    FIELD(dollars_per_discard, 0, "Payout for each discard left.", std::uint8_t) \
    FIELD(no_interest, false, "", bool) \
    FIELD(vouchers, {}, "Redeemed at the start.", Few<VoucherId, 3>) \
    FIELD(consumables, {}, "Held at the start.", Few<ConsumableId, 2>) \
    FIELD(spectral_rate, 0, "Weight of Spectral cards in the shop.", std::uint8_t) \
    FIELD(remove_faces, false, "No Jack, Queen or King.", bool) \
    FIELD(checkered, false, "Clubs become Spades, Diamonds become Hearts.", bool) \
    FIELD(erratic, false, "52 random fronts.", bool) \
    FIELD(ante_scaling, 1, "Times the required score.", std::uint8_t) \
    FIELD(double_tag_after_boss, false, "", bool) \
    FIELD(balances_score, false, "Chips and Mult both become half of their sum.", bool)
// clang-format on

struct DeckFact {
    DeckId id{};
    std::string_view key{};
    std::string_view name{};
    DECK_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(DeckFact, DECK_FIELDS)

// clang-format off
inline constexpr auto deck_facts = [] {
    using D = DeckId;
    using V = VoucherId;
    using C = ConsumableId;
    return std::to_array<DeckFact>({
        {.id = D::red, .key = "b_red", .name = "Red Deck", .discards = 1, .text = "+1 discard each round."},
        {.id = D::blue, .key = "b_blue", .name = "Blue Deck", .hands = 1, .text = "+1 hand each round."},
        {.id = D::yellow, .key = "b_yellow", .name = "Yellow Deck", .dollars = 10, .text = "Start with $10 more."},
        {.id = D::green, .key = "b_green", .name = "Green Deck", .dollars_per_hand = 2, .dollars_per_discard = 1,
         .no_interest = true,
         .text = "At the end of each round, $2 for each hand left and $1 for each discard left, but no interest."},
        {.id = D::black, .key = "b_black", .name = "Black Deck", .hands = -1, .joker_slots = 1,
         .text = "+1 Joker slot, -1 hand each round."},
        {.id = D::magic, .key = "b_magic", .name = "Magic Deck", .vouchers = {V::crystal_ball},
         .consumables = {C::fool, C::fool}, .text = "Start with the Crystal Ball voucher and 2 copies of The Fool."},
        {.id = D::nebula, .key = "b_nebula", .name = "Nebula Deck", .consumable_slots = -1,
         .vouchers = {V::telescope}, .text = "Start with the Telescope voucher. -1 consumable slot."},
        {.id = D::ghost, .key = "b_ghost", .name = "Ghost Deck", .consumables = {C::hex}, .spectral_rate = 2,
         .text = "Spectral cards may appear in the shop. Start with a Hex card."},
        {.id = D::abandoned, .key = "b_abandoned", .name = "Abandoned Deck", .remove_faces = true,
         .text = "Start without face cards in the deck."},
        {.id = D::checkered, .key = "b_checkered", .name = "Checkered Deck", .checkered = true,
         .text = "Start with 26 Spades and 26 Hearts in the deck."},
        {.id = D::zodiac, .key = "b_zodiac", .name = "Zodiac Deck",
         .vouchers = {V::tarot_merchant, V::planet_merchant, V::overstock_norm},
         .text = "Start with the Tarot Merchant, Planet Merchant and Overstock vouchers."},
        {.id = D::painted, .key = "b_painted", .name = "Painted Deck", .hand_size = 2, .joker_slots = -1,
         .text = "+2 hand size, -1 Joker slot."},
        {.id = D::anaglyph, .key = "b_anaglyph", .name = "Anaglyph Deck", .double_tag_after_boss = true,
         .text = "A Double Tag after each defeated Boss Blind."},
        {.id = D::plasma, .key = "b_plasma", .name = "Plasma Deck", .ante_scaling = 2, .balances_score = true,
         .text = "Chips and Mult are balanced when a hand is scored. Blinds need X2 score."},
        {.id = D::erratic, .key = "b_erratic", .name = "Erratic Deck", .erratic = true,
         .text = "All ranks and suits of the deck are random."},
        {.id = D::challenge, .key = "b_challenge", .name = "Challenge Deck",
         .text = "The deck of a challenge: its rules and cards come from the challenge."},
    });
}();
// clang-format on
inline constexpr int deck_count = static_cast<int>(deck_facts.size());
inline constexpr int playable_deck_count = deck_count - 1;  // all but the last, the deck of the challenges

constexpr const DeckFact& fact(DeckId id) { return deck_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
