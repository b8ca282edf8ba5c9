#include "learn/candidate_values.hpp"

#include <algorithm>
#include <bit>

#include "learn/tuning.hpp"
#include "play/scorer.hpp"
#include "rules/effects.hpp"
#include "rules/hand_finder.hpp"
#include "rules/hand_levels.hpp"

namespace jimbo {
namespace {

// What plays promise by hand, level and cards alone, without jokers and boss.
class Promises {
public:
    explicit Promises(const RunState& run) : run_(run), traits_(traits_of(run)), finder_(run, traits_) {
        for (CardIndex card : run.hand) chips_.push_back(card_chips(run.cards[card]));
    }

    double of(std::uint64_t cards) const {
        const HandFound found = finder_.find(cards);
        const HandBase base = hand_base(run_, found.hand);
        double chips = base.chips;
        for (std::uint64_t rest = traits_.splash ? cards : found.scoring; rest != 0; rest &= rest - 1) {
            chips += chips_[std::countr_zero(rest)];
        }
        return chips * base.mult;
    }

private:
    const RunState& run_;
    Traits traits_;
    HandFinder finder_;
    ScratchVector<int, max_hand> chips_;
};

void keep_promising(const RunState& run, Choices& plays) {
    const Promises promises(run);
    std::vector<int> places;
    for (int i = 0; i < plays.size(); ++i) {
        plays.set_value(i, promises.of(plays.cards(i)));
        places.push_back(i);
    }
    const auto end = places.begin() + tuning::max_scored_plays;
    std::nth_element(places.begin(), end, places.end(), [&](int a, int b) {
        return plays.value(a) != plays.value(b) ? plays.value(a) > plays.value(b) : plays.cards(a) < plays.cards(b);
    });
    places.erase(end, places.end());
    std::sort(places.begin(), places.end());
    plays.keep(places);
}

// Scores plays that are not plain each by itself; of plain ones those with the same scoring cards together.
class PlayScorer {
public:
    PlayScorer(const RunState& run, std::vector<LastHand>& hands)
        : scorer_(run), plain_(scorer_.is_plain()), hands_(hands) {}

    // Where the play's score is among the hands.
    std::uint16_t score(std::uint64_t cards) {
        if (!plain_) return add(cards);
        const HandFound found = scorer_.find(cards);
        const std::uint64_t scoring = scorer_.scoring(cards, found);
        Known& known = known_[(scoring * 0x9E3779B97F4A7C15U) >> 57];
        if (known.scoring != scoring || known.hand != found.hand) known = {scoring, found.hand, add(cards)};
        return known.place;
    }

private:
    struct Known {
        std::uint64_t scoring = 0;  // nothing yet: something scores in every hand
        HandType hand{};
        std::uint16_t place = 0;
    };

    std::uint16_t add(std::uint64_t cards) {
        hands_.push_back(scorer_.score(cards, Luck::expected));
        return static_cast<std::uint16_t>(hands_.size() - 1);
    }

    HandScorer scorer_;
    bool plain_;
    std::vector<LastHand>& hands_;
    std::array<Known, 128> known_{};  // by a hash of the scoring cards; what does not fit is scored again
};

}  // namespace

void score_plays(const RunState& run, Choices& plays, ScoredPlays& scored) {
    if (plays.size() > static_cast<int>(tuning::max_scored_plays)) keep_promising(run, plays);
    scored.hands.clear();
    scored.places.resize(static_cast<std::size_t>(plays.size()));
    PlayScorer scorer(run, scored.hands);
    for (int i = 0; i < plays.size(); ++i) {
        const std::uint16_t place = scorer.score(plays.cards(i));
        const LastHand& hand = scored.hands[place];
        scored.places[static_cast<std::size_t>(i)] = place;
        plays.set_value(i, !hand.blocked && hand.score >= 0 ? hand.score : 0.0);  // 0 for NaN, too
    }
}

// Groups of ranks, four or more of a suit or in a row, and as many new cards as possible.
double value_of_kept(const HandLook::Kept& kept, int discarded) {
    const auto at = [](const std::array<double, 6>& table, int n) {
        return table[static_cast<std::size_t>(std::min(n, 5))];
    };
    const double pairs = kept.pairs > 1 ? tuning::further_pair * (kept.pairs - 1) : 0.0;
    return at(tuning::kept_of_rank, kept.rank) + pairs + at(tuning::kept_of_suit, kept.suit) +
           at(tuning::kept_in_a_row, kept.run) + tuning::new_card * discarded + tuning::kept_chip * kept.chips;
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

bool gives_enhancement(ConsumableId key) {
    return fact(key).kind == ConsumableKind::tarot && key != ConsumableId::strength && !suit_made_by(key);
}

// Chips, and more for what is on the card.
double worth(const RunState& run, const HandLook& look, int position) {
    const Card& card = run.hand_card(position);
    if (card.face_down) return tuning::hidden_card;
    double worth = look.chips(position) + look.company(position);
    if (card.enhancement != Enhancement::none) worth += tuning::enhanced_card;
    if (card.edition != Edition::base) worth += tuning::edition_card;
    if (card.seal != Seal::none) worth += tuning::sealed_card;
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
    const std::optional<Suit> suit = suit_made_by(*key);
    double value = 0;
    for (std::uint64_t rest = action.cards; rest != 0; rest &= rest - 1) {
        const int position = std::countr_zero(rest);
        const Card& card = run.hand_card(position);
        const double one = worth(run, look, position);
        if (*key == ConsumableId::hanged_man) {
            value += tuning::destroyed_card - one;
        } else if (suit && !card.face_down && card.suit == *suit) {
            value += tuning::unchanged_card;
        } else if (gives_enhancement(*key) && card.enhancement != Enhancement::none && !card.face_down) {
            value += tuning::replaced_card;
        } else {
            value += tuning::bettered_card + one;
        }
    }
    return value;
}

}  // namespace jimbo
