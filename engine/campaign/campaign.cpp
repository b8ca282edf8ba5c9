#include "campaign/campaign.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "campaign/rows.hpp"
#include "play/determinize.hpp"
#include "play/groups.hpp"
#include "play/random_play.hpp"
#include "play/step.hpp"
#include "solve/solver.hpp"

namespace jimbo {
namespace {

using State = CampaignState;

constexpr int real_rollouts = 200;
constexpr int imagined_rollouts = 24;

bool is_over(const RunState& run) { return run.phase == Phase::game_over || run.won; }

bool can_use_something(const RunState& run) {
    if (run.consumables.empty()) return false;
    const ActionGroups groups = action_groups(run, false);
    return std::any_of(groups.begin(), groups.end(),
                       [](const ActionGroup& group) { return group.kind == ActionKind::use; });
}

// Does what was chosen, or whatever is allowed: a game must go on.
void take(RunState& run, const Action& action, SplitMix& random) {
    if (jimbo::step(run, action) == Refusal::none) return;
    if (const auto other = random_action(run, random)) jimbo::step(run, *other);
}

void list_actions(State& state) {
    const std::span<const Candidate> listed = listed_candidates(state.run).candidates();
    state.actions = {};
    state.count = static_cast<std::uint8_t>(listed.size());
    for (std::size_t i = 0; i < listed.size(); ++i) state.actions[i] = listed[i].action;
}

// The next play or discard, chosen in a world drawn anew. A sale that ends the boss's ability is the search's to
// choose.
Action hand_action(const State& state, SplitMix& random) {
    const std::uint64_t nonce = random.next();
    const int rollouts = state.imagined ? imagined_rollouts : real_rollouts;
    const auto solved = solve_blind(determinize(state.run, nonce), {.rollouts = rollouts, .nonce = nonce});
    const auto is_hand = [](const SolvedAction& one) {
        return one.action.kind == ActionKind::play || one.action.kind == ActionKind::discard;
    };
    const auto found = std::find_if(solved.begin(), solved.end(), is_hand);
    return found == solved.end() ? solved.front().action : found->action;
}

// On to the next decision, or the end. Hands that the run itself has to play are chosen by what was decided so far:
// the same decisions lead to the same position.
void go_on(State& state, SplitMix& random) {
    for (state.count = 0; !is_over(state.run);) {
        if (state.run.phase == Phase::round_eval) {
            take(state.run, {ActionKind::cash_out}, random);
        } else if (state.run.phase == Phase::selecting_hand && !can_use_something(state.run)) {
            take(state.run, hand_action(state, random), random);
        } else {
            list_actions(state);
            if (state.count != 1) break;
            take(state.run, state.actions[0], random);
            state.count = 0;
        }
    }
    state.look = look_of(state.run);
}

SplitMix hand_generator(const State& state) { return SplitMix(state.steps); }

State from_start(const Seed& seed) {
    State state;
    state.run = start_run(seed, DeckId::red, StakeId::white);
    state.recorded = true;
    state.seed = seed;
    SplitMix random = hand_generator(state);
    go_on(state, random);
    return state;
}

}  // namespace

State Campaign::start(SplitMix& random) { return from_start(random_seed(random)); }

State Campaign::from_run(const RunState& run) {
    State state;
    state.run = run;
    SplitMix random = hand_generator(state);
    go_on(state, random);
    return state;
}

void Campaign::step(State& state, int action, SplitMix& random) {
    state.taken[state.steps] = static_cast<std::uint8_t>(action);
    ++state.steps;
    jimbo::step(state.run, state.actions[static_cast<std::size_t>(action)]);
    SplitMix own = hand_generator(state);
    go_on(state, state.imagined ? random : own);
}

std::optional<float> Campaign::ending(const State& state) {
    if (state.count > 0 && state.steps < campaign_max_steps) return std::nullopt;
    return worth(state.run);
}

float Campaign::worth(const RunState& run) {
    if (run.won) return 1;
    constexpr int blinds = 3 * win_ante;
    const int passed = 3 * (run.ante - 1) + static_cast<int>(run.on_deck);
    return static_cast<float>(std::clamp(passed, 0, blinds - 1)) / static_cast<float>(blinds) - 1;
}

void Campaign::imagine(State& state, SplitMix& random) {
    state.run = determinize(state.run, random.next());
    state.imagined = true;
    state.recorded = false;
}

void Campaign::observe(const State& state, float* row) { write_row(state.run, state.count, row); }

// --- Bytes ---------------------------------------------------------------------------------------------------------

void Campaign::write_state(const State& state, std::uint8_t* bytes) {
    if (!state.recorded) throw std::invalid_argument("only a run that was played from its start can be written");
    std::memset(bytes, 0, state_size);
    std::memcpy(bytes, state.seed.text.data(), made_seed_length);
    bytes += made_seed_length;
    *bytes++ = static_cast<std::uint8_t>(state.steps & 0xFF);
    *bytes++ = static_cast<std::uint8_t>(state.steps >> 8);
    std::memcpy(bytes, state.taken.data(), state.steps);
}

std::optional<State> Campaign::read_state(const std::uint8_t* bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), made_seed_length);
    const std::optional<Seed> seed = parse_seed(text.substr(0, text.find('\0')));
    const int steps = bytes[made_seed_length] | bytes[made_seed_length + 1] << 8;
    if (!seed || steps > campaign_max_steps) return std::nullopt;
    State state = from_start(*seed);
    SplitMix nobody(0);
    for (int i = 0; i < steps; ++i) {
        const int action = bytes[made_seed_length + 2 + i];
        if (ending(state) || action >= state.count) return std::nullopt;
        step(state, action, nobody);
    }
    return state;
}

}  // namespace jimbo
