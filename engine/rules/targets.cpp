#include "rules/targets.hpp"

#include "rules/queries.hpp"

namespace jimbo {
namespace {

// A random card of the whole deck in creation order; Stone cards are left out.
const Card* pick_card(RunState& run, Stream stream) {
    ScratchVector<CardIndex, max_cards> cards;
    for (int i = 0; i < run.cards.size(); ++i) {
        if (has_rank(run.cards[i])) cards.push_back(static_cast<CardIndex>(i));
    }
    if (cards.empty()) return nullptr;
    return &run.cards[cards[run.streams.pick({stream, run.ante}, cards.size())]];
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

}  // namespace

void draw_targets(RunState& run) {
    if (const Card* card = pick_card(run, Stream::idol)) {
        run.targets.idol_rank = card->rank;
        run.targets.idol_suit = card->suit;
    }
    if (const Card* card = pick_card(run, Stream::mail)) run.targets.mail_rank = card->rank;
    draw_ancient(run);
    if (const Card* card = pick_card(run, Stream::cas)) run.targets.castle_suit = card->suit;
}

}  // namespace jimbo
