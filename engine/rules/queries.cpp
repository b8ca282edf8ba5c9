#include "rules/queries.hpp"

#include "rules/open_points.hpp"

namespace jimbo {

Traits traits_of(const RunState& run) {
    Traits traits;
    for (const Joker& joker : run.jokers) {
        if (joker.debuffed || joker.leaving) continue;
        switch (joker.key) {
            case JokerId::pareidolia:
                traits.pareidolia = true;
                break;
            case JokerId::smeared:
                traits.smeared = true;
                break;
            case JokerId::four_fingers:
                traits.four_fingers = true;
                break;
            case JokerId::shortcut:
                traits.shortcut = true;
                break;
            case JokerId::splash:
                traits.splash = true;
                break;
            default:
                break;
        }
    }
    return traits;
}

int count_working(const RunState& run, JokerId key) {
    int n = 0;
    for (const Joker& joker : run.jokers) n += joker.key == key && !joker.debuffed && !joker.leaving;
    return n;
}

double odds_numerator(const RunState& run) {
    double numerator = 1.0;
    for (int n = count_working(run, JokerId::oops); n > 0; --n) numerator *= 2.0;
    return numerator;
}

bool is_face(const Card& card, const Traits& traits, bool even_debuffed) {
    if (card.debuffed && !even_debuffed) return false;
    if (is_stone(card)) return traits.pareidolia && open_point::pareidolia_includes_stone;
    return traits.pareidolia || is_face_rank(card.rank);
}

namespace {

constexpr bool is_red(Suit suit) { return suit == Suit::hearts || suit == Suit::diamonds; }

constexpr std::uint32_t red_suits = 1u << static_cast<int>(Suit::hearts) | 1u << static_cast<int>(Suit::diamonds);
constexpr std::uint32_t black_suits = 1u << static_cast<int>(Suit::spades) | 1u << static_cast<int>(Suit::clubs);

bool same_suit(Suit a, Suit b, const Traits& traits) { return a == b || (traits.smeared && is_red(a) == is_red(b)); }

}  // namespace

bool is_suit(const Card& card, Suit suit, const Traits& traits, bool even_debuffed) {
    if (is_stone(card) || (card.debuffed && !even_debuffed)) return false;
    return card.enhancement == Enhancement::wild || same_suit(card.suit, suit, traits);
}

std::uint32_t flush_suits(const Card& card, const Traits& traits) {
    if (is_stone(card)) return 0;
    if (working_enhancement(card) == Enhancement::wild) return (1u << suit_count) - 1;
    if (traits.smeared) return is_red(card.suit) ? red_suits : black_suits;
    return 1u << static_cast<int>(card.suit);
}

int card_chips(const Card& card) {
    if (card.debuffed) return 0;
    if (is_stone(card)) return 50 + card.bonus;
    return chips_of(card.rank) + card.bonus + (card.enhancement == Enhancement::bonus ? 30 : 0);
}

int nominal_order(const RunState& run, CardIndex index) {
    const Card& card = run.cards[index];
    const int rank = static_cast<int>(card.rank);
    const int suit = static_cast<int>(card.suit);
    const int created = static_cast<int>(card.created_suit);
    // Stone cards come after all others: by suit from the lowest up, then by their hidden rank.
    const bool stone = is_stone(card);
    const int order = stone ? suit * 16 + rank - 100 : rank * 8 + suit_count - suit;
    const int among_equals = stone ? created : suit_count - 1 - created;
    return (order * suit_count + among_equals) * 256 + (255 - index);
}

int consumable_room(const RunState& run) {
    int taken = 0;
    for (const Consumable& c : run.consumables) taken += c.edition != Edition::negative;
    return run.consumable_slots - taken;
}

int joker_room(const RunState& run) {
    int taken = 0;
    for (const Joker& j : run.jokers) taken += j.edition != Edition::negative && !j.leaving;
    return run.joker_slots - taken;
}

}  // namespace jimbo
