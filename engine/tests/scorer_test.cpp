// Trying plays without playing them, and copies of a run that leave out what is not in use.
#include "check.hpp"
#include "play/best_hand.hpp"
#include "rules/round.hpp"
#include "rules/zones.hpp"
#include "tests/random_play.hpp"

namespace {

using namespace jimbo;

// The plain way: everything is copied for each play.
LastHand scored_on_a_copy(const RunState& run, std::uint64_t cards, Luck luck, EventLog& log) {
    RunState copy = run;
    Turn turn{copy, &log};
    take_played(copy, cards);
    begin_play(turn);
    score_hand(turn, luck);
    return copy.last;
}

bool same(const LastHand& a, const LastHand& b) {
    const auto number = [](double x, double y) { return x == y || (x != x && y != y); };
    return a.hand == b.hand && a.any == b.any && a.blocked == b.blocked && number(a.chips, b.chips) &&
           number(a.mult, b.mult) && number(a.score, b.score);
}

bool same(const Event& a, const Event& b) {
    return a.kind == b.kind && a.actor == b.actor && a.index == b.index && a.key == b.key && a.amount == b.amount &&
           a.chips == b.chips && a.mult == b.mult;
}

bool same(const EventLog& a, const EventLog& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Event& x, const Event& y) { return same(x, y); });
}

std::uint64_t random_play(const RunState& run, tests::Dice& dice) {
    for (const ActionGroup& group : action_groups(run, false)) {
        if (group.kind == ActionKind::play) return action_of(group, dice.next() % group.count).cards;
    }
    return 0;
}

// Many plays with one scorer, each as if it were the first.
bool scorer_leaves_no_trace(const RunState& run, tests::Dice& dice) {
    HandScorer scorer(run);
    for (int n = 0; n < 12; ++n) {
        const std::uint64_t cards = random_play(run, dice);
        if (cards == 0) return true;
        const Luck luck = static_cast<Luck>(dice.below(4));
        EventLog expected_log;
        EventLog log;
        const LastHand expected = scored_on_a_copy(run, cards, luck, expected_log);
        const LastHand scored = scorer.score(cards, luck, &log);
        if (!same(scored, expected) || !same(log, expected_log)) return false;
        if (!same(preview(run, cards, luck), expected)) return false;
        if (!same(scorer.score_with(run.hand, cards, luck), expected)) return false;
        RunState other = run;
        for (int i = 0; i < std::min(other.hand.size(), other.deck_pile.size()); ++i) other.hand[i] = run.deck_pile[i];
        if (!same(scorer.score_with(other.hand, cards, luck), preview(other, cards, luck))) return false;
    }
    return true;
}

// Random play with edits that open the whole game; visits every position in which a hand can be played.
template <typename Visit>
void each_position(std::uint64_t seed, int moves, Visit visit) {
    tests::Dice dice(seed);
    for (const tests::Start& start : tests::all_starts(dice)) {
        RunState run = start.run();
        for (int n = 0; n < moves && run.phase != Phase::game_over; ++n) {
            for (int edits = 0; edits < 2; ++edits) {
                tests::make_edit(run, static_cast<tests::Edit>(2 + dice.below(tests::edit_count - 2)), dice.next());
            }
            if (run.phase == Phase::selecting_hand) visit(run, dice);
            const std::vector<Action> actions = tests::listed_or_sampled(run, dice);
            if (actions.empty()) break;
            const Action action = tests::choose(actions, dice);
            if (action.kind == ActionKind::play && dice.percent(80)) run.chips = run.blind.target;
            step(run, action);
        }
    }
}

TEST(a_scorer_leaves_no_trace) {
    each_position(7, 60, [](const RunState& run, tests::Dice& dice) { CHECK(scorer_leaves_no_trace(run, dice)); });
}

// Every joker, as itself and through the Blueprint before it, and on the last hand.
TEST(a_scorer_leaves_no_trace_of_any_joker) {
    tests::Dice dice(8);
    for (const JokerFact& joker : joker_facts) {
        RunState run = start_run(tests::random_seed(dice), DeckId::red, StakeId::white);
        for (int n = 0; n < 20; ++n) tests::give_card(run, dice);
        step(run, {ActionKind::select_blind});
        edits::add_joker(run, JokerId::blueprint, Edition::base, {});
        edits::add_joker(run, joker.id, Edition::base, {});
        edits::add_joker(run, JokerId::oops, Edition::base, {});
        CHECK(scorer_leaves_no_trace(run, dice));
        run.hands_left = 1;
        run.jokers[1].count = 1;  // one hand from its end, where it has one
        CHECK(scorer_leaves_no_trace(run, dice));
    }
}

