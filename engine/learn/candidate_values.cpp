#include "learn/candidate_values.hpp"

#include <algorithm>
#include <bit>

#include "learn/habits.hpp"
#include "play/scorer.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/hand_type.hpp"

namespace jimbo {
namespace {

// By hand, level and cards alone, without jokers and boss.
double promise(const RunState& run, std::uint64_t cards, const Traits& traits) {
    const auto played = hand_cards(run, cards);
    const HandFound found = find_hand(run, std::span(played.begin(), played.end()), traits);
    const HandBase base = hand_base(run, found.hand);
    double chips = base.chips;
    for (int i = 0; i < played.size(); ++i) {
        if (((found.scoring >> i) & 1) != 0 || traits.splash) chips += card_chips(run.cards[played[i]]);
    }
    return chips * base.mult;
}

void keep_promising(const RunState& run, std::vector<Candidate>& plays) {
    const Traits traits = traits_of(run);
    for (Candidate& play : plays) play.value = promise(run, play.action.cards, traits);
    std::nth_element(plays.begin(), plays.begin() + habits::max_scored_plays, plays.end(),
                     [](const auto& a, const auto& b) {
                         return a.value != b.value ? a.value > b.value : a.action.cards < b.action.cards;
                     });
    plays.resize(habits::max_scored_plays);
}

}  // namespace

void score_plays(const RunState& run, std::vector<Candidate>& plays, std::vector<LastHand>& played) {
    if (plays.size() > habits::max_scored_plays) keep_promising(run, plays);
    HandScorer scorer(run);
    played.clear();
    for (Candidate& play : plays) {
        const LastHand hand = scorer.score(play.action.cards, Luck::expected);
        play.play = static_cast<std::int32_t>(played.size());
        play.hand = hand.hand;
        play.value = !hand.blocked && hand.score >= 0 ? hand.score : 0.0;  // 0 for NaN, too
        played.push_back(hand);
    }
}

// Groups of ranks, four or more of a suit or in a row, and as many new cards as possible.
double value_of_kept(const HandLook::Kept& kept, int discarded) {
    const auto at = [](const std::array<double, 6>& table, int n) {
        return table[static_cast<std::size_t>(std::min(n, 5))];
    };
    const double pairs = kept.pairs > 1 ? habits::further_pair * (kept.pairs - 1) : 0.0;
    return at(habits::kept_of_rank, kept.rank) + pairs + at(habits::kept_of_suit, kept.suit) +
           at(habits::kept_in_a_row, kept.run) + habits::new_card * discarded + habits::kept_chip * kept.chips;
}

std::optional<ConsumableId> consumable_of(const RunState& run, const Action& action) {
    const auto of_offer = [](const Offer& offer) -> std::optional<ConsumableId> {
        if (offer.kind != OfferKind::consumable) return std::nullopt;
        return offer.consumable;
    };
    switch (action.kind) {
        case ActionKind::use:
        case ActionKind::sell_consumable:
        case ActionKind::move_consumable:
            return run.consumables[action.index].key;
        case ActionKind::buy:
        case ActionKind::buy_and_use:
            return of_offer(run.shop[action.index].offer);
        case ActionKind::pick:
            return of_offer(run.pack.cards[action.index]);
        default:
            return std::nullopt;
    }
}

// --- Targets -------------------------------------------------------------------------------------------------------

namespace {

std::optional<Suit> new_suit(ConsumableId key) {
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

bool gives_enhancement(ConsumableId key) {
    return fact(key).kind == ConsumableKind::tarot && key != ConsumableId::strength && !new_suit(key);
}

// Chips, and more for what is on the card.
double worth(const RunState& run, const HandLook& look, int position) {
    const Card& card = run.hand_card(position);
    if (card.face_down) return habits::hidden_card;
    double worth = look.chips(position) + look.company(position);
    if (card.enhancement != Enhancement::none) worth += habits::enhanced_card;
    if (card.edition != Edition::base) worth += habits::edition_card;
    if (card.seal != Seal::none) worth += habits::sealed_card;
    return worth;
}

// Death makes the left card a copy of the right one.
double value_of_death(const RunState& run, const HandLook& look, std::uint64_t cards) {
    const int left = std::countr_zero(cards);
    const int right = 63 - std::countl_zero(cards);
    return worth(run, look, right) - worth(run, look, left);
}

}  // namespace

double value_of_use(const RunState& run, const HandLook& look, const Action& action) {
    const std::optional<ConsumableId> key = consumable_of(run, action);
    if (!key) return 0;
    if (*key == ConsumableId::death) return value_of_death(run, look, action.cards);
    const std::optional<Suit> suit = new_suit(*key);
    double value = 0;
    for (std::uint64_t rest = action.cards; rest != 0; rest &= rest - 1) {
        const int position = std::countr_zero(rest);
        const Card& card = run.hand_card(position);
        const double one = worth(run, look, position);
        if (*key == ConsumableId::hanged_man) {
            value += habits::destroyed_card - one;
        } else if (suit && !card.face_down && card.suit == *suit) {
            value += habits::unchanged_card;
        } else if (gives_enhancement(*key) && card.enhancement != Enhancement::none && !card.face_down) {
            value += habits::replaced_card;
        } else {
            value += habits::bettered_card + one;
        }
    }
    return value;
}

}  // namespace jimbo
