#include "play/scorer.hpp"

#include <bit>

#include "rules/zones.hpp"

namespace jimbo {

HandScorer::HandScorer(const RunState& run) : run_(run), copy_(run), basis_(score_basis(copy_)) {
    for (CardIndex card : copy_.hand) readings_.push_back(read_card(copy_, card, basis_.traits));
}

HandFound HandScorer::find(std::uint64_t cards) const {
    ScratchVector<CardReading, max_hand> chosen;
    chosen.resize(std::popcount(cards));
    for (int n = 0; cards != 0; cards &= cards - 1) chosen[n++] = readings_[std::countr_zero(cards)];
    return find_hand(chosen, basis_.traits);
}

LastHand HandScorer::score(std::uint64_t cards, Luck luck, EventLog* log) {
    Turn turn{copy_, log};
    split_hand(copy_, run_.hand, cards);
    --copy_.hands_left;
    score_hand(turn, luck, basis_, find(cards));
    const LastHand result = copy_.last;
    put_back(luck);
    return result;
}

// Without draws nothing is created and nothing destroyed but the copy of a card that DNA adds. Hand and played cards
// are set anew by the next play.
void HandScorer::put_back(Luck luck) {
    if (luck == Luck::drawn || copy_.cards.size() != run_.cards.size()) {
        clone_into(copy_, run_);
        return;
    }
    static_cast<RunNumbers&>(copy_) = run_;
    copy_.jokers.copy_used(run_.jokers);
    for (CardIndex card : copy_.played) copy_.cards[card] = run_.cards[card];
}

LastHand preview(const RunState& run, std::uint64_t cards, Luck luck, EventLog* log) {
    return HandScorer(run).score(cards, luck, log);
}

}  // namespace jimbo
