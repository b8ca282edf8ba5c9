#include "solve/shape.hpp"

#include <bit>

#include "solve/tuning.hpp"

namespace jimbo {
namespace {

int scored_worth(const Card& card) {
    if (card.debuffed) return 0;
    int worth = card_chips(card);
    if (card.enhancement == Enhancement::mult) worth += tuning::mult_card;
    if (card.enhancement == Enhancement::lucky) worth += tuning::lucky_card;
    if (card.enhancement == Enhancement::glass) worth += tuning::glass_card;
    if (card.enhancement == Enhancement::steel) worth += tuning::steel_card;
    if (card.edition == Edition::foil) worth += tuning::foil_card;
    if (card.edition == Edition::holo) worth += tuning::holo_card;
    if (card.edition == Edition::polychrome) worth += tuning::polychrome_card;
    if (card.seal == Seal::red) worth *= tuning::red_seal_factor;
    if (card.seal == Seal::gold) worth += tuning::gold_seal;
    return worth;
}

int held_worth(const Card& card) {
    int worth = has_rank(card) ? static_cast<int>(card.rank) : 0;
    if (card.debuffed) return worth;
    if (card.enhancement == Enhancement::steel) worth += tuning::held_steel;
    if (card.enhancement == Enhancement::gold) worth += tuning::held_gold;
    if (card.seal == Seal::blue) worth += tuning::held_blue_seal;
    return worth + scored_worth(card) / tuning::held_share;
}

template <typename Before>
Positions choose(Positions from, int count, Before before) {
    Positions chosen = 0;
    for (; count > 0 && from != 0; --count) {
        int best = std::countr_zero(from);
        for (Positions rest = from & (from - 1); rest != 0; rest &= rest - 1) {
            const int i = std::countr_zero(rest);
            if (before(i, best)) best = i;
        }
        chosen |= Positions{1} << best;
        from &= ~(Positions{1} << best);
    }
    return chosen;
}

}  // namespace

HandShape shape_of(const RunState& run, const Traits& traits) {
    HandShape shape;
    shape.traits = traits;
    shape.needed = row_needed(traits);
    for (int i = 0; i < run.hand.size(); ++i) {
        const Card& card = run.hand_card(i);
        const Positions bit = Positions{1} << i;
        const auto place = static_cast<std::size_t>(i);
        shape.all |= bit;
        if (card.forced) shape.forced |= bit;
        if (card.face_down) continue;
        shape.known |= bit;
        shape.scored_worth[place] = static_cast<std::int16_t>(scored_worth(card));
        shape.held_worth[place] = static_cast<std::int16_t>(held_worth(card));
        if (!has_rank(card)) continue;
        shape.of_rank[static_cast<std::size_t>(card.rank)] |= bit;
        for (const SuitFact& suit : suit_facts) {
            if (is_suit_for_flush(card, suit.id, traits)) shape.of_suit[static_cast<std::size_t>(suit.id)] |= bit;
        }
    }
    return shape;
}

Positions dearest(const std::array<std::int16_t, max_hand>& worth, Positions from, int count) {
    return choose(from, count, [&](int a, int b) {
        return worth[static_cast<std::size_t>(a)] > worth[static_cast<std::size_t>(b)];
    });
}

Positions cheapest(const std::array<std::int16_t, max_hand>& worth, Positions from, int count) {
    return choose(from, count, [&](int a, int b) {
        return worth[static_cast<std::size_t>(a)] < worth[static_cast<std::size_t>(b)];
    });
}

}  // namespace jimbo
