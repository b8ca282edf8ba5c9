#include "play/best_hand.hpp"

#include <algorithm>
#include <bit>

#include "play/groups.hpp"
#include "play/scorer.hpp"

namespace jimbo {
namespace {

class Search {
public:
    Search(const RunState& run, Luck luck) : scorer_(run), luck_(luck) {}

    // Tries the chosen cards with every `more` of those in `choice`, the leftmost first.
    void extend(std::uint64_t chosen, std::uint64_t choice, int more) {
        if (more == 0) return consider(chosen);
        for (; std::popcount(choice) >= more; choice &= choice - 1) {
            const std::uint64_t with = chosen | (choice & (~choice + 1));
            if (more == 1) {
                consider(with);
            } else {
                extend(with, choice & (choice - 1), more - 1);
            }
        }
    }

    const BestHand& best() const { return best_; }

private:
    void consider(std::uint64_t cards) {
        const LastHand hand = scorer_.score(cards, luck_);
        if (hand.score > best_.hand.score || !best_.hand.any) best_ = {{ActionKind::play, 0, 0, cards}, hand};
    }

    HandScorer scorer_;
    Luck luck_;
    BestHand best_{};
};

}  // namespace

std::optional<BestHand> best_hand(const RunState& run, Luck luck) {
    for (const ActionGroup& group : action_groups(run, false)) {
        if (group.kind != ActionKind::play) continue;
        Search search(run, luck);
        // Size by size: of equal scores the shortest comes first, and the processor guesses better.
        const int forced = std::popcount(group.forced);
        for (int size = std::max<int>(group.min_cards, forced); size <= group.max_cards; ++size) {
            search.extend(group.forced, group.choice, size - forced);
        }
        return search.best();
    }
    return std::nullopt;
}

}  // namespace jimbo
