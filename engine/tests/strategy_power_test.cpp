// Shortcuts of the value: what the build scores is remembered, and a shop is passed unseen. Both change nothing.
#include "check.hpp"
#include "play/edits.hpp"
#include "play/step.hpp"
#include "random_net.hpp"
#include "rules/round.hpp"
#include "strategy/inputs.hpp"
#include "strategy/power.hpp"
#include "walk.hpp"

namespace {

using namespace jimbo;

// With a joker in any slot but the first, so that Blueprint and Brainstorm copy others, too.
RunState with_joker(RunState run, JokerId joker, tests::Dice& dice) {
    if (run.jokers.size() < max_jokers - 2) edits::add_joker(run, joker, Edition::base, {});
    if (dice.one_in(3) && run.jokers.size() < max_jokers - 1)
        edits::add_joker(run, JokerId::blueprint, Edition::base, {});
    if (run.jokers.size() > 1) std::swap(run.jokers[0], run.jokers[dice.below(run.jokers.size())]);
    return run;
}

TEST(power_is_remembered_by_all_that_scoring_reads) {
    int next = 0;
    tests::walk_random_runs(12, 71, [&](const RunState& run, tests::Dice& dice) {
        const RunState tried = with_joker(run, static_cast<JokerId>(next++ % joker_count), dice);
        CHECK_EQ(power_of(tried), power_anew(tried));
    });
    CHECK(next > 10 * joker_count);
}

// Each joker in runs that agree but for one number: those that do not read it must not care, those that do must.
TEST(numbers_that_few_jokers_read_count_for_those) {
    RunState base = start_run(*parse_seed("POWER"), DeckId::red, StakeId::white);
    for (std::size_t h = 0; h < base.hands.size(); ++h) base.hands[h].played = static_cast<std::uint16_t>(h);
    for (int j = 0; j < joker_count; ++j) {
        RunState run = base;
        edits::add_joker(run, static_cast<JokerId>(j), Edition::base, {});
        edits::add_joker(run, JokerId::joker, Edition::base, {});  // for those that look at others
        const auto changed = [&](auto change) {
            RunState other = run;
            change(other);
            CHECK_EQ(power_of(other), power_anew(other));
        };
        changed([](RunState& r) { r.dollars = 123; });
        changed([](RunState& r) { r.run_hands += 5; });
        changed([](RunState& r) { r.targets.idol_rank = Rank::two; });
        changed(
            [](RunState& r) { r.targets.idol_suit = r.targets.ancient_suit = r.targets.castle_suit = Suit::clubs; });
        changed([](RunState& r) { r.targets.mail_rank = Rank::seven; });
        changed([](RunState& r) { r.deck_pile.resize(7); });
        changed([](RunState& r) { r.unused_discards = 40; });
        changed([](RunState& r) { r.skips = 4; });
        changed([](RunState& r) { r.tarots_used = 9; });
        changed([](RunState& r) { r.vouchers.add(VoucherId::liquidation); });
        changed([](RunState& r) { r.inflation = 12; });
        changed([](RunState& r) { r.joker_slots = 9; });
        changed([](RunState& r) { r.chips = 1e6; });
        changed([](RunState& r) { r.discards_used = r.hands_played = 2; });
        changed([](RunState& r) { r.hands[1].played = 30; });
        changed([](RunState& r) { r.hands[0].played_this_round = r.hands[1].played_this_round = 1; });
        changed([](RunState& r) { r.phase = Phase::shop; });
        changed([](RunState& r) { r.round = r.ante = 7; });
        changed([](RunState& r) { edits::add_consumable(r, ConsumableId::mercury, Edition::base); });
        changed([](RunState& r) {
            r.vouchers.add(VoucherId::observatory);
            edits::add_consumable(r, ConsumableId::mercury, Edition::base);
        });
        for (Card& card : run.cards) card.played_this_ante = true;
        changed([](RunState&) {});
    }
}

TEST(bosses_that_ask_what_was_played_are_answered) {
    for (const BlindFact& blind : blind_facts) {
        RunState run = start_run(*parse_seed("BOSSES"), DeckId::red, StakeId::white);
        run.on_deck = BlindSlot::boss;
        run.boss = blind.id;
        if (!blind.boss || step(run, {ActionKind::select_blind}) != Refusal::none) continue;
        CHECK_EQ(power_of(run), power_anew(run));
        for (HandStats& hand : run.hands) hand.played = hand.played_this_round = 1;
        CHECK_EQ(power_of(run), power_anew(run));
        run.blind.only_hand = HandType::pair;
        CHECK_EQ(power_of(run), power_anew(run));
    }
}

TEST(a_shop_that_is_passed_leaves_the_run_as_one_that_is_left) {
    int passed = 0;
    tests::walk_random_runs(60, 72, [&](const RunState& run, tests::Dice&) {
        if (run.phase != Phase::round_eval) return;
        RunState seen = run;
        step(seen, {ActionKind::cash_out});
        step(seen, {ActionKind::leave_shop});
        RunState unseen = run;
        Turn turn{unseen};
        pass_shop(turn);
        ValueInputs told;
        ValueInputs told_unseen;
        write_inputs(seen, {}, 40, told);
        write_inputs(unseen, {}, 40, told_unseen);
        const auto whole = [](const ValueInputs& inputs) {
            return std::span<const ValueInput>(inputs.data(), static_cast<std::size_t>(inputs.size()));
        };
        CHECK(tests::same_inputs(whole(told), whole(told_unseen)));
        ++passed;
    });
    CHECK(passed > 100);
}

}  // namespace
