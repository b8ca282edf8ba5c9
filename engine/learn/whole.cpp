#include "learn/whole.hpp"

#include <bit>
#include <cstring>

#include "play/groups.hpp"

namespace jimbo {
namespace {

class WholeMask {
public:
    explicit WholeMask(std::span<std::uint8_t, whole_mask_width> mask) : mask_(mask) {
        std::memset(mask_.data(), 0, mask_.size());
    }

    void add(const Action& action) {
        set(static_cast<int>(action.kind));
        set(action_kind_count + action.index);
        set(action_kind_count + whole_places + action.to);
    }

    void add_cards(std::uint64_t unselected, std::uint64_t selected) {
        constexpr int first = action_kind_count + 2 * whole_places;
        for (; unselected != 0; unselected &= unselected - 1) set(first + 2 * std::countr_zero(unselected));
        for (; selected != 0; selected &= selected - 1) set(first + 2 * std::countr_zero(selected) + 1);
    }

private:
    void set(int place) { mask_[static_cast<std::size_t>(place)] = 1; }

    std::span<std::uint8_t, whole_mask_width> mask_;
};

void add_moves(const RunState& run, WholeMask& mask) {
    const auto add = [&](const Action& action) {
        if (check(run, action) == Refusal::none) mask.add(action);
    };
    const auto add_all = [&](ActionKind kind, int size) {
        for (int i = 0; i < size; ++i) {
            for (int to = 0; to < size; ++to) {
                add({kind, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(to), 0});
            }
        }
    };
    add_all(ActionKind::move_joker, run.jokers.size());
    add_all(ActionKind::move_consumable, run.consumables.size());
    add_all(ActionKind::move_card, run.hand.size());
    add({ActionKind::sort_hand_by_rank});
    add({ActionKind::sort_hand_by_suit});
}

}  // namespace

void write_whole_mask(const RunState& run, bool moves, std::span<std::uint8_t, whole_mask_width> mask) {
    WholeMask parts(mask);
    std::uint64_t free = 0;  // positions that some action leaves out
    for (const ActionGroup& group : action_groups(run, true)) {
        parts.add({group.kind, group.index, 0, 0});
        free |= ~group.forced;
        if (group.max_cards > 0) parts.add_cards(0, group.choice | group.forced);
    }
    if (moves) {
        add_moves(run, parts);
        free = ~std::uint64_t{0};
    }
    parts.add_cards(free, 0);
}

void write_resting_mask(std::span<std::uint8_t, whole_mask_width> mask) {
    WholeMask parts(mask);
    parts.add({});
    parts.add_cards(~std::uint64_t{0}, 0);
}

}  // namespace jimbo
