#include "strategy/targets.hpp"

#include <algorithm>
#include <bit>

#include "rules/queries.hpp"

namespace jimbo {
namespace {

using Places = ScratchVector<int, max_hand>;

constexpr int dear_cards = 4;  // of which one is tried at a time

bool is_plain(const Card& card) {
    return card.enhancement == Enhancement::none && card.edition == Edition::base && card.seal == Seal::none;
}

class Choosing {
public:
    Choosing(const RunState& run, ConsumableId key)
        : run_(run), fact_(fact(key)), allowed_(target_positions(run, key)), forced_(forced_positions(run)) {
        for (int i = 0; i < run.hand.size(); ++i) {
            if (((allowed_ >> i) & 1) != 0 && !run.hand_card(i).face_down) places_.push_back(i);
        }
        std::stable_sort(places_.begin(), places_.end(), [&](int a, int b) { return rank(a) > rank(b); });
    }

    TargetChoices choices() {
        if (fact_.max_targets == 0) {
            found_.push_back(0);
        } else if (fact_.id == ConsumableId::death) {
            copies();
        } else if (const auto suit = suit_made_by(fact_.id)) {
            add(first([&](const Card& card) { return card.suit != *suit && is_plain(card); }, 0));
            add(first([&](const Card& card) { return card.suit != *suit; }, 0));
        } else if (fact_.id == ConsumableId::hanged_man) {
            add(lowest());
        } else if (fact_.max_targets == 1) {
            for (int n = 0; n < dear_cards; ++n) add(first(unenhanced, n));
        } else {
            if (fact_.id == ConsumableId::strength) add(lowest());
            for (int n = 0; n < 3; ++n) add(first(unenhanced, n));
        }
        return found_;
    }

private:
    static bool unenhanced(const Card& card) { return card.enhancement == Enhancement::none; }

    int rank(int place) const { return static_cast<int>(run_.hand_card(place).rank); }

    // As many as it takes, highest first, after leaving out `skipped` of them.
    template <typename Fits>
    std::uint64_t first(Fits fits, int skipped) const {
        std::uint64_t chosen = forced_;
        for (int place : places_) {
            if (std::popcount(chosen) >= fact_.max_targets) break;
            if (!fits(run_.hand_card(place)) || ((chosen >> place) & 1) != 0 || skipped-- > 0) continue;
            chosen |= std::uint64_t{1} << place;
        }
        return chosen;
    }

    std::uint64_t lowest() const {
        std::uint64_t chosen = forced_;
        for (int i = places_.size() - 1; i >= 0 && std::popcount(chosen) < fact_.max_targets; --i) {
            if (is_plain(run_.hand_card(places_[i]))) chosen |= std::uint64_t{1} << places_[i];
        }
        return chosen;
    }

    // Death: the left card becomes the right one. The best cards copied over the worst that stand to their left.
    void copies() {
        for (int best = 0; best < std::min(3, places_.size()); ++best) {
            const int kept = places_[best];
            for (int i = places_.size() - 1; i > best; --i) {
                if (places_[i] > kept || !is_plain(run_.hand_card(places_[i]))) continue;
                add(forced_ | std::uint64_t{1} << kept | std::uint64_t{1} << places_[i]);
                break;
            }
        }
    }

    void add(std::uint64_t choice) {
        const int count = std::popcount(choice);
        if (count < fact_.min_targets || count > fact_.max_targets || found_.full()) return;
        if (std::find(found_.begin(), found_.end(), choice) == found_.end()) found_.push_back(choice);
    }

    const RunState& run_;
    const ConsumableFact& fact_;
    std::uint64_t allowed_;
    std::uint64_t forced_;
    Places places_;
    TargetChoices found_;
};

}  // namespace

TargetChoices target_choices(const RunState& run, ConsumableId key) { return Choosing(run, key).choices(); }

}  // namespace jimbo
