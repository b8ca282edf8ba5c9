// Whole runs that are played by a value, and what is kept of them.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "random_net.hpp"
#include "strategy/training_games.hpp"

namespace {

using namespace jimbo;
using tests::corrected_net;
using tests::random_net;
using tests::same_inputs;

std::vector<GameStart> some_starts(int count) {
    std::vector<GameStart> starts;
    for (int i = 0; i < count; ++i) {
        const auto stake = static_cast<StakeId>(i % stake_count);
        starts.push_back(
            {*parse_seed("GAME" + std::to_string(i)), DeckId::red, stake, static_cast<std::uint64_t>(i), i % 2 == 0});
    }
    return starts;
}

TEST(threads_play_the_same_games) {
    const GameSettings settings{{.rollouts = 1, .finalists = 2, .worlds = 1}, 0.1, 0.3, 0.5};
    const auto starts = some_starts(12);
    const auto alone = play_games(random_net(), starts, settings, 1);
    const auto shared = play_games(random_net(), starts, settings, 3);
    std::size_t kept = 0;
    for (std::size_t g = 0; g < starts.size(); ++g) {
        CHECK_EQ(alone[g].round, shared[g].round);
        CHECK_EQ(alone[g].decisions, shared[g].decisions);
        CHECK_EQ(alone[g].hands, shared[g].hands);
        CHECK_EQ(alone[g].positions.size(), shared[g].positions.size());
        kept += alone[g].positions.size();
        for (std::size_t p = 0; p < alone[g].positions.size(); ++p) {
            CHECK(same_inputs(alone[g].positions[p].inputs, shared[g].positions[p].inputs));
        }
    }
    CHECK(kept > 30);
}

TEST(kept_positions_have_forecasts_of_their_own) {
    GameSettings settings{{.rollouts = 1, .finalists = 0}, 0.1, 0.3, 0.5};
    const auto told_worlds = [&] {
        std::vector<int> worlds;
        for (const PlayedGame& game : play_games(random_net(), some_starts(12), settings, 1)) {
            for (const RecordedPosition& position : game.positions) {
                const auto told = std::find_if(position.inputs.begin(), position.inputs.end(), [](const ValueInput& i) {
                    return i.index == offset_of(InputGroup::forecast_known);
                });
                // How many worlds is told by the next input, which is left out where it is 0.
                const bool more = told != position.inputs.end() && std::next(told) != position.inputs.end() &&
                                  std::next(told)->index == told->index + 1;
                worlds.push_back(told == position.inputs.end() ? 0
                                 : more                        ? 1 << std::lround(4 * std::next(told)->value)
                                                               : 1);
            }
        }
        return worlds;
    };
    const auto without = told_worlds();
    CHECK(without.size() > 30);
    CHECK(std::all_of(without.begin(), without.end(), [](int worlds) { return worlds == 0; }));
    settings.recorded_worlds = 5;
    const auto with = told_worlds();
    for (int worlds : {1, 2, 4}) CHECK(std::count(with.begin(), with.end(), worlds) > 5);
    CHECK(std::all_of(with.begin(), with.end(), [](int worlds) { return worlds == 1 || worlds == 2 || worlds == 4; }));
}

TEST(a_position_knows_what_came_of_later_blinds) {
    const auto games = play_games(random_net(), some_starts(12), {{.rollouts = 1, .finalists = 0}, 0.1, 0.3, 1.0}, 1);
    for (const PlayedGame& game : games) {
        const auto taken = std::count_if(game.positions.begin(), game.positions.end(),
                                         [](const RecordedPosition& position) { return position.taken; });
        CHECK_EQ(taken, std::ptrdiff_t{game.decisions});
        for (const RecordedPosition& position : game.positions) {
            int lost = 0;
            for (std::size_t b = 0; b < position.fates.size(); ++b) {
                const int cleared = position.fates[b].cleared;
                if (b < position.next) CHECK_EQ(cleared, -1);
                if (lost > 0) CHECK_EQ(cleared, -1);
                lost += cleared == 0;
            }
            CHECK_EQ(lost, position.taken && !game.won ? 1 : 0);
        }
    }
}

TEST(lost_runs_have_second_chances) {
    GameSettings settings{{.rollouts = 30, .finalists = 0}, 0.0, 0.0, 1.0};
    const auto plain = play_games(random_net(), some_starts(12), settings, 1);
    settings.second_chances = 2;
    const auto games = play_games(random_net(), some_starts(12), settings, 2);
    int again = 0;
    for (std::size_t g = 0; g < games.size(); ++g) {
        CHECK_EQ(games[g].won, plain[g].won);
        CHECK_EQ(games[g].round, plain[g].round);
        const auto& positions = games[g].positions;
        const std::size_t itself = plain[g].positions.size();
        for (std::size_t p = 0; p < positions.size(); ++p) {
            CHECK_EQ(positions[p].attempt == 0, p < itself);
            if (p < itself) {
                CHECK(same_inputs(positions[p].inputs, plain[g].positions[p].inputs));
                continue;
            }
            again += positions[p].attempt != positions[p - 1].attempt;
            CHECK(positions[p].next > 0);  // there is a shop after a blind
            // What became of the attempt itself.
            const auto& fates = positions[p].fates;
            const auto is_lost = [](const BlindFate& fate) { return fate.cleared == 0; };
            CHECK(std::count_if(fates.begin(), fates.end(), is_lost) <= 1);
            for (int b = 0; b < positions[p].next; ++b) CHECK_EQ(fates[static_cast<std::size_t>(b)].cleared, -1);
        }
    }
    CHECK(again > 3);
}

GameSettings drawing(double temperature) {
    GameSettings settings{.effort = {.rollouts = 1, .finalists = 0, .worlds = 1}, .second_chances = 1};
    settings.temperature = temperature;
    settings.considered = 4;
    return settings;
}

TEST(choices_are_drawn_by_preference_and_recorded) {
    const auto starts = some_starts(12);
    const auto games = play_games(corrected_net(), starts, drawing(1.0), 1);
    const auto shared = play_games(corrected_net(), starts, drawing(1.0), 3);
    std::size_t later = 0;
    std::size_t choices = 0;
    for (std::size_t g = 0; g < games.size(); ++g) {
        const PlayedGame& game = games[g];
        CHECK_EQ(game.digest, shared[g].digest);
        CHECK_EQ(game.choices.size(), shared[g].choices.size());
        CHECK(game.positions.empty());
        CHECK(game.bosses.size() <= 2);
        CHECK_EQ(int{game.bosses.front()}, game.won ? 8 : game.bosses.front());
        for (const RecordedChoice& choice : game.choices) {
            CHECK(choice.attempt < static_cast<int>(game.bosses.size()));
            CHECK(choice.considered.size() >= 2 && choice.considered.size() <= 4);
            CHECK(choice.taken < choice.considered.size());
            CHECK(choice.progress >= 0 && choice.progress <= 1.25);
            for (std::size_t i = 0; i < choice.considered.size(); ++i) {
                const auto& one = choice.considered[i];
                CHECK(std::abs(one.correction - corrected_net().correction(one.inputs)) < 1e-5);
                if (i == 0) continue;
                const auto& before = choice.considered[i - 1];
                CHECK(before.worth + before.correction >= one.worth + one.correction - 1e-5F);
            }
            later += choice.taken > 0;
            ++choices;
        }
    }
    CHECK(later > 20);
    CHECK(later < choices);
}

TEST(the_colder_the_likelier_is_the_best) {
    for (const PlayedGame& game : play_games(corrected_net(), some_starts(6), drawing(1e-9), 1)) {
        for (const RecordedChoice& choice : game.choices) {  // ties alone are in doubt
            const auto& best = choice.considered[0];
            const auto& taken = choice.considered[choice.taken];
            CHECK(std::abs(best.worth + best.correction - taken.worth - taken.correction) < 1e-5F);
        }
    }
    const auto plain = play_games(corrected_net(), some_starts(6), {{.rollouts = 1, .finalists = 0}}, 1);
    for (const PlayedGame& game : plain) CHECK(game.choices.empty());
}

}  // namespace
