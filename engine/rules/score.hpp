// Scoring one hand: what jokers see and change while it runs.
#pragma once

#include <algorithm>

#include "rules/hand_type.hpp"
#include "rules/open_points.hpp"
#include "rules/queries.hpp"
#include "rules/turn.hpp"

namespace jimbo {

struct JokerRule;
struct BlindRule;

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
using CallMask = std::uint32_t;  // some of the JokerCalls, as bits
static_assert(max_jokers <= 32);

// Which of the calls have each scoring hook: most jokers have one or two, and a hook is asked for once per card.
struct HookedCalls {
    CallMask before_scoring = 0;
    CallMask scored_again = 0;
    CallMask card_scored = 0;
    CallMask held_again = 0;
    CallMask card_held = 0;
    CallMask hand_scored = 0;
    CallMask joker_scored = 0;
    CallMask destroys_card = 0;
    CallMask hand_blocked = 0;
    CallMask after_scoring = 0;

    CallMask any() const {
        return changing() | scored_again | held_again | card_held | hand_scored | joker_scored | destroys_card |
               hand_blocked;
    }
    // Those that may change jokers and cards; the other hooks change numbers alone.
    CallMask changing() const { return before_scoring | card_scored | after_scoring; }
};

// What is fixed when a hand begins, whichever cards are played: a search over many plays asks for it once.
struct ScoreBasis {
    Traits traits{};
    double odds = 1.0;    // numerator of "1 in N"
    JokerCalls jokers{};  // the working ones, left to right; they point into the run
    HookedCalls hooked{};
    const BlindRule* blind = nullptr;               // the acting one
    bool joker_editions = false;                    // a working joker has one
    std::array<int, enhancement_count> enhanced{};  // cards of the full deck by enhancement
    bool chips_capped = false;                      // a challenge caps Chips at the money held
    bool balances = false;                          // the deck evens out Chips and Mult
    double held_planet_x_mult = 1.0;                // a voucher's
};

ScoreBasis score_basis(RunState& run);

struct Score {
    Turn& turn;
    RunState& run;
    const ScoreBasis& basis;
    Luck luck = Luck::drawn;
    const Traits& traits = basis.traits;

    HandType hand{};
    HandSet contains{};         // every hand the played cards contain
    std::uint64_t scoring = 0;  // which of run.played score, as bits
    double chips = 0.0;
    double mult = 0.0;
    double dollars = 0.0;          // earned so far in this hand; already in run.dollars when luck is drawn
    double money_before = 0.0;     // held when scoring began
    bool lucky_triggered = false;  // a Lucky effect fired in the present trigger of a card

    // Who acts now, for the log.
    Actor actor = Actor::none;
    int actor_index = 0;

    bool scores(int played) const { return ((scoring >> played) & 1) != 0; }
    const Card& played(int i) const { return run.cards[run.played[i]]; }
    Card& played(int i) { return run.cards[run.played[i]]; }
    const Card& held(int i) const { return run.cards[run.hand[i]]; }

    // As the hand began: what jokers strip from cards in between does not count yet.
    int deck_count(Enhancement e) const { return basis.enhanced[static_cast<std::size_t>(e)]; }

    void set_chips(double amount) { chips = basis.chips_capped ? std::min(amount, chips_cap()) : amount; }
    double chips_cap() const {
        return std::max(0.0, open_point::chips_cap_is_fixed_before_scoring ? money_before : run.dollars);
    }
    void add_chips(double amount) {
        set_chips(chips + amount);
        note(EventKind::chips, amount);
    }
    void add_mult(double amount) {
        mult += amount;
        note(EventKind::mult, amount);
    }
    void times_mult(double factor) {
        mult *= factor;
        note(EventKind::x_mult, factor);
    }
    void earn(double amount);
    void note(EventKind kind, double amount) const {
        turn.note({kind, actor, static_cast<std::uint8_t>(actor_index), 0, amount, chips, mult});
    }

    // 1 when the chance comes up, 0 when not; in between for an expected value. Draws only when luck is drawn.
    double chance(Stream stream, double one_in);
};

// Scores run.played against the blind and adds to run.chips: base, jokers before, cards, held cards, jokers, deck,
// destruction, jokers after.
void score_hand(Turn& turn, Luck luck);
// The same with the basis, since when neither jokers nor cards have changed, and the hand that run.played makes.
void score_hand(Turn& turn, Luck luck, const ScoreBasis& basis, const HandFound& found);

}  // namespace jimbo
