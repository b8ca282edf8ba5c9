#include "bench/bench.hpp"

#include <chrono>
#include <ctime>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include "play/best_hand.hpp"
#include "play/edits.hpp"
#include "play/groups.hpp"
#include "play/random_play.hpp"
#include "play/scorer.hpp"
#include "play/step.hpp"
#include "view/public_state.hpp"

namespace jimbo {
namespace {

using Clock = std::chrono::steady_clock;

template <typename Work>
Timing timed(double count, Work work) {
    const auto wall = Clock::now();
    const std::clock_t cpu = std::clock();
    const double checksum = work();
    const double cpu_s = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
    return {count, std::chrono::duration<double>(Clock::now() - wall).count(), cpu_s, checksum};
}

RunState new_run(SplitMix& random) { return start_run(random_seed(random), DeckId::red, StakeId::white); }

double play_decisions(int count, std::uint64_t seed) {
    SplitMix random(seed);
    RunState run = new_run(random);
    double sum = 0;
    for (int n = 0; n < count;) {
        if (const auto action = random_action(run, random)) {
            step(run, *action);
            sum += run.chips;
            ++n;
        } else {
            new (&run) RunState(new_run(random));  // built in place: an assignment would copy it
        }
    }
    return sum;
}

// --- Positions -----------------------------------------------------------------------------------------------------

constexpr std::size_t position_count = 32;
constexpr int position_ante = 4;

// Random play that is given every blind, up to a hand of ante 4. There the free joker slots are filled.
RunState position(SplitMix& random) {
    RunState run = new_run(random);
    while (run.ante < position_ante || run.phase != Phase::selecting_hand) {
        const auto action = random_action(run, random);
        if (!action) return position(random);
        if (action->kind == ActionKind::play) run.chips = run.blind.target;
        step(run, *action);
    }
    while (joker_room(run) > 0) {
        edits::add_joker(run, static_cast<JokerId>(random.below(joker_count)), Edition::base, {});
    }
    return run;
}

const RunState& position(int n) {
    static const std::vector<RunState> made = [] {
        std::vector<RunState> list;
        SplitMix random(1);
        while (list.size() < position_count) {
            const RunState run = position(random);
            if (run.jokers.size() == 5 && run.hand.size() == 8 && run.hands_left > 0) list.push_back(run);
        }
        return list;
    }();
    return made[static_cast<std::size_t>(n) % position_count];
}

}  // namespace

Timing time_decisions(int count, int threads) {
    return timed(static_cast<double>(count) * threads, [&] {
        std::vector<double> sums(static_cast<std::size_t>(threads));
        std::vector<std::thread> others;
        for (std::size_t i = 1; i < sums.size(); ++i) {
            others.emplace_back([&sums, count, i] { sums[i] = play_decisions(count, 1 + i); });
        }
        sums[0] = play_decisions(count, 1);
        for (std::thread& other : others) other.join();
        return std::accumulate(sums.begin(), sums.end(), 0.0);
    });
}

Timing time_runs(int count) {
    return timed(count, [&] {
        SplitMix random(1);
        double sum = 0;
        for (int n = 0; n < count; ++n) {
            RunState run = new_run(random);
            while (const auto action = random_action(run, random)) step(run, *action);
            sum += run.round;
        }
        return sum;
    });
}

Timing time_clones(int count) {
    position(0);  // made before the clock starts
    std::vector<RunState> clones(position_count);
    return timed(count, [&] {
        double sum = 0;
        for (int n = 0; n < count; ++n) {
            RunState& clone = clones[static_cast<std::size_t>(n) % position_count];
            clone_into(clone, position(n / 7));
            sum += clone.dollars;
        }
        return sum;
    });
}

Timing time_scores(int count) {
    constexpr int in_a_row = 1000;
    constexpr ActionGroup five_of_eight{
        .kind = ActionKind::play, .min_cards = 5, .max_cards = 5, .choice = 0xFF, .count = 56};
    position(0);
    return timed(count, [&] {
        SplitMix random(1);
        double sum = 0;
        for (int n = 0; n < count;) {
            HandScorer scorer(position(n / in_a_row));
            for (int i = 0; i < in_a_row && n < count; ++i, ++n) {
                const Action play = action_of(five_of_eight, random.below(five_of_eight.count));
                sum += scorer.score(play.cards, Luck::none).score;
            }
        }
        return sum;
    });
}

Timing time_best_hands(int count) {
    position(0);
    return timed(count, [&] {
        double sum = 0;
        for (int n = 0; n < count; ++n) sum += best_hand(position(n))->hand.score;
        return sum;
    });
}

Timing time_public_states(int count) {
    position(0);
    return timed(count, [&] {
        double sum = 0;
        for (int n = 0; n < count; ++n) sum += public_state(position(n)).blinds.back().target;
        return sum;
    });
}

Timing time_draws(int count) {
    Streams streams(*parse_seed("BENCH"));
    return timed(count, [&] {
        double sum = 0;
        // The streams take turns, as they do in a run, so that one draw does not wait for the one before.
        for (int n = 0; n < count; ++n) sum += streams.random(static_cast<Stream>(n % run_wide_streams));
        return sum;
    });
}

}  // namespace jimbo
