// A short random run from every start: all decks at all stakes, and all challenges. engine/apps/soak plays long ones.
#include "check.hpp"
#include "tests/random_play.hpp"

namespace {

using namespace jimbo;

TEST(random_runs_keep_all_rules) {
    tests::Dice dice(1);
    const tests::PlayOptions options{
        .max_moves = 240, .tried_actions = 1, .refused_actions = 3, .round_trip_every = 80};
    for (const tests::Start& start : tests::all_starts(dice)) {
        tests::RandomRun run(start, dice.next(), options);
        CHECK_EQ(run.play(), "");
    }
}

// Every row as full as it can be.
RunState full_run() {
    RunState run = start_run(*parse_seed("FULL"), DeckId::red, StakeId::white);
    step(run, {ActionKind::select_blind});
    while (!run.consumables.full()) edits::add_consumable(run, ConsumableId::star, Edition::negative);
    while (!run.jokers.full()) edits::add_joker(run, JokerId::joker, Edition::negative, {});
    while (!run.hand.full()) edits::add_card(run, Card{}, CardTo::hand);
    while (!run.cards.full()) edits::add_card(run, Card{}, CardTo::deck);
    while (!run.tags.full()) run.tags.push_back({TagId::juggle, {}});
    return run;
}

TEST(full_rows_are_listed_and_stored) {
    const RunState run = full_run();
    CHECK_EQ(tests::broken_rule(run), "");
    long actions = 0;
    for (const ActionGroup& group : action_groups(run, true)) {
        actions += static_cast<long>(group.count);
        CHECK(jimbo::check(run, action_of(group, 0)) == Refusal::none);
        CHECK(jimbo::check(run, action_of(group, group.count - 1)) == Refusal::none);
    }
    const long plays = 64 + 2016 + 41664 + 635376 + 7624512;  // 1 to 5 of 64 cards
    const long targets = 64 + 2016 + 41664;                   // 1 to 3
    CHECK_EQ(actions, 2 * plays + max_consumables * (targets + 1) + max_jokers);
    CHECK_EQ(save_run(load_run(save_run(run))), save_run(run));
}

TEST(a_run_without_room_ends) {
    RunState run = full_run();
    edits::raise_level(run, HandType::high_card, 1);
    run.consumables[0].key = ConsumableId::cryptid;
    CHECK(step(run, {ActionKind::use, 0, 0, 1}) == Refusal::none);
    CHECK(run.phase == Phase::game_over);
    CHECK(run.end == EndCode::no_room);
    CHECK_EQ(tests::broken_rule(run), "");
    CHECK(legal_actions(run, true).empty());
    CHECK_EQ(save_run(load_run(save_run(run))), save_run(run));
}

// --- A round that cannot go on -------------------------------------------------------------------------------------

// In a round with this many cards left, all of them in hand.
RunState last_cards(int cards) {
    RunState run = start_run(*parse_seed("LAST"), DeckId::red, StakeId::white);
    while (run.cards.size() > cards) {
        const CardIndex last = run.deck_pile.back();
        Turn turn{run};
        destroy_cards(turn, {&last, 1});
    }
    step(run, {ActionKind::select_blind});
    return run;
}

TEST(discarding_the_last_cards_loses) {
    RunState run = last_cards(2);
    step(run, {ActionKind::discard, 0, 0, 0b11});
    CHECK(run.end == EndCode::lost);
    CHECK_EQ(tests::broken_rule(run), "");
}

TEST(mr_bones_saves_a_round_without_cards) {
    RunState run = last_cards(2);
    edits::add_joker(run, JokerId::mr_bones, Edition::base, {});
    run.chips = 75;
    step(run, {ActionKind::discard, 0, 0, 0b11});
    CHECK(run.phase == Phase::round_eval);
    CHECK(run.jokers.empty());
}

TEST(a_hand_size_of_nothing_loses) {
    RunState run = start_run(*parse_seed("LAST"), DeckId::red, StakeId::white);
    run.hand_size = 0;
    step(run, {ActionKind::select_blind});
    CHECK(run.end == EndCode::lost);
}

TEST(a_target_that_is_no_number_is_not_saved) {
    RunState run = last_cards(2);
    edits::add_joker(run, JokerId::mr_bones, Edition::base, {});
    run.blind.target = std::numeric_limits<double>::quiet_NaN();
    run.hands_left = 1;
    step(run, {ActionKind::play, 0, 0, 1});
    CHECK(run.end == EndCode::lost);
}

}  // namespace
