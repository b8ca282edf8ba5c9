#include "solve/solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "play/determinize.hpp"
#include "play/step.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "solve/quick.hpp"

namespace jimbo {
namespace {

using Clock = std::chrono::steady_clock;

// An action that is tried in many worlds.
struct Try {
    SolvedAction solved{};
    std::vector<double> values;  // world by world
    double value_sum = 0.0;
    int clears = 0;

    double value() const { return solved.worlds > 0 ? value_sum / solved.worlds : 0.0; }
};

// Whether in the worlds that both have seen one try is ahead of the other beyond doubt.
bool is_clearly_ahead(const Try& leader, const Try& other) {
    const std::size_t worlds = std::min(leader.values.size(), other.values.size());
    if (worlds < tuning::race_worlds) return false;
    double sum = 0;
    double squares = 0;
    for (std::size_t w = 0; w < worlds; ++w) {
        const double difference = leader.values[w] - other.values[w];
        sum += difference;
        squares += difference * difference;
    }
    const auto n = static_cast<double>(worlds);
    const double mean = sum / n;
    const double variance = std::max(0.0, squares / n - mean * mean) / (n - 1);
    return mean > tuning::race_errors * std::sqrt(variance);
}

struct Outcome {
    bool clear = false;
    double value = 0.0;
};

class Solver {
public:
    Solver(const RunState& run, const SolveOptions& options) : run_(run), options_(options), started_(Clock::now()) {
        SplitMix random(options.nonce ^ 0x5EEDULL);
        basis_ = blind_basis(run, random);
        list_tries(random);
    }

    std::vector<SolvedAction> solve() {
        std::vector<Try*> left;
        for (Try& one : tries_) left.push_back(&one);
        if (left.size() > 1) halve(left);
        std::stable_sort(tries_.begin(), tries_.end(), [](const Try& a, const Try& b) {
            if (a.solved.worlds != b.solved.worlds) return a.solved.worlds > b.solved.worlds;
            return a.value() > b.value();
        });
        std::vector<SolvedAction> solved;
        for (const Try& one : tries_) solved.push_back(finish(one));
        return solved;
    }

private:
    void add_try(const Action& action, double score) {
        if (check(run_, action) == Refusal::none)
            tries_.push_back({.solved = {.action = action, .score = score}, .values = {}});
    }

    void list_tries(SplitMix& random) {
        const HandShape shape = shape_of(run_, basis_.traits);
        const ScoredPlays plays = score_plays(run_, shape);
        const bool few = options_.rollouts < tuning::many_tries_from;
        for (int i = 0; i < std::min(plays.size(), few ? tuning::few_plays : tuning::solver_plays); ++i) {
            add_try({ActionKind::play, 0, 0, plays[i].cards}, plays[i].score);
        }
        list_sales();
        if (run_.discards_left <= 0) return;
        const double need = run_.blind.target - run_.chips;
        const DiscardOutlook outlook(run_, basis_, shape.needed, need, tuning::draw_samples, random);
        ScratchVector<ScoredPlay, max_lines> lines;
        for (Positions line : discard_lines(shape, plays[0].cards)) lines.push_back({line, outlook.worth(line)});
        std::stable_sort(lines.begin(), lines.end(),
                         [](const ScoredPlay& a, const ScoredPlay& b) { return a.score > b.score; });
        for (int i = 0; i < std::min(lines.size(), few ? tuning::few_discards : tuning::solver_discards); ++i) {
            add_try({ActionKind::discard, 0, 0, lines[i].cards}, lines[i].score);
        }
    }

    // Verdant Leaf ends with any sale, every boss with Luchador's.
    void list_sales() {
        const BlindRule& blind = acting_blind(run_);
        if (!fact(blind.key).boss) return;
        for (int i = 0; i < run_.jokers.size(); ++i) {
            if (blind.joker_sold == nullptr && run_.jokers[i].key != JokerId::luchador) continue;
            add_try({ActionKind::sell_joker, static_cast<std::uint8_t>(i)}, 0.0);
        }
    }

