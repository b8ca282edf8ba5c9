// Everything that can be decided outside the play of a hand, each with the run as it stands once it is done.
#pragma once

#include <initializer_list>
#include <vector>

#include "play/action.hpp"
#include "strategy/inputs.hpp"

namespace jimbo {

struct Option {
    ScratchVector<Action, 2> actions;  // to take one after another; none: stay as it is
    RunState after;                    // where its outcome is hidden: what it surely costs is taken off, no more
    Pending pending{};
};

// Keeps its memory from one list to the next.
class OptionList {
public:
    // Options of a run as its player may know it. The first one is what can always be done: leave the shop, skip the
    // pack, play the blind, use nothing.
    void list(const RunState& run);

    int size() const { return count_; }
    const Option& operator[](int i) const { return options_[static_cast<std::size_t>(i)]; }

private:
    Option& next(const RunState& run);
    // With its outcome, where it is allowed.
    void add(const RunState& run, std::initializer_list<Action> actions, Pending pending = {});
    // Without its outcome; null where it is not allowed.
    Option* add_hidden(const RunState& run, const Action& action, Pending pending);

    void list_blind(const RunState& run);
    void list_shop(const RunState& run);
    void list_pack(const RunState& run);
    void list_uses(const RunState& run);
    void list_sales(const RunState& run);
    void list_shop_card(const RunState& run, int index);
    void list_shop_pack(const RunState& run, int index);
    void list_reroll(const RunState& run);
    void list_pick(const RunState& run, int index);
    void list_joker(const RunState& run, const Action& take);

    std::vector<Option> options_;
    int count_ = 0;
};

}  // namespace jimbo
