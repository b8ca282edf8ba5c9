// Lines, outlooks, the solver and forecasts.
#include <bit>
#include <cmath>

#include "check.hpp"
#include "play/edits.hpp"
#include "play/scorer.hpp"
#include "play/step.hpp"
#include "random_play.hpp"
#include "solve/forecast.hpp"
#include "solve/hand_order.hpp"
#include "solve/joker_order.hpp"
#include "solve/quick.hpp"
#include "solve/solver.hpp"

namespace {

using namespace jimbo;

RunState dealt(std::string_view seed) {
    RunState run = start_run(*parse_seed(seed), DeckId::red, StakeId::white);
    step(run, {ActionKind::select_blind});
    return run;
}

void give_hand(RunState& run, std::initializer_list<std::string_view> fronts) {
    run.hand.clear();
    run.deck_pile.clear();
    for (int i = 0; i < run.cards.size(); ++i) run.deck_pile.push_back(static_cast<CardIndex>(i));
    for (std::string_view key : fronts) {
        const Front front = *front_by_key(key);
        for (int i = 0; i < run.deck_pile.size(); ++i) {
            const CardIndex card = run.deck_pile[i];
            if (run.cards[card].rank != front.rank || run.cards[card].suit != front.suit) continue;
            run.hand.push_back(card);
            run.deck_pile.erase(i);
            break;
        }
    }
}

TEST(every_line_is_an_allowed_action) {
    for (const char* seed : {"LINES1", "LINES2", "LINES3", "LINES4", "LINES5"}) {
        RunState run = dealt(seed);
        SplitMix random(7);
        while (run.phase == Phase::selecting_hand) {
            const HandShape shape = shape_of(run, traits_of(run));
            const ScoredPlays plays = score_plays(run, shape);
            CHECK(!plays.empty());
            for (const ScoredPlay& play : plays) {
                CHECK(jimbo::check(run, {ActionKind::play, 0, 0, play.cards}) == Refusal::none);
            }
            const bool can_discard = run.discards_left > 0;
            for (Positions line : discard_lines(shape, plays[0].cards)) {
                CHECK_EQ(jimbo::check(run, {ActionKind::discard, 0, 0, line}) == Refusal::none, can_discard);
            }
            step(run, quick_action(run, blind_basis(run, random), random));
        }
    }
}

// The lines leave out nothing that scores more, as long as no joker cares about the other cards.
TEST(the_best_line_is_the_best_play) {
    for (int n = 0; n < 40; ++n) {
        const RunState run = dealt("BEST" + std::to_string(n));
        const ScoredPlays plays = score_plays(run, shape_of(run, traits_of(run)));
        HandScorer scorer(run);
        double best = 0;
        for (const Action& action : legal_actions(run)) {
            if (action.kind == ActionKind::play) best = std::max(best, scorer.score(action.cards, Luck::none).score);
        }
        CHECK_EQ(plays[0].score, best);
    }
}

TEST(a_flush_draw_is_drawn_to) {
    RunState run = dealt("DRAW");
    give_hand(run, {"H_A", "H_Q", "H_9", "H_4", "S_2", "C_6", "D_J", "S_7"});
    SplitMix random(3);
    const Action action = quick_action(run, blind_basis(run, random), random);
    CHECK(action.kind == ActionKind::discard);
    CHECK_EQ(action.cards & 0b1111u, 0u);
}

TEST(the_solver_wins_when_it_can) {
    RunState run = dealt("WINNOW");
    give_hand(run, {"H_A", "H_K", "H_9", "H_4", "H_2", "C_6", "D_8", "S_T"});
    run.chips = run.blind.target - 200;
    const auto solved = solve_blind(run, {.rollouts = 100});
    CHECK(solved[0].action == (Action{ActionKind::play, 0, 0, 0b11111}));
    CHECK_EQ(solved[0].clear, 1.0);
}

TEST(threads_do_not_change_the_answer) {
    const RunState run = dealt("THREADS");
    const auto one = solve_blind(run, {.rollouts = 300, .threads = 1, .nonce = 5});
    const auto two = solve_blind(run, {.rollouts = 300, .threads = 2, .nonce = 5});
    CHECK_EQ(one.size(), two.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].action == two[i].action);
        CHECK_EQ(one[i].value, two[i].value);
        CHECK_EQ(one[i].worlds, two[i].worlds);
    }
}

