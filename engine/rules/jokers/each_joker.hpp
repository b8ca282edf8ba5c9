// Calling one hook of every working joker, left to right.
#pragma once

#include "rules/effects.hpp"
#include "rules/jokers/joker_rule.hpp"

namespace jimbo {

// A joker that another one destroyed in the same pass (Ceremonial Dagger) no longer acts.
template <typename Hook, typename... Args>
void call_jokers(Turn& turn, Hook JokerRule::* hook, const Args&... args) {
    for (const JokerCall& joker : resolve_jokers(turn.run)) {
        const bool gone = turn.run.jokers[joker.slot].leaving || joker.self->leaving;
        if (joker.rule->*hook != nullptr && !gone) (joker.rule->*hook)(turn, joker, args...);
    }
}

// The same; then what they create comes and those that were destroyed go.
template <typename Hook, typename... Args>
void each_joker(Turn& turn, Hook JokerRule::* hook, const Args&... args) {
    Pass pass;
    turn.pass = &pass;
    call_jokers(turn, hook, args...);
    turn.pass = nullptr;
    for (const auto happen : pass.queue) happen(turn);
    sweep_jokers(turn);
}

}  // namespace jimbo
