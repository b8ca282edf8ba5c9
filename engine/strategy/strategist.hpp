// The player of whole runs: the blind solver plays hands, and everything else is decided by the value of what it leads
// to. The agents `expert` and `fast`, the games that values learn from and the search of a run are all played by it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/splitmix.hpp"
#include "solve/solver.hpp"
#include "strategy/judge.hpp"

namespace jimbo {

// Switches that show what an ability is worth: the player goes on without those that are off.
struct Abilities {
    bool solver = true;  // without: the play that scores most
    bool consumables = true;
    bool joker_order = true;  // and the order of played cards
};

struct Decision {
    enum class Kind : std::uint8_t {
        only,     // the one thing to do
        planned,  // what an earlier decision goes on with
        order,    // a joker moves to where it scores more
        hand,     // the best of `solved`
        option,   // of `options`
    };
    Kind kind{};
    Action action{};
    std::vector<SolvedAction> solved;   // hands: best first
    std::vector<JudgedOption> options;  // best first; its actions are those of Strategist::options()
    int chosen = 0;                     // among `options`
};

class Strategist {
public:
    // Chooses among judged options, best first; the first where there is none. It is asked once for each decision that
    // the value takes.
    using Choose = std::function<int(std::span<const JudgedOption>)>;

    Strategist(const ValueNet& net, const Effort& effort, const Abilities& abilities = {},
               std::span<const float> bias = {}, Choose choose = {})
        : net_(net), effort_(effort), abilities_(abilities), judge_(net, bias), choose_(std::move(choose)) {}

    // A new run begins; all its chance comes from the nonce.
    void reset(std::uint64_t nonce);
    // What was planned no longer fits: the run was changed from outside.
    void forget_plan() { plan_.clear(); }

    // What to do now. `view` is a run as its player may know it, and not over.
    Decision decide(const RunState& view);

    // Behind the options of the last decision.
    const Judge& judge() const { return judge_; }

private:
    bool follow_plan(const RunState& view, Decision& decision);
    bool order_jokers(const RunState& view, Decision& decision) const;
    bool use_consumable(const RunState& view, Decision& decision);
    void play_hand(const RunState& view, Decision& decision);
    void judge_options(const RunState& view, Decision& decision);
    void begin(std::span<const Action> actions, Decision& decision);
    std::uint64_t nonce() const;

    const ValueNet& net_;
    Effort effort_;
    Abilities abilities_;
    Judge judge_;
    Choose choose_;
    std::uint64_t nonce_ = 0;
    std::uint64_t decisions_ = 0;
    std::vector<Action> plan_;  // the next one last
};

}  // namespace jimbo
