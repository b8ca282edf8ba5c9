#include "play/scorer.hpp"

#include <bit>

#include "rules/round.hpp"
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
    begin_play(turn);
    score_hand(turn, luck, basis_, find(cards));
    const LastHand result = copy_.last;
    put_back(luck);
    return result;
}

// Without draws nothing is created and nothing destroyed but a joker that is used up and the copy of a card that DNA
// adds. Hand and played cards are set anew by the next play.
void HandScorer::put_back(Luck luck) {
    const bool same_lists = copy_.cards.size() == run_.cards.size() && copy_.jokers.size() == run_.jokers.size();
    if (luck == Luck::drawn || !same_lists) {
        clone_into(copy_, run_);
        return;
    }
    copy_.stats(copy_.last.hand) = run_.stats(copy_.last.hand);
    static_cast<ScoringNumbers&>(copy_) = run_;
    CallMask changing = basis_.hooked.changing();
    if (changing == 0) return;
    for (; changing != 0; changing &= changing - 1) {
        const int slot = basis_.jokers[std::countr_zero(changing)].slot;
        copy_.jokers[slot] = run_.jokers[slot];
    }
    for (CardIndex card : copy_.played) copy_.cards[card] = run_.cards[card];
}

LastHand preview(const RunState& run, std::uint64_t cards, Luck luck, EventLog* log) {
    return HandScorer(run).score(cards, luck, log);
}

}  // namespace jimbo
