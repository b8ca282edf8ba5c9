// The search: what it counts, what it finds, and that nothing but the seed decides.
#include <array>
#include <cmath>
#include <numeric>

#include "arena/self_play_of.hpp"
#include "boards/connect4.hpp"
#include "boards/tictactoe_solver.hpp"
#include "check.hpp"

using namespace jimbo;

namespace {

SearchSettings quiet(SearchKind kind, int simulations) {
    SearchSettings settings;
    settings.kind = kind;
    settings.simulations = simulations;
    settings.dirichlet_weight = 0;
    settings.temperature = settings.late_temperature = 0;
    settings.gumbel_scale = 0;
    return settings;
}

// Evaluations that differ from position to position and from action to action.
void evaluate(const float* rows, int count, int width, int actions, float* logits, float* values) {
    for (int i = 0; i < count; ++i) {
        float sum = 0;
        for (int c = 0; c < width; ++c) sum += rows[i * width + c] * static_cast<float>((c * 37) % 11 - 5);
        values[i] = 0.5F * std::sin(sum);
        for (int a = 0; a < actions; ++a) logits[i * actions + a] = std::cos(sum + static_cast<float>(a));
    }
}

struct Played {
    std::vector<int> actions;
    std::vector<float> policies;
    std::vector<float> outcomes;
    std::int64_t simulations = 0;
    bool operator==(const Played&) const = default;
};

template <typename G>
Played play(const SearchSettings& settings, int games, int threads, std::int64_t episodes) {
    SelfPlayOf<G> players(games, {settings, 7, threads});
    std::vector<float> rows(static_cast<std::size_t>(players.most_leaves() * G::facts.obs_size));
    std::vector<float> logits(static_cast<std::size_t>(players.most_leaves() * G::facts.num_actions));
    std::vector<float> values(static_cast<std::size_t>(players.most_leaves()));
    while (players.episodes() < episodes) {
        const int count = players.collect();
        players.write_leaves(rows.data());
        evaluate(rows.data(), count, G::facts.obs_size, G::facts.num_actions, logits.data(), values.data());
        players.evaluated(logits.data(), values.data());
    }
    Played played;
    played.simulations = players.simulations();
    const auto n = static_cast<std::size_t>(players.finished_rows());
    std::vector<std::int64_t> episode(n);
    std::vector<std::int32_t> step(n), action(n);
    std::vector<std::uint8_t> state(n * G::state_size), next_state(n * G::state_size), done(n);
    std::vector<float> observation(n * G::facts.obs_size), next_observation(n * G::facts.obs_size), reward(n);
    std::vector<float> value(n);
    played.policies.resize(n * G::facts.num_actions);
    played.outcomes.resize(n);
    players.take_finished({episode.data(), step.data(), action.data(), state.data(), next_state.data(),
                           observation.data(), next_observation.data(), reward.data(), done.data(),
                           played.policies.data(), value.data(), played.outcomes.data()});
    played.actions.assign(action.begin(), action.end());
    return played;
}

// The move of one search without a network.
template <typename G>
int found(const typename G::State& state, const SearchSettings& settings) {
    SplitMix random(5);
    Search<G> search;
    search.begin(state, settings);
    search.run_uniform(settings.simulations, random);
    return search.choose(0, random);
}

Connect4::State after(std::string_view columns) {
    Connect4::State state{};
    for (const char column : columns) Connect4::drop(state, column - '1');
    return state;
}

}  // namespace

TEST(threads_change_nothing) {
    for (const SearchKind kind : {SearchKind::puct, SearchKind::gumbel}) {
        SearchSettings settings;
        settings.kind = kind;
        settings.simulations = 24;
        const Played one = play<Connect4>(settings, 12, 1, 20);
        CHECK(!one.actions.empty());
        CHECK(play<Connect4>(settings, 12, 3, 20) == one);
    }
}

TEST(leaves_of_one_game_can_wait_together) {
    SearchSettings settings;
    settings.simulations = 64;
    settings.leaf_batch = 16;
    const Played played = play<Connect4>(settings, 1, 1, 2);
    CHECK_EQ(played.policies.size(), 7 * played.actions.size());
    for (std::size_t i = 0; i < played.actions.size(); ++i) {
        const auto policy = played.policies.begin() + static_cast<std::ptrdiff_t>(7 * i);
        CHECK(std::abs(std::accumulate(policy, policy + 7, 0.0F) - 1) < 1e-5F);
        CHECK(policy[played.actions[i]] > 0);
    }
}

