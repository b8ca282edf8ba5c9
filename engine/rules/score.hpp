// Scoring one hand: what jokers see and change while it runs.
#pragma once

#include "rules/hand_type.hpp"
#include "rules/queries.hpp"
#include "rules/turn.hpp"

namespace jimbo {

struct JokerRule;

// How chance effects turn out: drawn from the streams, or imagined for a preview.
enum class Luck : std::uint8_t { drawn, none, expected, all };

// One joker acting: as itself, or through a Blueprint or Brainstorm in front of it.
struct JokerCall {
    int slot = 0;           // the joker that acts (the copy's own place)
    Joker* self = nullptr;  // the joker whose numbers count (the copied one)
    const JokerRule* rule = nullptr;
    bool copied = false;  // numbers must not grow through a copy
};

using JokerCalls = ScratchVector<JokerCall, max_jokers>;

struct Score {
    Turn& turn;
    RunState& run;
    Luck luck = Luck::drawn;
    Traits traits{};
    double odds = 1.0;  // numerator of "1 in N"

    HandType hand{};
    HandSet contains{};         // every hand the played cards contain
    std::uint64_t scoring = 0;  // which of run.played score, as bits
    double chips = 0.0;
    double mult = 0.0;
    double dollars = 0.0;  // earned so far in this hand; already in run.dollars when luck is drawn
    JokerCalls jokers{};   // the working ones, left to right
    // As the hand began: what jokers add or strip in between does not count yet.
    int held_cards = 0;
    std::array<int, enhancement_count> enhanced{};  // cards of the full deck by enhancement
    bool lucky_triggered = false;                   // a Lucky effect fired in the present trigger of a card

    // Who acts now, for the log.
    Actor actor = Actor::none;
    int actor_index = 0;

    bool scores(int played) const { return ((scoring >> played) & 1) != 0; }
    const Card& played(int i) const { return run.cards[run.played[i]]; }
    Card& played(int i) { return run.cards[run.played[i]]; }
    const Card& held(int i) const { return run.cards[run.hand[i]]; }

    int deck_count(Enhancement e) const { return enhanced[static_cast<std::size_t>(e)]; }

    void set_chips(double amount);  // a challenge caps them at the money held
    void add_chips(double amount);
    void add_mult(double amount);
    void times_mult(double factor);
    void earn(double amount);

    // 1 when the chance comes up, 0 when not; in between for an expected value. Draws only when luck is drawn.
    double chance(Stream stream, double one_in);
};

// Scores run.played against the blind and adds to run.chips: base, jokers before, cards, held cards, jokers, deck,
// destruction, jokers after.
void score_hand(Turn& turn, Luck luck);

}  // namespace jimbo
