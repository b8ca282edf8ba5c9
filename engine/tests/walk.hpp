// States of all sorts for tests that only look: random runs from every start, helped along by edits.
#pragma once

#include "tests/random_play.hpp"

namespace jimbo::tests {

inline void move_on(RunState& run, Dice& dice) {
    if (run.phase == Phase::selecting_hand && dice.one_in(4)) make_edit(run, Edit::reach_target, 0);
    if (dice.one_in(5)) {
        make_edit(run, static_cast<Edit>(dice.below(edit_count)), dice.next());
    } else {
        step(run, choose(listed_or_sampled(run, dice), dice));
    }
}

// Calls look(run, dice) after every move of random runs: every deck at every stake, every challenge.
template <typename Look>
void walk_random_runs(int moves, std::uint64_t seed, Look look) {
    Dice dice(seed);
    for (const Start& start : all_starts(dice)) {
        RunState run = start.run();
        for (int i = 0; i < moves && run.phase != Phase::game_over; ++i) {
            look(run, dice);
            move_on(run, dice);
        }
        look(run, dice);
    }
}

// The same in rounds against the bosses that hide cards or jokers, with some jokers.
template <typename Look>
void walk_hidden_rounds(int rounds, std::uint64_t seed, Look look) {
    constexpr std::array bosses{BlindId::house, BlindId::wheel, BlindId::fish, BlindId::mark, BlindId::final_acorn};
    Dice dice(seed);
    for (int round = 0; round < rounds; ++round) {
        RunState run = start_run(random_seed(dice), DeckId::red, StakeId::gold);
        for (int i = 0; i < 4; ++i) give_joker(run, dice);
        for (int i = 0; i < 6; ++i) give_card(run, dice);
        give_consumable(run, dice);
        run.boss = dice.of(bosses);
        run.on_deck = BlindSlot::boss;
        step(run, {ActionKind::select_blind});
        for (int i = 0; i < 6 && run.phase == Phase::selecting_hand; ++i) {
            look(run, dice);
            step(run, choose(listed_or_sampled(run, dice), dice));
        }
    }
}

}  // namespace jimbo::tests