// With the luck that is drawn a try is what the play will be, to the last event; The Hook alone is not foreseen.
bool play_is_as_tried(const RunState& run, std::uint64_t cards) {
    EventLog tried_log;
    EventLog log;
    const LastHand tried = preview(run, cards, Luck::drawn, &tried_log);
    RunState played = run;
    step(played, {ActionKind::play, 0, 0, cards}, &log);
    if (log.size() < tried_log.size()) return false;
    log.resize(tried_log.size());
    return same(tried, played.last) && same(tried_log, log);
}

TEST(a_play_is_as_it_was_tried) {
    int bosses = 0;
    each_position(12, 60, [&](const RunState& run, tests::Dice& dice) {
        const std::uint64_t cards = random_play(run, dice);
        if (cards == 0 || (run.blind.key == BlindId::hook && !run.blind.disabled)) return;
        bosses += fact(run.blind.key).boss;
        CHECK(play_is_as_tried(run, cards));
    });
    CHECK(bosses > 500);
}

// Against every boss, with jokers that count the money or are paid by the boss.
TEST(a_play_against_a_boss_is_as_it_was_tried) {
    tests::Dice dice(14);
    for (const BlindFact& blind : blind_facts) {
        if (!blind.boss || blind.id == BlindId::hook) continue;
        RunState run = start_run(tests::random_seed(dice), DeckId::red, StakeId::white);
        for (JokerId joker : {JokerId::matador, JokerId::bull, JokerId::vampire, JokerId::bootstraps}) {
            edits::add_joker(run, joker, Edition::base, {});
        }
        run.dollars = 24;
        run.boss = blind.id;
        run.on_deck = BlindSlot::boss;
        step(run, {ActionKind::select_blind});
        for (int n = 0; n < 4 && run.phase == Phase::selecting_hand; ++n) {
            const std::uint64_t cards = random_play(run, dice);
            CHECK(play_is_as_tried(run, cards));
            run.chips = 0;
            step(run, {ActionKind::play, 0, 0, cards});
        }
    }
}

// --- The best hand -------------------------------------------------------------------------------------------------

bool finds_the_best_hand(const RunState& run, Luck luck) {
    std::optional<BestHand> expected;
    for (const Action& action : legal_actions(run)) {  // fewer cards first
        if (action.kind != ActionKind::play) continue;
        EventLog log;
        const LastHand hand = scored_on_a_copy(run, action.cards, luck, log);
        if (!expected || hand.score > expected->hand.score) expected = BestHand{action, hand};
    }
    const std::optional<BestHand> found = best_hand(run, luck);
    if (!expected || !found) return !expected && !found;
    return found->action == expected->action && same(found->hand, expected->hand);
}

TEST(the_best_hand_is_the_best_of_all_plays) {
    each_position(9, 24, [](const RunState& run, tests::Dice& dice) {
        if (run.hand.size() > tests::fully_listed_hand) return;
        CHECK(finds_the_best_hand(run, dice.one_in(2) ? Luck::none : Luck::expected));
    });
}

TEST(without_hands_there_is_no_best_hand) {
    RunState run = start_run(*parse_seed("BEST"), DeckId::red, StakeId::white);
    CHECK(!best_hand(run));
    step(run, {ActionKind::select_blind});
    CHECK(best_hand(run));
    run.hands_left = 0;
    CHECK(!best_hand(run));
}

// --- Clones --------------------------------------------------------------------------------------------------------

TEST(a_clone_is_the_same_run) {
    RunState clone = start_run(*parse_seed("CLONE"), DeckId::red, StakeId::white);
    each_position(10, 40, [&](const RunState& run, tests::Dice& dice) {
        clone_into(clone, run);
        CHECK_EQ(save_run(clone), save_run(run));
        RunState other = run;
        const Action action = tests::choose(tests::listed_or_sampled(run, dice), dice);
        CHECK(step(clone, action) == step(other, action));
        CHECK_EQ(save_run(clone), save_run(other));
    });
}

}  // namespace