TEST(both_searches_see_wins_and_stop_losses) {
    for (const SearchKind kind : {SearchKind::puct, SearchKind::gumbel}) {
        const SearchSettings settings = quiet(kind, 400);
        CHECK_EQ(found<Connect4>(after("112233"), settings), 3);
        CHECK_EQ(found<Connect4>(after("11223"), settings), 3);
        CHECK_EQ(found<Connect4>(after("2233"), settings), 3);
    }
}

TEST(a_long_search_plays_tictactoe_perfectly) {
    SplitMix random(9);
    for (const SearchKind kind : {SearchKind::puct, SearchKind::gumbel}) {
        const SearchSettings settings = quiet(kind, 3000);
        for (int i = 0; i < 60; ++i) {
            TicTacToe::State state{};
            for (std::uint64_t moves = random.below(6); moves > 0; --moves) {
                TicTacToe::State next = state;
                ActionBits rest = TicTacToe::legal(state);
                for (auto skip = random.below(4); skip > 0 && (rest & (rest - 1)) != 0; --skip) rest &= rest - 1;
                TicTacToe::step(next, std::countr_zero(rest), random);
                if (!TicTacToe::ending(next)) state = next;
            }
            const auto values = perfect_values(state);
            CHECK_EQ(*values[static_cast<std::size_t>(found<TicTacToe>(state, settings))], perfect_value(state));
        }
    }
}

TEST(every_visit_is_counted_and_reuse_keeps_them) {
    SplitMix random(1);
    SearchSettings settings = quiet(SearchKind::puct, 200);
    Search<Connect4> search;
    Connect4::State state{};
    search.begin(state, settings);
    search.run_uniform(200, random);
    CHECK(search.done());
    const float share = search.policy()[3];
    const int kept = static_cast<int>(std::lround(share * 200)) - 1;  // one of the visits made the position itself
    Connect4::drop(state, 3);
    search.go_on(3, state, random);
    CHECK(!search.done());
    search.run_uniform(1, random);
    // Shares are of all visits: those that were kept, and one more.
    const float one = 1.0F / static_cast<float>(kept + 1);
    for (int a = 0; a < 7; ++a) {
        const float visits = search.policy()[static_cast<std::size_t>(a)] / one;
        CHECK(std::abs(visits - std::round(visits)) < 1e-3F);
    }
    CHECK_EQ(search.simulations(), 201);
}

TEST(values_are_seen_by_the_mover) {
    SplitMix random(1);
    const SearchSettings settings = quiet(SearchKind::puct, 300);
    Search<Connect4> search;
    search.begin(after("112233"), settings);
    search.run_uniform(300, random);
    CHECK(search.value() > 0.8F);
    search.begin(after("4455"), settings);  // three with both ends open is next
    search.run_uniform(300, random);
    CHECK(search.value() > 0.2F);
    search.begin(after("44556"), settings);  // and now it is there
    search.run_uniform(300, random);
    CHECK(search.value() < -0.8F);
}

TEST(sequential_halving_shares_the_visits) {
    const std::vector<int> order = halving_visits(4, 16);
    CHECK_EQ(order.size(), std::size_t{16});
    // Two visits for each of four, then four for each of two.
    const std::array<int, 16> wanted{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    CHECK(std::equal(order.begin(), order.end(), wanted.begin()));
    CHECK_EQ(halving_visits(1, 3).back(), 2);
    CHECK_EQ(halving_visits(16, 5).size(), std::size_t{5});
}

TEST(noise_has_the_shapes_it_should) {
    SplitMix random(3);
    double sum = 0, gumbels = 0, squares = 0;
    constexpr int draws = 20000;
    for (int i = 0; i < draws; ++i) {
        std::array<float, 7> shares{};
        dirichlet(random, 0.3, shares);
        CHECK(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0F) - 1) < 1e-4F);
        sum += shares[0];
        squares += shares[0] * shares[0];
        gumbels += gumbel(random);
    }
    const double mean = 1.0 / 7, variance = mean * (1 - mean) / (7 * 0.3 + 1);
    CHECK(std::abs(sum / draws - mean) < 0.01);
    CHECK(std::abs(squares / draws - mean * mean - variance) < 0.005);
    CHECK(std::abs(gumbels / draws - 0.5772) < 0.03);
}
