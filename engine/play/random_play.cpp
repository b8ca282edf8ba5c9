#include "play/random_play.hpp"

#include "play/groups.hpp"

namespace jimbo {

Seed random_seed(SplitMix& random) { return numbered_seed(random.below(made_seed_count)); }

std::optional<Action> random_action(const RunState& run, SplitMix& random) {
    const ActionGroups groups = action_groups(run, false);
    std::uint64_t total = 0;
    for (const ActionGroup& group : groups) total += group.count;
    if (total == 0) return std::nullopt;
    std::uint64_t n = random.below(total);
    const ActionGroup* group = groups.begin();
    for (; n >= group->count; ++group) n -= group->count;
    return action_of(*group, n);
}

}  // namespace jimbo
