// One place at which games are played, or one position is searched.
#pragma once

#include "arena/self_play.hpp"
#include "tree/search.hpp"

namespace jimbo {

template <Game G>
struct PlayedMove {
    typename G::State state;
    std::array<float, static_cast<std::size_t>(G::facts.num_actions)> policy;
    float value;
    std::int32_t action;
};

template <Game G>
struct FinishedGame {
    std::int64_t episode = 0;
    std::vector<PlayedMove<G>> decisions;
    typename G::State end{};
};

template <Game G>
class Seat {
public:
    using State = typename G::State;

    // Plays games: their numbers are `first`, `first + step` ...
    Seat(const SearchSettings& settings, std::uint64_t seed, std::int64_t first, std::int64_t step)
        : settings_(&settings), random_(seed), episode_(first), episode_step_(step) {
        start();
    }
    // Searches one position and rests.
    Seat(const SearchSettings& settings, std::uint64_t seed, const State& state)
        : settings_(&settings), random_(seed), state_(state), once_(true) {
        search_.begin(state_, settings);
    }

    void collect(int most) {
        while (search_.waiting_count() == 0 && !resting()) {
            search_.collect(most, random_);
            if (search_.done()) move_on();
        }
    }
    void answer(const float* logits, const float* values, int most) { search_.answer(logits, values, most, random_); }

    void run_uniform(std::int64_t simulations) {
        while (simulations > 0 && !resting()) {
            simulations -= search_.run_uniform(static_cast<int>(std::min<std::int64_t>(simulations, 1 << 20)), random_);
            if (search_.done()) move_on();
        }
    }

    bool resting() const { return once_ && search_.done(); }
    const Search<G>& search() const { return search_; }
    int choice() { return search_.choose(temperature(), random_); }

    std::int64_t moves() const { return moves_; }
    std::vector<FinishedGame<G>>& finished() { return finished_; }
    const std::vector<FinishedGame<G>>& finished() const { return finished_; }

private:
    // Self-play soon keeps to a few openings; random ones keep it meeting, and judging, the others too.
    State opening() {
        State state = G::start(random_);
        if (settings_->random_opening == 0) return state;
        auto left = random_.below(static_cast<std::uint64_t>(settings_->random_opening) + 1);
        for (; left > 0 && !G::ending(state); --left) G::step(state, any_of(G::legal(state), random_), random_);
        return state;
    }

    void start() {
        do state_ = opening();
        while (G::ending(state_));
        game_ = {.episode = episode_, .decisions = {}, .end = {}};
        episode_ += episode_step_;
        search_.begin(state_, *settings_);
    }

    float temperature() const {
        return static_cast<int>(game_.decisions.size()) < settings_->temperature_moves ? settings_->temperature
                                                                                       : settings_->late_temperature;
    }

    // Makes the move that the search has found, and begins the next search.
    void move_on() {
        if (once_) return;
        const int action = choice();
        PlayedMove<G>& decision = game_.decisions.emplace_back();
        decision.state = state_;
        decision.action = action;
        decision.value = search_.value();
        const auto policy = search_.policy();
        std::copy_n(policy.begin(), decision.policy.size(), decision.policy.begin());
        ++moves_;
        G::step(state_, action, random_);
        if (!G::ending(state_)) {
            search_.go_on(action, state_, random_);
            return;
        }
        game_.end = state_;
        finished_.push_back(std::move(game_));
        start();
    }

    const SearchSettings* settings_;
    SplitMix random_;
    State state_{};
    Search<G> search_;
    FinishedGame<G> game_;
    std::vector<FinishedGame<G>> finished_;
    std::int64_t episode_ = 0;
    std::int64_t episode_step_ = 1;
    std::int64_t moves_ = 0;
    bool once_ = false;
};

}  // namespace jimbo
