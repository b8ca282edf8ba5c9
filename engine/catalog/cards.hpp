// Playing cards: suits, ranks, the 52 fronts, and everything that can be put on a card.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "catalog/fact_fields.hpp"

namespace jimbo {

// Suits in display order: equal ranks of a sorted hand stand in this order.
enum class Suit : std::uint8_t { spades, hearts, clubs, diamonds };
inline constexpr int suit_count = 4;

struct SuitFact {
    Suit id;
    char letter;            // as in a front's key
    std::string_view name;  // plural, as the game writes it
};

inline constexpr std::array<SuitFact, suit_count> suit_facts{{
    {Suit::spades, 'S', "Spades"},
    {Suit::hearts, 'H', "Hearts"},
    {Suit::clubs, 'C', "Clubs"},
    {Suit::diamonds, 'D', "Diamonds"},
}};

enum class Rank : std::uint8_t { two, three, four, five, six, seven, eight, nine, ten, jack, queen, king, ace };
inline constexpr int rank_count = 13;

struct RankFact {
    Rank id;
    char letter;         // as in a front's key
    std::uint8_t chips;  // what the card adds when it scores
    std::string_view name;
};

inline constexpr std::array<RankFact, rank_count> rank_facts{{
    {Rank::two, '2', 2, "2"},
    {Rank::three, '3', 3, "3"},
    {Rank::four, '4', 4, "4"},
    {Rank::five, '5', 5, "5"},
    {Rank::six, '6', 6, "6"},
    {Rank::seven, '7', 7, "7"},
    {Rank::eight, '8', 8, "8"},
    {Rank::nine, '9', 9, "9"},
    {Rank::ten, 'T', 10, "10"},
    {Rank::jack, 'J', 10, "Jack"},
    {Rank::queen, 'Q', 10, "Queen"},
    {Rank::king, 'K', 10, "King"},
    {Rank::ace, 'A', 11, "Ace"},
}};

constexpr const SuitFact& fact(Suit id) { return suit_facts[static_cast<std::size_t>(id)]; }
constexpr const RankFact& fact(Rank id) { return rank_facts[static_cast<std::size_t>(id)]; }
constexpr int chips_of(Rank rank) { return fact(rank).chips; }

// A front is what is printed on a playing card.
struct Front {
    Rank rank;
    Suit suit;
    constexpr bool operator==(const Front&) const = default;
};
inline constexpr int front_count = 52;

// Fronts in the bytewise order of their keys (C_2..C_9, C_A, C_J, C_K, C_Q, C_T, D_2, ...): the order in which the
// game lists them, creates a deck, and draws a random one.
inline constexpr std::array<Front, front_count> fronts = [] {
    using enum Rank;
    constexpr std::array suits{Suit::clubs, Suit::diamonds, Suit::hearts, Suit::spades};
    constexpr std::array ranks{two, three, four, five, six, seven, eight, nine, ace, jack, king, queen, ten};
    std::array<Front, front_count> all{};
    std::size_t n = 0;
    for (Suit suit : suits) {
        for (Rank rank : ranks) all[n++] = {rank, suit};
    }
    return all;
}();

inline constexpr std::array<std::array<std::uint8_t, rank_count>, suit_count> front_indices = [] {
    std::array<std::array<std::uint8_t, rank_count>, suit_count> indices{};
    for (std::size_t i = 0; i < fronts.size(); ++i) {
        indices[static_cast<std::size_t>(fronts[i].suit)][static_cast<std::size_t>(fronts[i].rank)] =
            static_cast<std::uint8_t>(i);
    }
    return indices;
}();

// Position of a front in `fronts`.
constexpr int front_index(Front front) {
    return front_indices[static_cast<std::size_t>(front.suit)][static_cast<std::size_t>(front.rank)];
}

inline constexpr std::array<std::array<char, 3>, front_count> front_key_letters = [] {
    std::array<std::array<char, 3>, front_count> keys{};
    for (std::size_t i = 0; i < fronts.size(); ++i) {
        keys[i] = {fact(fronts[i].suit).letter, '_', fact(fronts[i].rank).letter};
    }
    return keys;
}();

// The game's key of a front, such as "H_T".
constexpr std::string_view front_key(Front front) {
    const auto& letters = front_key_letters[static_cast<std::size_t>(front_index(front))];
    return {letters.data(), letters.size()};
}

enum class Enhancement : std::uint8_t { none, bonus, mult, wild, glass, steel, stone, gold, lucky };
inline constexpr int enhancement_count = 9;  // with `none`

// clang-format off
#define ENHANCEMENT_FIELDS(FIELD) \
    FIELD(word, {}, "The name without \"Card\".", std::string_view)
// clang-format on

struct EnhancementFact {
    Enhancement id{};
    std::string_view key{};
    std::string_view name{};
    ENHANCEMENT_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(EnhancementFact, ENHANCEMENT_FIELDS)

inline constexpr std::array<EnhancementFact, enhancement_count> enhancement_facts{{
    {Enhancement::none, "", "", "", ""},
    {Enhancement::bonus, "m_bonus", "Bonus", "Bonus", "+30 Chips when scored."},
    {Enhancement::mult, "m_mult", "Mult", "Mult", "+4 Mult when scored."},
    {Enhancement::wild, "m_wild", "Wild Card", "Wild", "Counts as every suit."},
    {Enhancement::glass, "m_glass", "Glass Card", "Glass",
     "X2 Mult when scored. 1 in 4 chance to break after all scoring."},
    {Enhancement::steel, "m_steel", "Steel Card", "Steel", "X1.5 Mult while held in hand."},
    {Enhancement::stone, "m_stone", "Stone Card", "Stone", "+50 Chips. Has no rank or suit and always scores."},
    {Enhancement::gold, "m_gold", "Gold Card", "Gold", "$3 if held in hand at the end of the round."},
    {Enhancement::lucky, "m_lucky", "Lucky Card", "Lucky",
     "When scored, 1 in 5 chance for +20 Mult and 1 in 15 chance for $20."},
}};

enum class Edition : std::uint8_t { base, foil, holo, polychrome, negative };
inline constexpr int edition_count = 5;  // with `base`

// clang-format off
#define EDITION_FIELDS(FIELD) \
    FIELD(price, 0, "Added to the cost of the card that carries it.", std::uint8_t)
// clang-format on

struct EditionFact {
    Edition id{};
    std::string_view key{};
    std::string_view name{};
    EDITION_FIELDS(JIMBO_MEMBER)
    std::string_view text{};
};
JIMBO_FIELDS_OF(EditionFact, EDITION_FIELDS)

inline constexpr std::array<EditionFact, edition_count> edition_facts{{
    {Edition::base, "e_base", "Base", 0, "No extra effect."},
    {Edition::foil, "e_foil", "Foil", 2, "+50 Chips."},
    {Edition::holo, "e_holo", "Holographic", 3, "+10 Mult."},
    {Edition::polychrome, "e_polychrome", "Polychrome", 5, "X1.5 Mult."},
    {Edition::negative, "e_negative", "Negative", 5,
     "A Joker adds +1 Joker slot; a consumable adds +1 consumable slot."},
}};

enum class Seal : std::uint8_t { none, gold, red, blue, purple };
inline constexpr int seal_count = 5;  // with `none`

struct SealFact {
    Seal id;
    std::string_view key;
    std::string_view name;
    std::string_view text;
};

inline constexpr std::array<SealFact, seal_count> seal_facts{{
    {Seal::none, "", "", ""},
    {Seal::gold, "seal_gold", "Gold Seal", "$3 when scored."},
    {Seal::red, "seal_red", "Red Seal", "Retriggers this card once, when scored and when held in hand."},
    {Seal::blue, "seal_blue", "Blue Seal",
     "If held in hand at the end of the round, creates the Planet card of the last hand played, if there is room."},
    {Seal::purple, "seal_purple", "Purple Seal", "Creates a Tarot card when discarded, if there is room."},
}};

enum class Sticker : std::uint8_t { eternal, perishable, rental };
inline constexpr int sticker_count = 3;

struct StickerFact {
    Sticker id;
    std::string_view key;
    std::string_view name;
    std::string_view text;
};

inline constexpr std::array<StickerFact, sticker_count> sticker_facts{{
    {Sticker::eternal, "eternal", "Eternal", "Cannot be sold or destroyed."},
    {Sticker::perishable, "perishable", "Perishable", "Debuffed for good after 5 rounds."},
    {Sticker::rental, "rental", "Rental", "Costs $1 to buy and $3 at the end of each round."},
}};

constexpr const EnhancementFact& fact(Enhancement id) { return enhancement_facts[static_cast<std::size_t>(id)]; }
constexpr const EditionFact& fact(Edition id) { return edition_facts[static_cast<std::size_t>(id)]; }
constexpr const SealFact& fact(Seal id) { return seal_facts[static_cast<std::size_t>(id)]; }
constexpr const StickerFact& fact(Sticker id) { return sticker_facts[static_cast<std::size_t>(id)]; }

}  // namespace jimbo