TEST(time_ends_the_search_with_an_answer) {
    const RunState run = dealt("HURRY");
    const auto solved = solve_blind(run, {.rollouts = 100'000'000, .budget_ms = 20});
    CHECK(solved[0].worlds >= 2);
    CHECK(solved[0].worlds < 1'000'000);
}

TEST(the_reported_chance_is_met) {
    // Play the solver's choice on in other worlds: cleared about as often as it said.
    const RunState run = dealt("CHANCE");
    const auto solved = solve_blind(run, {.rollouts = 2000, .nonce = 1});
    const auto again = solve_blind(run, {.rollouts = 2000, .nonce = 2});
    for (const SolvedAction& other : again) {
        if (other.action != solved[0].action) continue;
        CHECK(std::abs(other.clear - solved[0].clear) < 4 * (other.error + solved[0].error));
    }
}

TEST(solving_leaves_any_position_standing) {
    // Whatever random play comes to: hidden cards, bosses, jokers of all kinds.
    int solved = 0;
    for (int n = 0; n < 80; ++n) {
        RunState run = start_run(*parse_seed("ANY" + std::to_string(n)), DeckId::red, StakeId::white);
        SplitMix random(static_cast<std::uint64_t>(n));
        run.dollars = 200;
        for (int k = 0; k < 4; ++k) {
            edits::add_joker(run, static_cast<JokerId>(random.below(joker_count)), Edition::base, {});
        }
        edits::set_boss(run, boss_order[random.below(boss_order.size())]);
        run.on_deck = BlindSlot::boss;
        step(run, {ActionKind::select_blind});
        while (run.phase == Phase::selecting_hand) {
            const auto answer = solve_blind(run, {.rollouts = 20});
            CHECK(step(run, answer[0].action) == Refusal::none);
            ++solved;
        }
    }
    CHECK(solved > 200);
}

TEST(a_forecast_sees_growth_and_money) {
    RunState run = start_run(*parse_seed("GROWTH"), DeckId::red, StakeId::white);
    const Forecast plain = forecast(run, {.rounds = 3, .worlds = 32});
    CHECK_EQ(plain.count, 3);
    CHECK(plain.rounds[0].dollars > 4);
    CHECK(plain.rounds[2].dollars > plain.rounds[0].dollars);
    edits::add_joker(run, JokerId::green_joker, Edition::base, {});
    const Forecast grown = forecast(run, {.rounds = 3, .worlds = 32});
    CHECK(grown.rounds[0].log_score > plain.rounds[0].log_score);
    CHECK(grown.rounds[1].log_score - plain.rounds[1].log_score >
          grown.rounds[0].log_score - plain.rounds[0].log_score);
}

TEST(forecasts_go_on_where_others_stopped) {
    const RunState run = start_run(*parse_seed("GOON"), DeckId::red, StakeId::white);
    const Forecast first = forecast(run, {.rounds = 1, .worlds = 4});
    const Forecast second = forecast(run, {.rounds = 1, .worlds = 4, .first_world = 4});
    CHECK_EQ(first.rounds[0].worlds + second.rounds[0].worlds, 8);
    CHECK(first.rounds[0].log_score != second.rounds[0].log_score);
}

// A deck so thin that the cards run out before the hands do, in some worlds and not in others.
TEST(a_world_that_ends_does_not_count) {
    RunState run = start_run(*parse_seed("THIN"), DeckId::red, StakeId::white);
    const auto whole = run.cards;
    run.cards.clear();
    run.deck_pile.clear();
    for (int i = 0; i < whole.size(); i += 2) {
        run.deck_pile.push_back(static_cast<CardIndex>(run.cards.size()));
        run.cards.push_back(whole[i]);
    }
    const Forecast found = forecast(run, {.rounds = 2, .worlds = 64});
    CHECK_EQ(found.count, 2);
    for (int r = 0; r < found.count; ++r) {
        const RoundForecast& round = found.rounds[static_cast<std::size_t>(r)];
        CHECK(round.worlds > 0);
        CHECK(round.worlds < 64);
        CHECK(std::abs(round.target - std::log(r == 0 ? 300 : 450)) < 1e-9);
    }
}

