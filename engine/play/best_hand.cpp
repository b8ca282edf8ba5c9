#include "play/best_hand.hpp"

#include <bit>

#include "play/groups.hpp"
#include "play/scorer.hpp"

namespace jimbo {
namespace {

class Search {
public:
    Search(const RunState& run, Luck luck) : scorer_(run), luck_(luck) {}

    // Tries the chosen cards, and with each card of `choice` added all that follow from it.
    void extend(std::uint64_t chosen, std::uint64_t choice, int more) {
        if (chosen != 0) consider(chosen);
        if (more == 0) return;
        while (choice != 0) {
            const std::uint64_t card = choice & (~choice + 1);
            choice ^= card;
            extend(chosen | card, choice, more - 1);
        }
    }

    const BestHand& best() const { return best_; }

private:
    void consider(std::uint64_t cards) {
        const LastHand hand = scorer_.score(cards, luck_);
        const bool better = hand.score > best_.hand.score || !best_.hand.any;
        const bool shorter = hand.score == best_.hand.score && std::popcount(cards) < std::popcount(best_.action.cards);
        if (better || shorter) best_ = {{ActionKind::play, 0, 0, cards}, hand};
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
        search.extend(group.forced, group.choice, group.most - std::popcount(group.forced));
        return search.best();
    }
    return std::nullopt;
}

}  // namespace jimbo
