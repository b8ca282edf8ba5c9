#include "rules/score.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/vouchers/in_force.hpp"

namespace jimbo {

void Score::earn(double amount) {
    dollars += amount;
    run.dollars += static_cast<std::int32_t>(std::lround(amount));
    note(EventKind::dollars, amount);
}

double Score::chance(Stream stream, double one_in) {
    const double probability = std::min(1.0, basis.odds / one_in);
    switch (luck) {
        case Luck::drawn:
            return run.streams.random(stream) < basis.odds / one_in ? 1.0 : 0.0;
        case Luck::none:
            return probability < 1.0 ? 0.0 : 1.0;  // what cannot fail happens without luck
        case Luck::expected:
            return probability;
        case Luck::all:
            break;
    }
    return 1.0;
}

namespace {

void act_as(Score& s, Actor actor, int index) {
    s.actor = actor;
    s.actor_index = index;
}

// Calls `call` for each of some working jokers, left to right.
template <typename Call>
void each_of(const Score& s, CallMask calls, Call call) {
    for (; calls != 0; calls &= calls - 1) call(s.basis.jokers[std::countr_zero(calls)]);
}

// Calls one hook of those working jokers that have it, left to right.
template <typename Hook, typename... Args>
void each_joker(Score& s, CallMask calls, Hook JokerRule::* hook, Args... args) {
    each_of(s, calls, [&](const JokerCall& joker) {
        act_as(s, Actor::joker, joker.slot);
        (joker.rule->*hook)(s, joker, args...);
    });
}

template <typename Hook>
int count_again(const Score& s, CallMask calls, Hook JokerRule::* hook, int card) {
    int again = 0;
    each_of(s, calls, [&](const JokerCall& joker) { again += (joker.rule->*hook)(s, joker, card); });
    return again;
}

void set_base(Score& s) {
    const HandBase base = hand_base(s.run, s.hand);
    s.set_chips(base.chips);
    s.mult = base.mult;
}

void score_edition(Score& s, Edition edition) {
    if (edition == Edition::foil) s.add_chips(50);
    if (edition == Edition::holo) s.add_mult(10);
    if (edition == Edition::polychrome) s.times_mult(1.5);
}

void score_lucky(Score& s) {
    const double mult = s.chance(Stream::lucky_mult, 5);
    if (mult > 0) s.add_mult(20 * mult);
    const double money = s.chance(Stream::lucky_money, 15);
    if (money > 0) s.earn(20 * money);
    s.lucky_triggered = mult > 0 || money > 0;
}

void score_extras(Score& s, const Card& card) {
    if (card.enhancement == Enhancement::mult) s.add_mult(4);
    if (card.enhancement == Enhancement::lucky) score_lucky(s);
    if (card.seal == Seal::gold) s.earn(3);
    if (card.enhancement == Enhancement::glass) s.times_mult(2);
    score_edition(s, card.edition);
}

// One trigger of a scoring card: itself, then what every joker makes of it.
void trigger_card(Score& s, int played) {
    const Card card = s.played(played);
    act_as(s, Actor::card, s.run.played[played]);
    s.lucky_triggered = false;
    s.add_chips(card_chips(card));
    const bool plain =
        card.enhancement == Enhancement::none && card.seal == Seal::none && card.edition == Edition::base;
    if (!plain) score_extras(s, card);
    each_joker(s, s.basis.hooked.card_scored, &JokerRule::card_scored, played);
}

void score_cards(Score& s) {
    for (std::uint64_t rest = s.scoring; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        if (s.played(i).debuffed) {
            s.run.blind.triggered = true;
            s.turn.note({EventKind::no_effect, Actor::card, s.run.played[i], 0, 0.0, s.chips, s.mult});
            continue;
        }
        const int again = (s.played(i).seal == Seal::red ? 1 : 0) +
                          count_again(s, s.basis.hooked.scored_again, &JokerRule::scored_again, i);
        for (int n = 0; n <= again; ++n) trigger_card(s, i);
    }
}

// One trigger of a held card; true if something happened.
bool trigger_held(Score& s, int held) {
    bool happened = false;
    if (s.held(held).enhancement == Enhancement::steel) {
        act_as(s, Actor::held_card, s.run.hand[held]);
        s.times_mult(1.5);
        happened = true;
    }
    each_of(s, s.basis.hooked.card_held, [&](const JokerCall& joker) {
        act_as(s, Actor::joker, joker.slot);
        happened |= joker.rule->card_held(s, joker, held);
    });
    return happened;
}

void score_held(Score& s) {
    if (s.basis.hooked.card_held == 0 && s.deck_count(Enhancement::steel) == 0) return;
    for (int i = 0; i < s.run.hand.size(); ++i) {
        if (s.held(i).debuffed || !trigger_held(s, i)) continue;
        const int again = (s.held(i).seal == Seal::red ? 1 : 0) +
                          count_again(s, s.basis.hooked.held_again, &JokerRule::held_again, i);
        for (int n = 0; n < again; ++n) trigger_held(s, i);
    }
}

void score_jokers(Score& s) {
    if (s.basis.hooked.joker_scored == 0 && !s.basis.joker_editions) {
        each_joker(s, s.basis.hooked.hand_scored, &JokerRule::hand_scored);
        return;
    }
    const JokerCalls& calls = s.basis.jokers;
    int call = 0;
    for (int slot = 0; slot < s.run.jokers.size(); ++slot) {
        const Joker& joker = s.run.jokers[slot];
        const bool working = call < calls.size() && calls[call].slot == slot;
        act_as(s, Actor::joker, slot);
        if (working && joker.edition != Edition::polychrome) score_edition(s, joker.edition);
        if (working && calls[call].rule->hand_scored != nullptr) calls[call].rule->hand_scored(s, calls[call]);
        each_joker(s, s.basis.hooked.joker_scored, &JokerRule::joker_scored, std::cref(joker));
        act_as(s, Actor::joker, slot);
        if (working && joker.edition == Edition::polychrome) score_edition(s, joker.edition);
        call += working;
    }
}

void score_consumables(Score& s) {
    if (s.basis.held_planet_x_mult == 1.0) return;
    for (int i = 0; i < s.run.consumables.size(); ++i) {
        const ConsumableFact& c = fact(s.run.consumables[i].key);
        if (c.hand != s.hand) continue;
        act_as(s, Actor::consumable, i);
        s.times_mult(s.basis.held_planet_x_mult);
    }
}

void score_deck(Score& s) {
    if (!s.basis.balances) return;
    s.chips = s.mult = std::floor((s.chips + s.mult) / 2);
    s.turn.note({EventKind::balanced, Actor::deck, 0, 0, 0.0, s.chips, s.mult});
}

bool is_destroyed(Score& s, int played) {
    for (CallMask calls = s.basis.hooked.destroys_card; calls != 0; calls &= calls - 1) {
        const JokerCall& joker = s.basis.jokers[std::countr_zero(calls)];
        act_as(s, Actor::joker, joker.slot);
        if (joker.rule->destroys_card(s, joker, played)) return true;
    }
    const bool glass = s.scores(played) && working_enhancement(s.played(played)) == Enhancement::glass;
    return glass && s.luck == Luck::drawn && s.chance(Stream::glass, 4) > 0;
}

void destroy_played(Score& s) {
    const bool glass = s.luck == Luck::drawn && s.deck_count(Enhancement::glass) > 0;
    if (s.basis.hooked.destroys_card == 0 && !glass) return;
    ScratchVector<CardIndex, max_hand> destroyed;
    for (int i = 0; i < s.run.played.size(); ++i) {
        if (is_destroyed(s, i)) destroyed.push_back(s.run.played[i]);
    }
    if (!destroyed.empty()) destroy_cards(s.turn, destroyed);
}

// Double or Nothing: what has scored is debuffed for good, once the hand is over.
void wear_out(Score& s) {
    for (std::uint64_t rest = s.scoring; rest != 0; rest &= rest - 1) s.played(std::countr_zero(rest)).worn = true;
}

void set_hand(Score& s, const HandFound& found) {
    s.hand = found.hand;
    s.contains = found.contains;
    s.scoring = found.scoring;
    if (!s.traits.splash && s.deck_count(Enhancement::stone) == 0) return;
    for (int i = 0; i < s.run.played.size(); ++i) {
        if (s.traits.splash || is_stone(s.played(i))) s.scoring |= std::uint64_t{1} << i;
    }
}

void count_play(Score& s) {
    HandStats& stats = s.run.stats(s.hand);
    ++stats.played;
    ++stats.played_this_round;
    ++s.run.run_hands;
    s.run.last.hand = s.hand;
    s.run.last.any = true;
}

void run_score(Score& s) {
    set_base(s);
    if (s.basis.hooked.before_scoring != 0) {
        each_joker(s, s.basis.hooked.before_scoring, &JokerRule::before_scoring);
        set_base(s);  // again: a joker may have raised the level
    }
    s.turn.note({EventKind::hand, Actor::none, 0, static_cast<std::uint8_t>(s.hand), 0.0, s.chips, s.mult});
    modify_base(s);
    score_cards(s);
    score_held(s);
    score_jokers(s);
    score_consumables(s);
    score_deck(s);
    if (s.luck == Luck::drawn && challenge_of(s.run).debuff_played_cards) wear_out(s);
    destroy_played(s);
}

// One byte for each enhancement but none, added up in one word: a counter in memory would wait for itself.
std::array<int, enhancement_count> count_enhancements(const RunState& run) {
    static_assert(enhancement_count - 1 <= 8 && max_cards < 256);
    std::uint64_t sums = 0;
    for (const Card& card : run.cards) {
        const int e = static_cast<int>(card.enhancement);
        sums += e == 0 ? 0 : std::uint64_t{1} << (8 * (e - 1));
    }
    std::array<int, enhancement_count> counts{run.cards.size()};
    for (std::size_t e = 1; e < counts.size(); ++e) {
        counts[e] = static_cast<int>(sums >> (8 * (e - 1)) & 255);
        counts[0] -= counts[e];
    }
    return counts;
}

HookedCalls hooked_calls(const JokerCalls& calls) {
    HookedCalls hooked;
    for (int i = 0; i < calls.size(); ++i) {
        const JokerRule& rule = *calls[i].rule;
        const auto add = [i](CallMask& mask, bool has) { mask |= static_cast<CallMask>(has) << i; };
        add(hooked.before_scoring, rule.before_scoring != nullptr);
        add(hooked.scored_again, rule.scored_again != nullptr);
        add(hooked.card_scored, rule.card_scored != nullptr);
        add(hooked.held_again, rule.held_again != nullptr);
        add(hooked.card_held, rule.card_held != nullptr);
        add(hooked.hand_scored, rule.hand_scored != nullptr);
        add(hooked.joker_scored, rule.joker_scored != nullptr);
        add(hooked.destroys_card, rule.destroys_card != nullptr);
        add(hooked.hand_blocked, rule.hand_blocked != nullptr);
        add(hooked.after_scoring, rule.after_scoring != nullptr);
    }
    return hooked;
}

}  // namespace

ScoreBasis score_basis(RunState& run) {
    ScoreBasis basis{.traits = traits_of(run), .odds = odds_numerator(run), .jokers = resolve_jokers(run)};
    basis.hooked = hooked_calls(basis.jokers);
    for (const JokerCall& joker : basis.jokers) {
        basis.joker_editions |= run.jokers[joker.slot].edition != Edition::base;
    }
    basis.blind = &acting_blind(run);
    basis.balances = fact(run.deck).balances_score;
    basis.held_planet_x_mult = in_force<&VoucherRule::held_planet_x_mult>(run);
    basis.chips_capped = challenge_of(run).chips_dollar_cap;
    basis.enhanced = count_enhancements(run);
    return basis;
}

void score_hand(Turn& turn, Luck luck) {
    const ScoreBasis basis = score_basis(turn.run);
    score_hand(turn, luck, basis, find_hand(turn.run, turn.run.played, basis.traits));
}

void score_hand(Turn& turn, Luck luck, const ScoreBasis& basis, const HandFound& found) {
    RunState& run = turn.run;
    Score s{.turn = turn, .run = run, .basis = basis, .luck = luck};
    set_hand(s, found);
    count_play(s);
    run.last.blocked = blocks_hand(s);
    s.money_before = run.dollars;
    if (run.last.blocked) {
        turn.note({EventKind::blocked, Actor::blind, 0, static_cast<std::uint8_t>(s.hand)});
        s.chips = s.mult = 0;
        each_joker(s, s.basis.hooked.hand_blocked, &JokerRule::hand_blocked);
    } else {
        run_score(s);
    }
    run.last.chips = s.chips;
    run.last.mult = s.mult;
    run.last.score = std::floor(s.chips * s.mult);
    run.chips += run.last.score;
    turn.note({EventKind::score, Actor::none, 0, static_cast<std::uint8_t>(s.hand), run.last.score, s.chips, s.mult});
    each_joker(s, s.basis.hooked.after_scoring, &JokerRule::after_scoring);
    ++run.hands_played;
    if (luck == Luck::drawn || s.basis.hooked.changing() != 0) sweep_jokers(turn);
}

}  // namespace jimbo