    // Sequential halving: all that are left see the same further worlds, then the worse half goes. Those that fall
    // clearly behind go earlier.
    void halve(std::vector<Try*>& left) {
        const int rounds = std::max(1, static_cast<int>(std::ceil(std::log2(static_cast<double>(left.size())))));
        int world = 0;
        for (int round = 0; round < rounds && left.size() > 1 && !out_of_time(); ++round) {
            const int share = options_.rollouts / (rounds * static_cast<int>(left.size()));
            const int end = world + std::max(tuning::min_worlds, share);
            const std::size_t half = (left.size() + 1) / 2;
            while (world < end && left.size() > 1 && !out_of_time()) {
                const int worlds = std::min(tuning::race_worlds, end - world);
                try_worlds(left, world, worlds);
                world += worlds;
                std::stable_sort(left.begin(), left.end(),
                                 [](const Try* a, const Try* b) { return a->value() > b->value(); });
                std::erase_if(left, [&](const Try* one) { return is_clearly_ahead(*left[0], *one); });
            }
            left.resize(std::min(left.size(), half));
        }
    }

    bool out_of_time() const {
        if (options_.budget_ms <= 0) return false;
        const std::chrono::duration<double, std::milli> used = Clock::now() - started_;
        return used.count() >= options_.budget_ms;
    }

    void try_worlds(const std::vector<Try*>& left, int first, int worlds) {
        std::vector<Outcome> outcomes(left.size() * static_cast<std::size_t>(worlds));
        std::vector<char> tried(static_cast<std::size_t>(worlds), 0);
        const auto work = [&](int thread) {
            for (int w = thread; w < worlds; w += options_.threads) {
                if (w >= tuning::min_worlds && out_of_time()) break;
                const std::uint64_t nonce = world_nonce(first + w);
                const RunState world = options_.clairvoyant ? run_ : determinize(run_, nonce);
                for (std::size_t c = 0; c < left.size(); ++c) {
                    outcomes[static_cast<std::size_t>(w) * left.size() + c] =
                        play_out(world, left[c]->solved.action, nonce, thread);
                }
                tried[static_cast<std::size_t>(w)] = 1;
            }
        };
        std::vector<std::jthread> threads;
        for (int t = 1; t < options_.threads; ++t) threads.emplace_back(work, t);
        work(0);
        threads.clear();
        for (int w = 0; w < worlds; ++w) {
            if (tried[static_cast<std::size_t>(w)] == 0) continue;
            for (std::size_t c = 0; c < left.size(); ++c) {
                const Outcome& outcome = outcomes[static_cast<std::size_t>(w) * left.size() + c];
                left[c]->value_sum += outcome.value;
                left[c]->values.push_back(outcome.value);
                left[c]->clears += outcome.clear;
                ++left[c]->solved.worlds;
            }
        }
    }

    std::uint64_t world_nonce(int world) const {
        return SplitMix(options_.nonce + static_cast<std::uint64_t>(world) * 0x9E37ULL).next();
    }

    Outcome play_out(const RunState& world, const Action& action, std::uint64_t nonce, int thread) const {
        RunState run = world;
        SplitMix random(nonce);
        step(run, action);
        play_round_out(run, basis_, random, tuning::solver_draw_samples);
        Outcome outcome;
        outcome.clear = run.phase != Phase::game_over;
        if (outcome.clear && options_.after) {
            outcome.value =
                std::max(tuning::progress_worth, options_.after(run, thread));  // never less than a lost one
        } else if (outcome.clear) {
            const int dollars = run.dollars + run.payout.total() - run_.dollars;
            outcome.value = 1.0 + options_.dollar_worth * dollars;
        } else {
            outcome.value = tuning::progress_worth * std::min(1.0, run.chips / run_.blind.target);
        }
        return outcome;
    }

    static SolvedAction finish(const Try& one) {
        SolvedAction solved = one.solved;
        const double n = std::max(1, solved.worlds);
        solved.clear = one.clears / n;
        solved.error = std::sqrt(std::max(solved.clear * (1 - solved.clear), 0.25 / n) / n);
        solved.value = one.value();
        return solved;
    }

    const RunState& run_;
    SolveOptions options_;
    BlindBasis basis_;
    std::vector<Try> tries_;
    Clock::time_point started_;
};

}  // namespace

std::vector<SolvedAction> solve_blind(const RunState& run, const SolveOptions& options) {
    return Solver(run, options).solve();
}

}  // namespace jimbo
