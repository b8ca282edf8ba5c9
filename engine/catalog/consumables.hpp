// The 52 consumables: 22 Tarots, 12 Planets, 18 Spectrals, each set in its pool order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "catalog/cards.hpp"
#include "catalog/fact_fields.hpp"
#include "catalog/hands.hpp"

namespace jimbo {

// clang-format off
enum class ConsumableId : std::uint8_t {
    // Tarot
    fool, magician, high_priestess, empress, emperor, heirophant, lovers, chariot, justice, hermit, wheel_of_fortune,
    strength, hanged_man, death, temperance, devil, tower, star, moon, sun, judgement, world,
    // Planet
    mercury, venus, earth, mars, jupiter, saturn, uranus, neptune, pluto, planet_x, ceres, eris,
    // Spectral
    familiar, grim, incantation, talisman, aura, wraith, sigil, ouija, ectoplasm, immolate, ankh, deja_vu, hex, trance,
    medium, cryptid, soul, black_hole
};
// clang-format on
inline constexpr ConsumableId first_tarot = ConsumableId::fool;
inline constexpr ConsumableId first_planet = ConsumableId::mercury;
inline constexpr ConsumableId first_spectral = ConsumableId::familiar;

enum class ConsumableKind : std::uint8_t { tarot, planet, spectral };
inline constexpr int consumable_kind_count = 3;
inline constexpr std::array<std::string_view, consumable_kind_count> consumable_kind_names{"Tarot", "Planet",
                                                                                           "Spectral"};

// clang-format off
#define CONSUMABLE_FIELDS(FIELD) \
    FIELD(kind, {}, "Tarot, Planet or Spectral.", ConsumableKind) \
    FIELD(cost, 0, "", std::uint8_t) \
    FIELD(min_targets, 0, "How many cards of the hand must be selected; 0 when it takes none.", std::uint8_t) \
    FIELD(max_targets, 0, "How many may be.", std::uint8_t) \
    FIELD(hand, {}, "The hand that a Planet raises.", std::optional<HandType>) \
    FIELD(softlocked, false, "It appears only after its hand has been played in this run.", bool)
// clang-format on

struct ConsumableFact {
    ConsumableId id{};
    std::string_view key{};
    std::string_view name{};
    CONSUMABLE_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(ConsumableFact, CONSUMABLE_FIELDS)

// clang-format off
inline constexpr auto consumable_facts = [] {
    using C = ConsumableId;
    using K = ConsumableKind;
    return std::to_array<ConsumableFact>({
        // Tarot
        {.id = C::fool, .key = "c_fool", .name = "The Fool", .kind = K::tarot, .cost = 3,
         .text = "Creates a copy of the last Tarot or Planet card used this run, The Fool excepted."},
        {.id = C::magician, .key = "c_magician", .name = "The Magician", .kind = K::tarot, .cost = 3,
         .min_targets = 1, .max_targets = 2, .text = "Turns up to 2 selected cards into Lucky cards."},
        {.id = C::high_priestess, .key = "c_high_priestess", .name = "The High Priestess", .kind = K::tarot,
         .cost = 3, .text = "Creates up to 2 random Planet cards, if there is room."},
        {.id = C::empress, .key = "c_empress", .name = "The Empress", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 2, .text = "Turns up to 2 selected cards into Mult cards."},
        {.id = C::emperor, .key = "c_emperor", .name = "The Emperor", .kind = K::tarot, .cost = 3,
         .text = "Creates up to 2 random Tarot cards, if there is room."},
        {.id = C::heirophant, .key = "c_heirophant", .name = "The Hierophant", .kind = K::tarot, .cost = 3,
         .min_targets = 1, .max_targets = 2, .text = "Turns up to 2 selected cards into Bonus cards."},
        {.id = C::lovers, .key = "c_lovers", .name = "The Lovers", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 1, .text = "Turns 1 selected card into a Wild card."},
        {.id = C::chariot, .key = "c_chariot", .name = "The Chariot", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 1, .text = "Turns 1 selected card into a Steel card."},
        {.id = C::justice, .key = "c_justice", .name = "Justice", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 1, .text = "Turns 1 selected card into a Glass card."},
        {.id = C::hermit, .key = "c_hermit", .name = "The Hermit", .kind = K::tarot, .cost = 3,
         .text = "Doubles your money, by $20 at most."},
        {.id = C::wheel_of_fortune, .key = "c_wheel_of_fortune", .name = "The Wheel of Fortune", .kind = K::tarot,
         .cost = 3,
         .text = "1 in 4 chance to give Foil, Holographic or Polychrome to a random Joker without an edition."},
        {.id = C::strength, .key = "c_strength", .name = "Strength", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 2, .text = "Raises the rank of up to 2 selected cards by 1."},
        {.id = C::hanged_man, .key = "c_hanged_man", .name = "The Hanged Man", .kind = K::tarot, .cost = 3,
         .min_targets = 1, .max_targets = 2, .text = "Destroys up to 2 selected cards."},
        {.id = C::death, .key = "c_death", .name = "Death", .kind = K::tarot, .cost = 3, .min_targets = 2,
         .max_targets = 2, .text = "Turns the left of 2 selected cards into a copy of the right one."},
        {.id = C::temperance, .key = "c_temperance", .name = "Temperance", .kind = K::tarot, .cost = 3,
         .text = "Gives the total sell value of your Jokers, $50 at most."},
        {.id = C::devil, .key = "c_devil", .name = "The Devil", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 1, .text = "Turns 1 selected card into a Gold card."},
        {.id = C::tower, .key = "c_tower", .name = "The Tower", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 1, .text = "Turns 1 selected card into a Stone card."},
        {.id = C::star, .key = "c_star", .name = "The Star", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 3, .text = "Turns up to 3 selected cards into Diamonds."},
        {.id = C::moon, .key = "c_moon", .name = "The Moon", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 3, .text = "Turns up to 3 selected cards into Clubs."},
        {.id = C::sun, .key = "c_sun", .name = "The Sun", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 3, .text = "Turns up to 3 selected cards into Hearts."},
        {.id = C::judgement, .key = "c_judgement", .name = "Judgement", .kind = K::tarot, .cost = 3,
         .text = "Creates a random Joker, if there is room."},
        {.id = C::world, .key = "c_world", .name = "The World", .kind = K::tarot, .cost = 3, .min_targets = 1,
         .max_targets = 3, .text = "Turns up to 3 selected cards into Spades."},
        // Planet
        {.id = C::mercury, .key = "c_mercury", .name = "Mercury", .kind = K::planet, .cost = 3,
         .hand = HandType::pair, .text = "Raises the level of Pair by 1 (+15 Chips, +1 Mult)."},
        {.id = C::venus, .key = "c_venus", .name = "Venus", .kind = K::planet, .cost = 3,
         .hand = HandType::three_of_a_kind, .text = "Raises the level of Three of a Kind by 1 (+20 Chips, +2 Mult)."},
        {.id = C::earth, .key = "c_earth", .name = "Earth", .kind = K::planet, .cost = 3,
         .hand = HandType::full_house, .text = "Raises the level of Full House by 1 (+25 Chips, +2 Mult)."},
        {.id = C::mars, .key = "c_mars", .name = "Mars", .kind = K::planet, .cost = 3,
         .hand = HandType::four_of_a_kind, .text = "Raises the level of Four of a Kind by 1 (+30 Chips, +3 Mult)."},
        {.id = C::jupiter, .key = "c_jupiter", .name = "Jupiter", .kind = K::planet, .cost = 3,
         .hand = HandType::flush, .text = "Raises the level of Flush by 1 (+15 Chips, +2 Mult)."},
        {.id = C::saturn, .key = "c_saturn", .name = "Saturn", .kind = K::planet, .cost = 3,
         .hand = HandType::straight, .text = "Raises the level of Straight by 1 (+30 Chips, +3 Mult)."},
        {.id = C::uranus, .key = "c_uranus", .name = "Uranus", .kind = K::planet, .cost = 3,
         .hand = HandType::two_pair, .text = "Raises the level of Two Pair by 1 (+20 Chips, +1 Mult)."},
        {.id = C::neptune, .key = "c_neptune", .name = "Neptune", .kind = K::planet, .cost = 3,
         .hand = HandType::straight_flush, .text = "Raises the level of Straight Flush by 1 (+40 Chips, +4 Mult)."},
        {.id = C::pluto, .key = "c_pluto", .name = "Pluto", .kind = K::planet, .cost = 3, .hand = HandType::high_card,
         .text = "Raises the level of High Card by 1 (+10 Chips, +1 Mult)."},
        {.id = C::planet_x, .key = "c_planet_x", .name = "Planet X", .kind = K::planet, .cost = 3,
         .hand = HandType::five_of_a_kind, .softlocked = true,
         .text = "Raises the level of Five of a Kind by 1 (+35 Chips, +3 Mult)."},
        {.id = C::ceres, .key = "c_ceres", .name = "Ceres", .kind = K::planet, .cost = 3,
         .hand = HandType::flush_house, .softlocked = true,
         .text = "Raises the level of Flush House by 1 (+40 Chips, +4 Mult)."},
        {.id = C::eris, .key = "c_eris", .name = "Eris", .kind = K::planet, .cost = 3, .hand = HandType::flush_five,
         .softlocked = true, .text = "Raises the level of Flush Five by 1 (+50 Chips, +3 Mult)."},
        // Spectral
        {.id = C::familiar, .key = "c_familiar", .name = "Familiar", .kind = K::spectral, .cost = 4,
         .text = "Destroys 1 random card in hand and adds 3 random enhanced face cards."},
        {.id = C::grim, .key = "c_grim", .name = "Grim", .kind = K::spectral, .cost = 4,
         .text = "Destroys 1 random card in hand and adds 2 random enhanced Aces."},
        {.id = C::incantation, .key = "c_incantation", .name = "Incantation", .kind = K::spectral, .cost = 4,
         .text = "Destroys 1 random card in hand and adds 4 random enhanced numbered cards."},
        {.id = C::talisman, .key = "c_talisman", .name = "Talisman", .kind = K::spectral, .cost = 4, .min_targets = 1,
         .max_targets = 1, .text = "Puts a Gold Seal on 1 selected card."},
        {.id = C::aura, .key = "c_aura", .name = "Aura", .kind = K::spectral, .cost = 4, .min_targets = 1,
         .max_targets = 1, .text = "Gives Foil, Holographic or Polychrome to 1 selected card without an edition."},
        {.id = C::wraith, .key = "c_wraith", .name = "Wraith", .kind = K::spectral, .cost = 4,
         .text = "Creates a random Rare Joker, if there is room, and sets your money to $0."},
        {.id = C::sigil, .key = "c_sigil", .name = "Sigil", .kind = K::spectral, .cost = 4,
         .text = "Turns all cards in hand into one random suit."},
        {.id = C::ouija, .key = "c_ouija", .name = "Ouija", .kind = K::spectral, .cost = 4,
         .text = "Turns all cards in hand into one random rank. -1 hand size."},
        {.id = C::ectoplasm, .key = "c_ectoplasm", .name = "Ectoplasm", .kind = K::spectral, .cost = 4,
         .text = "Gives Negative to a random Joker without an edition. -1 hand size, 1 more with each use this run."},
        {.id = C::immolate, .key = "c_immolate", .name = "Immolate", .kind = K::spectral, .cost = 4,
         .text = "Destroys 5 random cards in hand and gives $20."},
        {.id = C::ankh, .key = "c_ankh", .name = "Ankh", .kind = K::spectral, .cost = 4,
         .text = "Copies a random Joker and destroys all other Jokers. The copy loses Negative."},
        {.id = C::deja_vu, .key = "c_deja_vu", .name = "Deja Vu", .kind = K::spectral, .cost = 4, .min_targets = 1,
         .max_targets = 1, .text = "Puts a Red Seal on 1 selected card."},
        {.id = C::hex, .key = "c_hex", .name = "Hex", .kind = K::spectral, .cost = 4,
         .text = "Gives Polychrome to a random Joker without an edition and destroys all other Jokers."},
        {.id = C::trance, .key = "c_trance", .name = "Trance", .kind = K::spectral, .cost = 4, .min_targets = 1,
         .max_targets = 1, .text = "Puts a Blue Seal on 1 selected card."},
        {.id = C::medium, .key = "c_medium", .name = "Medium", .kind = K::spectral, .cost = 4, .min_targets = 1,
         .max_targets = 1, .text = "Puts a Purple Seal on 1 selected card."},
        {.id = C::cryptid, .key = "c_cryptid", .name = "Cryptid", .kind = K::spectral, .cost = 4, .min_targets = 1,
         .max_targets = 1, .text = "Creates 2 copies of 1 selected card in your hand."},
        {.id = C::soul, .key = "c_soul", .name = "The Soul", .kind = K::spectral, .cost = 4,
         .text = "Creates a Legendary Joker, if there is room."},
        {.id = C::black_hole, .key = "c_black_hole", .name = "Black Hole", .kind = K::spectral, .cost = 4,
         .text = "Raises the level of every poker hand by 1."},
    });
}();
// clang-format on
inline constexpr int consumable_count = static_cast<int>(consumable_facts.size());

consteval int consumables_of(ConsumableKind kind) {
    int n = 0;
    for (const ConsumableFact& card : consumable_facts) n += card.kind == kind ? 1 : 0;
    return n;
}
inline constexpr int tarot_count = consumables_of(ConsumableKind::tarot);
inline constexpr int planet_count = consumables_of(ConsumableKind::planet);
inline constexpr int spectral_count = consumables_of(ConsumableKind::spectral);  // with The Soul and Black Hole

constexpr const ConsumableFact& fact(ConsumableId id) { return consumable_facts[static_cast<std::size_t>(id)]; }

// The Planet that raises each hand.
inline constexpr std::array<ConsumableId, hand_type_count> planets_by_hand = [] {
    std::array<ConsumableId, hand_type_count> planets{};
    for (const ConsumableFact& card : consumable_facts) {
        if (card.hand) planets[static_cast<std::size_t>(*card.hand)] = card.id;
    }
    return planets;
}();

constexpr ConsumableId planet_of(HandType hand) { return planets_by_hand[static_cast<std::size_t>(hand)]; }

// The suit that a Tarot gives its targets.
constexpr std::optional<Suit> suit_made_by(ConsumableId key) {
    switch (key) {
        case ConsumableId::star:
            return Suit::diamonds;
        case ConsumableId::moon:
            return Suit::clubs;
        case ConsumableId::sun:
            return Suit::hearts;
        case ConsumableId::world:
            return Suit::spades;
        default:
            return std::nullopt;
    }
}

}  // namespace jimbo
