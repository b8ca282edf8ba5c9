// What plays would score now, without playing them.
#pragma once

#include "rules/hand_finder.hpp"
#include "rules/score.hpp"

namespace jimbo {

// Tries any number of plays of one position: each as it would be scored, but for the cards that The Hook would discard.
// It works on a copy of the run, made once, and puts back after each play what scoring may have changed. The run must
// live as long as its scorer and stay as it is.
class HandScorer {
public:
    using Hand = decltype(RunState::hand);

    explicit HandScorer(const RunState& run);
    HandScorer(const HandScorer&) = delete;  // the basis points into the copy
    HandScorer& operator=(const HandScorer&) = delete;

    // Hand positions as bits; the steps of scoring go to `log`, if there is one.
    LastHand score(std::uint64_t cards, Luck luck, EventLog* log = nullptr);

    // The same as if the run held these cards in its hand.
    LastHand score_with(const Hand& hand, std::uint64_t cards, Luck luck);

    // Whether the score follows from the poker hand and the scoring cards, whatever else is played or stays in the
    // hand: no joker, boss or held card has a say.
    bool is_plain() const;
    HandFound find(std::uint64_t cards) const { return finder_.find(cards); }
    // The positions of the cards that score.
    std::uint64_t scoring(std::uint64_t cards, const HandFound& found) const;

private:
    void put_back(Luck luck);

    const RunState& run_;
    RunState copy_;
    ScoreBasis basis_;
    HandFinder finder_;
    std::uint64_t stones_ = 0;  // the positions of Stone Cards
};

// One play of a position.
LastHand preview(const RunState& run, std::uint64_t cards, Luck luck, EventLog* log = nullptr);

}  // namespace jimbo
