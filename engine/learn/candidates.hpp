// Whole actions to choose from, up to a given number of them, and numbers that describe each. What is told about them
// is listed in learn/candidate_fields.hpp.
//
// Which are listed (by the numbers of learn/tuning.hpp):
//   - Plays are ranked by their exact expected score (chance effects count with their mean), discards by what stays in
//     the hand, uses on targets by how fit the targets look for that consumable. The plays and discards that the blind
//     solver thinks of (solve/lines.hpp) come before all others, then the best play for each poker hand and number of
//     cards and the best three discards for each number of cards; several consumables take turns.
//   - In hands of more than 12 cards only 12 are considered: those with the most others of their rank or suit. If more
//     than 256 plays are left, only those are scored that promise most by hand, level and cards alone.
//   - Actions that choose no cards are all kept, sales and moves excepted.
//   - The rest of the room is shared: half for plays, a third for discards, the rest for uses, sales and moves. What
//     one kind does not need is filled by the others: uses, discards, plays, sales, moves.
//   - Moves, if wanted: a joker changes places with its left neighbour.
// The order: plays (best first), discards, actions without cards, uses on targets, sales, moves.
//
// Nothing hidden is looked at: while a card or joker lies face down, plays are scored in a world determinized with a
// fixed nonce.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "learn/choices.hpp"
#include "learn/field.hpp"
#include "learn/kept.hpp"
#include "play/step.hpp"

namespace jimbo {

struct CandidateIds {
#define ID(name, vocabulary, doc) std::int16_t name = 0;
#define NUMBER(name, low, high, doc)
#include "learn/candidate_fields.hpp"
#undef ID
#undef NUMBER
};

struct CandidateNumbers {
#define ID(name, vocabulary, doc)
#define NUMBER(name, low, high, doc) float name = 0;
#include "learn/candidate_fields.hpp"
#undef ID
#undef NUMBER
};

inline constexpr int candidate_id_count = sizeof(CandidateIds) / sizeof(std::int16_t);
inline constexpr int candidate_number_count = sizeof(CandidateNumbers) / sizeof(float);

// The ids, then the numbers; a field's offset is its column among its like.
std::span<const FieldSpec> candidate_fields();

struct Candidate {
    Action action{};
    double value = 0;        // orders candidates of one kind
    std::int32_t play = -1;  // of a play: its number among ScoredPlays
    std::uint8_t cards = 0;  // how many
    HandType hand{};         // of a play
    Lead lead = Lead::none;
};

// What plays would score, many of them the same.
struct ScoredPlays {
    std::vector<LastHand> hands;
    std::vector<std::uint16_t> places;  // of each play among them

    const LastHand& of(int play) const { return hands[places[static_cast<std::size_t>(play)]]; }
};

// Lists candidates. Keeps its memory from one list to the next.
class CandidateList {
public:
    explicit CandidateList(int max_count) : max_count_(max_count) {}

    void list(const RunState& run, bool moves);

    std::span<const Candidate> candidates() const { return listed_; }
    // What a play would score.
    const LastHand& played(const Candidate& play) const { return scored_.of(play.play); }
    // One row for each candidate; what is null is not written. `run` is the one they were listed for.
    void describe(const RunState& run, CandidateIds* ids, CandidateNumbers* numbers) const;

private:
    using Candidates = std::vector<Candidate>;

    void collect(const RunState& run, bool moves);
    void take_turns();
    void mark_lines(const RunState& run);
    void choose();

    void list_choices(ActionKind kind, Choices& choices, int count);

    int max_count_;
    std::optional<HandLook> look_;  // at the hand they are listed for
    Choices plays_, discards_;
    Candidates singles_, uses_, sales_, moves_, listed_;
    ScoredPlays scored_;
    std::vector<int> turns_;  // where the uses of each consumable begin in uses_
};

}  // namespace jimbo
