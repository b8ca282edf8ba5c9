// What plays would score now, without playing them.
#pragma once

#include "rules/score.hpp"

namespace jimbo {

// Tries any number of plays of one position: each as it would be scored, but for the cards that The Hook would discard.
// It works on a copy of the run, made once, and puts back after each play what scoring may have changed. The run must
// live as long as its scorer and stay as it is.
class HandScorer {
public:
    explicit HandScorer(const RunState& run);
    HandScorer(const HandScorer&) = delete;  // the basis points into the copy
    HandScorer& operator=(const HandScorer&) = delete;

    // Hand positions as bits; the steps of scoring go to `log`, if there is one.
    LastHand score(std::uint64_t cards, Luck luck, EventLog* log = nullptr);

private:
    HandFound find(std::uint64_t cards) const;
    void put_back(Luck luck);

    const RunState& run_;
    RunState copy_;
    ScoreBasis basis_;
    ScratchVector<CardReading, max_hand> readings_;  // of the cards in hand
};

// One play of a position.
LastHand preview(const RunState& run, std::uint64_t cards, Luck luck, EventLog* log = nullptr);

}  // namespace jimbo
