#include "strategy/hands.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "base/hash128.hpp"
#include "rules/round.hpp"

namespace jimbo {
namespace {

constexpr double hopeless = 1e-12;  // what cannot be told from nothing

// What a run is worth by the bosses from `first` on; those that it has passed by then are beaten. Runs about which the
// network is told the same are judged once.
class AfterBlind {
public:
    AfterBlind(const ValueNet& net, int first, int rollouts) : net_(net), first_(first), rollouts_(rollouts) {}

    double worth_of(const RunState& run) {
        inputs_.clear();
        write_inputs(run, {}, rollouts_, inputs_);
        const int passed = run.won ? value_blinds : next_blind(run);
        Hash128 hash;
        hash.add(passed);
        for (const ValueInput& input : inputs_)
            hash.add(std::uint64_t{input.index} << 32 | std::bit_cast<std::uint32_t>(input.value));
        const auto [found, is_new] = known_.try_emplace(hash);
        if (is_new) {
            auto chances = net_.chances({inputs_.data(), static_cast<std::size_t>(inputs_.size())});
            std::fill_n(chances.begin(), passed, 1.0);
            found->second = std::exp(worth(chances, first_));
        }
        return found->second;
    }

private:
    struct Low {
        std::size_t operator()(const Hash128& hash) const { return hash.low; }
    };

    const ValueNet& net_;
    int first_;
    int rollouts_;
    ValueInputs inputs_;
    std::unordered_map<Hash128, double, Low> known_;
};

}  // namespace

std::vector<SolvedAction> solve_by_value(const ValueNet& net, const RunState& seen, SolveOptions options) {
    if (options.rollouts < many_rollouts || seen.won) return solve_blind(seen, options);
    std::vector<AfterBlind> judges(static_cast<std::size_t>(options.threads),
                                   {net, next_blind(seen), options.rollouts});
    const double now = std::max(hopeless, judges[0].worth_of(seen));
    options.after = [&judges, now](const RunState& cleared, int thread) {
        RunState run = cleared;
        Turn turn{run};
        pass_shop(turn);  // what is on offer there is luck, and the same for every action
        return judges[static_cast<std::size_t>(thread)].worth_of(run) / now;
    };
    return solve_blind(seen, options);
}

}  // namespace jimbo
