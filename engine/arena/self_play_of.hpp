// Many games of one kind, behind the interface that all share. Seats know nothing of each other, and results are put
// together in their order: the number of threads changes nothing.
#pragma once

#include <atomic>
#include <stdexcept>

#include "arena/seat.hpp"
#include "base/pool.hpp"

namespace jimbo {

template <Game G>
class SelfPlayOf final : public SelfPlay {
public:
    using State = typename G::State;

    SelfPlayOf(int games, const SelfPlayOptions& options) : SelfPlayOf(options, games) {
        for (int i = 0; i < games; ++i) seats_.emplace_back(settings_, seed_of(i), i, games);
    }
    SelfPlayOf(std::span<const State> positions, const SelfPlayOptions& options)
        : SelfPlayOf(options, static_cast<int>(positions.size())) {
        for (const State& state : positions) seats_.emplace_back(settings_, seed_of(games()), state);
    }

    const GameFacts& facts() const override { return G::facts; }
    int state_size() const override { return G::state_size; }
    int games() const override { return static_cast<int>(seats_.size()); }
    int most_leaves() const override { return games() * most_each_; }

    int collect() override {
        each_seat([this](Seat<G>& seat, int) { seat.collect(most_each_); });
        int count = 0;
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            first_leaf_[i] = count;
            count += seats_[i].search().waiting_count();
        }
        return count;
    }

    void write_leaves(float* rows) override {
        each_seat([&](const Seat<G>& seat, int number) {
            for (int i = 0; i < seat.search().waiting_count(); ++i) {
                G::observe(seat.search().waiting_state(i), row_of(rows, first_leaf(number) + i, G::facts.obs_size));
            }
        });
    }

    void evaluated(const float* logits, const float* values) override {
        each_seat([&](Seat<G>& seat, int number) {
            const int first = first_leaf(number);
            seat.answer(row_of(logits, first, G::facts.num_actions), values + first, most_each_);
        });
    }

    void evaluate_by([[maybe_unused]] const ValueNet& net) override {
        if constexpr (requires { typename G::Evaluator; }) {
            each_seat([&](Seat<G>& seat, int) {
                typename G::Evaluator evaluator(net);
                const int count = seat.search().waiting_count();
                std::vector<float> logits(static_cast<std::size_t>(count * G::facts.num_actions));
                std::vector<float> values;
                for (int i = 0; i < count; ++i) {
                    float* row = row_of(logits.data(), i, G::facts.num_actions);
                    values.push_back(evaluator.evaluate(seat.search().waiting_state(i), row));
                }
                seat.answer(logits.data(), values.data(), most_each_);
            });
        } else {
            throw std::invalid_argument(std::string(G::facts.display_name) + " has no learnt value");
        }
    }

    bool is_waiting() const override {
        return std::any_of(seats_.begin(), seats_.end(),
                           [](const Seat<G>& seat) { return seat.search().waiting_count() > 0; });
    }

    void run_uniform(std::int64_t simulations) override {
        const std::int64_t n = games();
        each_seat([&](Seat<G>& seat, int number) { seat.run_uniform(simulations / n + (number < simulations % n)); });
    }

    std::int64_t simulations() const override {
        return sum([](const Seat<G>& seat) { return seat.search().simulations(); });
    }
    std::int64_t moves() const override {
        return sum([](const Seat<G>& seat) { return seat.moves(); });
    }
    std::int64_t episodes() const override {
        return taken_ + sum([](const Seat<G>& seat) { return static_cast<std::int64_t>(seat.finished().size()); });
    }

    int finished_rows() const override {
        return static_cast<int>(sum([](const Seat<G>& seat) {
            std::int64_t rows = 0;
            for (const auto& game : seat.finished()) rows += static_cast<std::int64_t>(game.decisions.size());
            return rows;
        }));
    }

    void take_finished(const FinishedArrays& arrays) override {
        int row = 0;
        for (Seat<G>& seat : seats_) {
            for (const FinishedGame<G>& game : seat.finished()) {
                write_game(game, arrays, row);
                row += static_cast<int>(game.decisions.size());
            }
            taken_ += static_cast<std::int64_t>(seat.finished().size());
            seat.finished().clear();
        }
    }

    std::vector<SearchResult> results(float* policies) override {
        if (!std::all_of(seats_.begin(), seats_.end(), [](const Seat<G>& seat) { return seat.resting(); })) {
            throw std::invalid_argument("the searches are not done: evaluate what waits until nothing does");
        }
        std::vector<SearchResult> results;
        for (Seat<G>& seat : seats_) {
            const auto policy = seat.search().policy();
            policies = std::copy_n(policy.begin(), G::facts.num_actions, policies);
            results.push_back({seat.choice(), seat.search().value()});
        }
        return results;
    }

private:
    SelfPlayOf(const SelfPlayOptions& options, int count)
        : settings_(options.settings),
          seed_(options.seed),
          most_each_(std::max(1, options.settings.leaf_batch / std::max(1, count))),
          first_leaf_(static_cast<std::size_t>(count)),
          pool_(std::clamp(options.threads, 1, std::max(1, count))) {
        seats_.reserve(static_cast<std::size_t>(count));
    }

    std::uint64_t seed_of(int seat) const {
        return SplitMix(SplitMix(seed_).next() + static_cast<std::uint64_t>(seat)).next();
    }

    template <typename T>
    static T* row_of(T* rows, int row, int width) {
        return rows + static_cast<std::ptrdiff_t>(row) * width;
    }
    int first_leaf(int seat) const { return first_leaf_[static_cast<std::size_t>(seat)]; }

    template <typename Work>
    void each_seat(const Work& work) {
        std::atomic<int> next{0};
        auto take_seats = [&](int) {
            for (int i = next++; i < games(); i = next++) work(seats_[static_cast<std::size_t>(i)], i);
        };
        pool_.run(take_seats);
    }

    template <typename Count>
    std::int64_t sum(const Count& count) const {
        std::int64_t all = 0;
        for (const Seat<G>& seat : seats_) all += count(seat);
        return all;
    }

    static void write_game(const FinishedGame<G>& game, const FinishedArrays& out, int first) {
        const int last = static_cast<int>(game.decisions.size()) - 1;
        const float end = *G::ending(game.end);
        for (int i = 0; i <= last; ++i) {
            const PlayedMove<G>& decision = game.decisions[static_cast<std::size_t>(i)];
            const State& next = i == last ? game.end : game.decisions[static_cast<std::size_t>(i) + 1].state;
            const int row = first + i;
            const bool same_side = G::player(decision.state) == G::player(game.end);
            out.episode[row] = game.episode;
            out.step[row] = i;
            out.action[row] = decision.action;
            out.value[row] = decision.value;
            out.outcome[row] = same_side ? end : seen_from_before<G>(end);
            out.done[row] = i == last;
            out.reward[row] = i == last ? out.outcome[row] : 0;
            std::copy(decision.policy.begin(), decision.policy.end(), row_of(out.policy, row, G::facts.num_actions));
            G::write_state(decision.state, row_of(out.state, row, G::state_size));
            G::write_state(next, row_of(out.next_state, row, G::state_size));
            G::observe(decision.state, row_of(out.observation, row, G::facts.obs_size));
            G::observe(next, row_of(out.next_observation, row, G::facts.obs_size));
        }
    }

    SearchSettings settings_;
    std::uint64_t seed_;
    int most_each_;  // positions that wait at once in one seat
    std::vector<Seat<G>> seats_;
    std::vector<int> first_leaf_;
    std::int64_t taken_ = 0;
    Pool pool_;
};

}  // namespace jimbo
