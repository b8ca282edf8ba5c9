#include "rules/targets.hpp"

#include "rules/queries.hpp"

namespace jimbo {
namespace {

// The whole deck in creation order; Stone cards are left out.
using RankedCards = ScratchVector<CardIndex, max_cards>;

RankedCards ranked_cards(const RunState& run) {
    RankedCards cards;
    for (int i = 0; i < run.cards.size(); ++i) {
        if (has_rank(run.cards[i])) cards.push_back(static_cast<CardIndex>(i));
    }
    return cards;
}

// Where every card is Stone nothing is drawn, and the Ace of Spades stands in.
Front pick_front(RunState& run, const RankedCards& cards, Stream stream) {
    if (cards.empty()) return {Rank::ace, Suit::spades};
    return run.cards[cards[run.streams.pick({stream, run.ante}, cards.size())]].front();
}

// One of the four suits but not the present one; the first time all four may come.
void draw_ancient(RunState& run) {
    FixedVector<Suit, suit_count> suits;
    for (Suit suit : {Suit::spades, Suit::hearts, Suit::clubs, Suit::diamonds}) {
        if (!run.targets.ancient_drawn || suit != run.targets.ancient_suit) suits.push_back(suit);
    }
    run.targets.ancient_suit = suits[run.streams.pick({Stream::anc, run.ante}, suits.size())];
    run.targets.ancient_drawn = true;
}

// Jokers that the player can look at.
BitSet<joker_count> jokers_in_sight(const RunState& run) {
    BitSet<joker_count> seen;
    const auto look_at = [&](const Offer& offer) {
        if (offer.kind == OfferKind::joker) seen.add(offer.joker);
    };
    for (const Joker& joker : run.jokers) seen.add(joker.key);
    for (const ShopCard& card : run.shop) look_at(card.offer);
    for (const Offer& offer : run.pack.cards) look_at(offer);
    return seen;
}

}  // namespace

void draw_targets(RunState& run) {
    const RankedCards cards = ranked_cards(run);
    const Front idol = pick_front(run, cards, Stream::idol);
    run.targets.idol_rank = idol.rank;
    run.targets.idol_suit = idol.suit;
    run.targets.mail_rank = pick_front(run, cards, Stream::mail).rank;
    draw_ancient(run);
    run.targets.castle_suit = pick_front(run, cards, Stream::cas).suit;
}

SeenTargets targets_in_sight(const RunState& run) {
    const BitSet<joker_count> seen = jokers_in_sight(run);
    return {.idol = seen.has(JokerId::idol),
            .mail = seen.has(JokerId::mail),
            .ancient = seen.has(JokerId::ancient),
            .castle = seen.has(JokerId::castle)};
}

}  // namespace jimbo
