#include "play/scorer.hpp"

#include <bit>

#include "rules/blinds/blind_rule.hpp"
#include "rules/round.hpp"
#include "rules/zones.hpp"

namespace jimbo {

namespace {

// Positions out of `cards` as their places among these.
std::uint64_t places_among(std::uint64_t cards, std::uint64_t positions) {
    std::uint64_t places = 0;
    for (int i = 0; cards != 0; cards &= cards - 1, ++i) {
        places |= std::uint64_t{(cards & ~(cards - 1) & positions) != 0} << i;
    }
    return places;
}

}  // namespace

HandScorer::HandScorer(const RunState& run)
    : run_(run), copy_(run), basis_(score_basis(copy_)), finder_(copy_, basis_.traits) {
    for (int i = 0; i < copy_.hand.size(); ++i) stones_ |= std::uint64_t{is_stone(copy_.hand_card(i))} << i;
}

bool HandScorer::is_plain() const {
    const BlindRule& blind = *basis_.blind;
    return basis_.hooked.any() == 0 && !basis_.joker_editions && !basis_.chips_capped &&
           basis_.enhanced[static_cast<std::size_t>(Enhancement::steel)] == 0 && blind.blocks_hand == nullptr &&
           blind.modify_base == nullptr && blind.charges_play == nullptr;
}

std::uint64_t HandScorer::scoring(std::uint64_t cards, const HandFound& found) const {
    return basis_.traits.splash ? cards : found.scoring | (cards & stones_);
}

LastHand HandScorer::score(std::uint64_t cards, Luck luck, EventLog* log) {
    Turn turn{copy_, log};
    split_hand(copy_, run_.hand, cards);
    begin_play(turn);
    HandFound found = finder_.find(cards);
    found.scoring = places_among(cards, found.scoring);
    score_hand(turn, luck, basis_, found);
    const LastHand result = copy_.last;
    put_back(luck);
    return result;
}

LastHand HandScorer::score_with(const Hand& hand, std::uint64_t cards, Luck luck) {
    Turn turn{copy_, nullptr};
    split_hand(copy_, hand, cards);
    begin_play(turn);
    score_hand(turn, luck, basis_, find_hand(copy_, copy_.played, basis_.traits));
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
