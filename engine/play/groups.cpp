#include "play/groups.hpp"

#include <algorithm>
#include <bit>

#include "play/legal.hpp"
#include "rules/consumables.hpp"
#include "rules/hand_type.hpp"

namespace jimbo {
namespace {

// binomial[n][k]: ways to choose k of n.
constexpr auto binomial = [] {
    std::array<std::array<std::uint64_t, max_selected + 1>, max_hand + 1> table{};
    for (std::size_t n = 0; n <= max_hand; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= max_selected; ++k)
            table[n][k] = n == 0 ? 0 : table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}();

std::uint64_t choose(int n, int k) {
    return k < 0 || k > n ? 0 : binomial[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

std::uint64_t count_choices(const ActionGroup& group) {
    const int free = std::popcount(group.choice);
    const int fixed = std::popcount(group.forced);
    std::uint64_t count = 0;
    for (int k = group.min_cards; k <= group.max_cards; ++k) count += choose(free, k - fixed);
    return count;
}

class Grouper {
public:
    Grouper(const RunState& run, ActionGroups& groups) : run_(run), groups_(groups) {}

    void collect(bool with_sales) {
        if (run_.end != EndCode::none) return;
        switch (run_.phase) {
            case Phase::blind_select:
                add_plain({ActionKind::select_blind, ActionKind::skip_blind, ActionKind::reroll_boss});
                break;
            case Phase::selecting_hand:
                add_selection(ActionKind::play);
                add_selection(ActionKind::discard);
                break;
            case Phase::round_eval:
                add_plain({ActionKind::cash_out});
                break;
            case Phase::shop:
                add_shop();
                break;
            case Phase::pack_opening:
                add_pack();
                break;
            case Phase::game_over:
                return;
        }
        for (int i = 0; i < run_.consumables.size(); ++i) add_use(ActionKind::use, i, run_.consumables[i].key);
        if (with_sales) add_sales();
    }

private:
    static Action plain(ActionKind kind, int index = 0) { return {kind, static_cast<std::uint8_t>(index), 0, 0}; }

    void add_plain(std::initializer_list<ActionKind> kinds) {
        for (ActionKind kind : kinds) add_one(kind, 0);
    }

    void add_one(ActionKind kind, int index) {
        if (check(run_, plain(kind, index)) == Refusal::none) {
            groups_.push_back({.kind = kind, .index = static_cast<std::uint8_t>(index)});
        }
    }

    // Plays and discards: Cerulean Bell's card is always among them.
    void add_selection(ActionKind kind) {
        if (run_.hand.empty()) return;
        ActionGroup group{.kind = kind, .min_cards = 1, .max_cards = max_selected, .choice = hand_positions(run_)};
        group.forced = forced_positions(run_);
        group.choice &= ~group.forced;
        const std::uint64_t sample = group.forced != 0 ? group.forced : 1;
        if (check(run_, {kind, 0, 0, sample}) == Refusal::none) add(group);
    }

    // One group for all allowed numbers of targets. The first n eligible cards stand for every choice of n targets.
    void add_use(ActionKind kind, int index, ConsumableId key) {
        const ConsumableFact& c = fact(key);
        ActionGroup group{.kind = kind, .index = static_cast<std::uint8_t>(index), .min_cards = c.min_targets};
        if (c.max_targets > 0) {
            group.forced = forced_positions(run_);
            group.choice = target_positions(run_, key) & ~group.forced;
        }
        bool any = false;
        std::uint64_t sample = group.forced;
        for (std::uint64_t rest = group.choice;; rest &= rest - 1) {
            const auto targets = static_cast<std::uint8_t>(std::popcount(sample));
            if (targets >= c.min_targets) {
                if (check(run_, {kind, group.index, 0, sample}) != Refusal::none) break;
                group.max_cards = targets;
                any = true;
            }
            if (targets == c.max_targets || rest == 0) break;
            sample |= rest & ~(rest - 1);
        }
        if (any) add(group);
    }

    void add_shop() {
        add_plain({ActionKind::reroll, ActionKind::leave_shop});
        for (int i = 0; i < run_.shop.size(); ++i) {
            add_one(ActionKind::buy, i);
            const Offer& offer = run_.shop[i].offer;
            if (offer.kind == OfferKind::consumable) add_use(ActionKind::buy_and_use, i, offer.consumable);
        }
        for (int i = 0; i < run_.shop_vouchers.size(); ++i) add_one(ActionKind::redeem, i);
        for (int i = 0; i < run_.shop_boosters.size(); ++i) add_one(ActionKind::open_booster, i);
    }

    void add_pack() {
        add_plain({ActionKind::skip_pack});
        for (int i = 0; i < run_.pack.cards.size(); ++i) {
            const Offer& offer = run_.pack.cards[i];
            if (offer.kind == OfferKind::consumable) {
                add_use(ActionKind::pick, i, offer.consumable);
            } else {
                add_one(ActionKind::pick, i);
            }
        }
    }

    void add_sales() {
        for (int i = 0; i < run_.consumables.size(); ++i) add_one(ActionKind::sell_consumable, i);
        for (int i = 0; i < run_.jokers.size(); ++i) add_one(ActionKind::sell_joker, i);
    }

    void add(ActionGroup group) {
        group.count = count_choices(group);
        if (group.count > 0) groups_.push_back(group);
    }

    const RunState& run_;
    ActionGroups& groups_;
};

}  // namespace

ActionGroups action_groups(const RunState& run, bool with_sales) {
    ActionGroups groups;
    Grouper(run, groups).collect(with_sales);
    return groups;
}

Action action_of(const ActionGroup& group, std::uint64_t n) {
    Action action{group.kind, group.index, 0, group.forced};
    const int fixed = std::popcount(group.forced);
    int free = std::popcount(group.choice);
    int wanted = group.min_cards - fixed;
    for (; n >= choose(free, wanted); ++wanted) n -= choose(free, wanted);
    // Position by position: those choices that contain it come first.
    for (std::uint64_t rest = group.choice; wanted > 0; rest &= rest - 1) {
        --free;
        const std::uint64_t with = choose(free, wanted - 1);
        if (n < with) {
            action.cards |= rest & ~(rest - 1);
            --wanted;
        } else {
            n -= with;
        }
    }
    return action;
}

}  // namespace jimbo