// The jokers in the order that is best for them, as they come out of any order they are given in.
std::vector<JokerId> ordered(const std::vector<JokerId>& keys) {
    RunState run = start_run(*parse_seed("ORDER"), DeckId::red, StakeId::white);
    for (JokerId key : keys) edits::add_joker(run, key, Edition::base, {});
    std::vector<JokerId> order;
    for (int slot : best_joker_order(run, 1)) order.push_back(run.jokers[slot].key);
    return order;
}

int place(const std::vector<JokerId>& order, JokerId key) {
    return static_cast<int>(std::find(order.begin(), order.end(), key) - order.begin());
}

TEST(multipliers_stand_behind_what_they_multiply) {
    std::vector<JokerId> given{JokerId::joker, JokerId::gros_michel, JokerId::cavendish};
    std::sort(given.begin(), given.end());
    do {
        const std::vector<JokerId> order = ordered(given);
        CHECK_EQ(order.size(), 3u);
        CHECK_EQ(place(order, JokerId::cavendish), 2);
    } while (std::next_permutation(given.begin(), given.end()));
}

TEST(a_copy_stands_before_what_is_worth_copying) {
    std::vector<JokerId> given{JokerId::blueprint, JokerId::joker, JokerId::gros_michel, JokerId::cavendish};
    std::sort(given.begin(), given.end());
    do {
        const std::vector<JokerId> order = ordered(given);
        CHECK_EQ(place(order, JokerId::blueprint), 2);
        CHECK_EQ(place(order, JokerId::cavendish), 3);
    } while (std::next_permutation(given.begin(), given.end()));
}

// More jokers than are tried in every order.
TEST(many_jokers_are_put_in_order_too) {
    const std::vector<JokerId> order =
        ordered({JokerId::cavendish, JokerId::joker, JokerId::gros_michel, JokerId::abstract, JokerId::stuntman,
                 JokerId::blueprint, JokerId::scary_face});
    for (JokerId key : {JokerId::joker, JokerId::gros_michel, JokerId::abstract}) {
        CHECK(place(order, key) < place(order, JokerId::cavendish));
    }
    CHECK_EQ(place(order, JokerId::blueprint) + 1, place(order, JokerId::cavendish));
}

// In whatever order the cards lie, they are put in one that scores as much as any.
TEST(the_order_of_played_cards_is_the_best_of_all) {
    tests::Dice dice(15);
    int moved = 0;
    for (int n = 0; n < 40; ++n) {
        RunState run = dealt("CARDS" + std::to_string(n));
        for (JokerId key : {JokerId::photograph, JokerId::hanging_chad, JokerId::scary_face}) {
            edits::add_joker(run, key, Edition::base, {});
        }
        for (int i = 0; i < 4; ++i) {
            run.hand_card(i).rank = Rank::king;  // so that all of them score
            run.hand_card(i).enhancement = dice.of(enhancement_facts).id;
        }
        std::vector<int> other{0, 1, 2};
        if (dice.one_in(2)) other.push_back(3);
        const Positions cards = (Positions{1} << other.size()) - 1;
        RunState table = run;
        const auto score = [&](const std::vector<int>& order) {
            for (std::size_t i = 0; i < order.size(); ++i) table.hand[static_cast<int>(i)] = run.hand[order[i]];
            return HandScorer(table).score(cards, Luck::expected).score;
        };
        const std::vector<int> order = best_hand_order(run, cards);
        moved += order != other;
        double most = 0;
        do most = std::max(most, score(other));
        while (std::next_permutation(other.begin(), other.end()));
        CHECK(score(order) * 1.01 >= most);
    }
    CHECK(moved > 20);
}

TEST(photograph_wants_its_card_where_it_counts_most) {
    RunState run = dealt("PHOTO");
    give_hand(run, {"H_K", "S_K", "D_9", "C_6", "S_5", "D_4", "C_3", "H_2"});
    run.cards[run.hand[0]].enhancement = Enhancement::mult;
    edits::add_joker(run, JokerId::photograph, Edition::base, {});
    // The first face card doubles: the +4 Mult must be in by then, so the plain King goes first only if that is worse.
    const std::vector<int> order = best_hand_order(run, 0b11);
    RunState swapped = run;
    std::swap(swapped.hand[0], swapped.hand[1]);
    const double as_is = HandScorer(run).score(0b11, Luck::none).score;
    const double other = HandScorer(swapped).score(0b11, Luck::none).score;
    CHECK(as_is != other);
    CHECK_EQ(order[0], as_is > other ? 0 : 1);
}

}  // namespace
