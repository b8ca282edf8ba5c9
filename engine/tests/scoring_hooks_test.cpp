// Which hooks may change a joker or a card while a hand is only tried. A scorer puts back no more than what
// HookedCalls::changing() names, so every other hook of every joker is watched here at work.
#include <cstring>
#include <set>
#include <string>

#include "check.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "rules/zones.hpp"
#include "tests/walk.hpp"

namespace {

using namespace jimbo;

enum class Hook : std::uint8_t {
    scored_again,
    held_again,
    card_held,
    hand_scored,
    joker_scored,
    destroys_card,
    hand_blocked
};
constexpr std::array hook_names{"scored_again", "held_again",    "card_held",   "hand_scored",
                                "joker_scored", "destroys_card", "hand_blocked"};
static_assert(sizeof(HookedCalls) == (hook_names.size() + 3) * sizeof(CallMask),
              "a new scoring hook is watched here, or named by HookedCalls::changing()");

std::string name_of(const JokerRule& rule, Hook hook) {
    return std::string(text_of(rule.key)) + " " + hook_names[static_cast<std::size_t>(hook)];
}

// --- Watching ------------------------------------------------------------------------------------------------------

using Rules = std::array<JokerRule, joker_count>;

// Hooks are plain functions, so what they work with is here.
Rules rules;  // as they are; a test may put in one that does what it must not
std::set<std::string> ran;
std::set<std::string> faults;

const JokerRule& acting(const JokerCall& joker) { return rules[static_cast<std::size_t>(joker.self->key)]; }

// Sees a run before and after one hook. Numbers of the play may change: a scorer puts them back after each.
class Watch {
public:
    Watch(const Score& score, const JokerCall& joker, Hook hook)
        : score_(score), name_(name_of(acting(joker), hook)), before_(score.run) {}
    ~Watch() {
        ran.insert(name_);
        RunState after = score_.run;
        static_cast<ScoringNumbers&>(after) = before_;
        after.stats(score_.hand) = before_.stats(score_.hand);
        if (std::memcmp(&after, &before_, sizeof(RunState)) != 0) faults.insert(name_);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

private:
    const Score& score_;
    std::string name_;
    RunState before_;
};

template <auto hook, Hook name, typename S, typename... Args>
auto call(S& score, const JokerCall& joker, Args... args) {
    const Watch watch(score, joker, name);
    return (acting(joker).*hook)(score, joker, args...);
}

template <auto hook, Hook name, typename Result, typename S, typename... Args>
void watch(Result (*&to)(S&, const JokerCall&, Args...)) {
    if (to != nullptr) to = call<hook, name, S, Args...>;
}

JokerRule watched(JokerRule rule) {
    watch<&JokerRule::scored_again, Hook::scored_again>(rule.scored_again);
    watch<&JokerRule::held_again, Hook::held_again>(rule.held_again);
    watch<&JokerRule::card_held, Hook::card_held>(rule.card_held);
    watch<&JokerRule::hand_scored, Hook::hand_scored>(rule.hand_scored);
    watch<&JokerRule::joker_scored, Hook::joker_scored>(rule.joker_scored);
    watch<&JokerRule::destroys_card, Hook::destroys_card>(rule.destroys_card);
    watch<&JokerRule::hand_blocked, Hook::hand_blocked>(rule.hand_blocked);
    return rule;
}

void take_real_rules() {
    for (const JokerFact& joker : joker_facts) rules[static_cast<std::size_t>(joker.id)] = rule_of(joker.id);
    ran.clear();
    faults.clear();
}

// Scores one play as a scorer does, each joker through its watched rule.
void try_play(const RunState& run, std::uint64_t cards, Luck luck) {
    RunState copy = run;
    Turn turn{copy};
    take_played(copy, cards);
    --copy.hands_left;
    ScoreBasis basis = score_basis(copy);
    Rules watched_rules;
    for (JokerCall& joker : basis.jokers) {
        JokerRule& rule = watched_rules[static_cast<std::size_t>(joker.rule->key)];
        rule = watched(rules[static_cast<std::size_t>(joker.rule->key)]);
        joker.rule = &rule;
    }
    score_hand(turn, luck, basis, find_hand(copy, copy.played, basis.traits));
}

void try_plays(const RunState& run, tests::Dice& dice, int count) {
    if (run.phase != Phase::selecting_hand) return;
    for (const ActionGroup& group : action_groups(run, false)) {
        if (group.kind != ActionKind::play) continue;
        for (int n = 0; n < count; ++n) {
            const std::uint64_t cards = action_of(group, dice.next() % group.count).cards;
            try_play(run, cards, dice.of(std::array{Luck::none, Luck::expected, Luck::all}));
        }
    }
}

// One joker with a Blueprint before it, in a round in which cards of all sorts are in hand.
RunState round_with(const JokerFact& joker, BlindId boss, tests::Dice& dice) {
    RunState run = start_run(tests::random_seed(dice), DeckId::red, StakeId::white);
    for (int n = 0; n < 60; ++n) tests::give_card(run, dice);
    edits::set_boss(run, boss);
    run.on_deck = BlindSlot::boss;
    step(run, {ActionKind::select_blind});
    edits::add_joker(run, JokerId::blueprint, Edition::base, {});
    edits::add_joker(run, joker.id, Edition::foil, {});
    edits::add_joker(run, JokerId::oops, Edition::base, {});
    run.jokers[1].count += dice.below(3);
    run.hands_left = static_cast<std::int16_t>(1 + dice.below(3));
    return run;
}

// --- The proof -----------------------------------------------------------------------------------------------------

std::string joined(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += name + "; ";
    return text;
}

// Every hook of a rule that changing() does not name.
std::set<std::string> unnamed_hooks() {
    std::set<std::string> names;
    for (const JokerRule& rule : rules) {
        const auto add = [&](Hook hook, bool has) {
            if (has) names.insert(name_of(rule, hook));
        };
        add(Hook::scored_again, rule.scored_again != nullptr);
        add(Hook::held_again, rule.held_again != nullptr);
        add(Hook::card_held, rule.card_held != nullptr);
        add(Hook::hand_scored, rule.hand_scored != nullptr);
        add(Hook::joker_scored, rule.joker_scored != nullptr);
        add(Hook::destroys_card, rule.destroys_card != nullptr);
        add(Hook::hand_blocked, rule.hand_blocked != nullptr);
    }
    return names;
}

TEST(only_the_named_hooks_change_jokers_and_cards) {
    take_real_rules();
    tests::Dice dice(11);
    // The Psychic blocks short hands, The Eye a second pair, The Ox and The Arm take what they take before scoring.
    for (BlindId boss : {BlindId::psychic, BlindId::eye, BlindId::ox, BlindId::arm, BlindId::goad}) {
        for (const JokerFact& joker : joker_facts) try_plays(round_with(joker, boss, dice), dice, 12);
    }
    tests::walk_random_runs(40, 12, [](const RunState& run, tests::Dice& d) { try_plays(run, d, 2); });
    CHECK_EQ(joined(faults), "");
    CHECK_EQ(joined(ran), joined(unnamed_hooks()));
}

// The watch sees what it is there to see: each hook in turn does what it must not.
TEST(a_hook_that_changes_a_joker_or_a_card_is_noticed) {
    const auto noticed = [](JokerId key, auto JokerRule::* hook, auto meddles) {
        take_real_rules();
        rules[static_cast<std::size_t>(key)].*hook = meddles;
        tests::Dice dice(13);
        for (BlindId boss : {BlindId::psychic, BlindId::goad, BlindId::head}) {
            try_plays(round_with(fact(key), boss, dice), dice, 20);
        }
        return joined(faults);
    };
    CHECK_EQ(noticed(JokerId::hack, &JokerRule::scored_again,
                     [](const Score&, const JokerCall& j, int) { return ++j.self->count; }),
             "j_hack scored_again; ");
    CHECK_EQ(noticed(JokerId::mime, &JokerRule::held_again,
                     [](const Score&, const JokerCall& j, int) { return j.self->face_down = true, 1; }),
             "j_mime held_again; ");
    CHECK_EQ(noticed(JokerId::baron, &JokerRule::card_held,
                     [](Score& s, const JokerCall&, int i) { return s.run.cards[s.run.hand[i]].worn = true, true; }),
             "j_baron card_held; ");
    CHECK_EQ(noticed(JokerId::joker, &JokerRule::hand_scored, [](Score&, const JokerCall& j) { j.self->x_mult += 1; }),
             "j_joker hand_scored; ");
    CHECK_EQ(noticed(JokerId::baseball, &JokerRule::joker_scored,
                     [](Score& s, const JokerCall&, const Joker&) { s.run.jokers[2].leaving = true; }),
             "j_baseball joker_scored; ");
    CHECK_EQ(noticed(JokerId::sixth_sense, &JokerRule::destroys_card,
                     [](Score& s, const JokerCall&, int i) { return s.played(i).seal = Seal::gold, false; }),
             "j_sixth_sense destroys_card; ");
    CHECK_EQ(
        noticed(JokerId::matador, &JokerRule::hand_blocked, [](Score&, const JokerCall& j) { j.self->sell_bonus = 9; }),
        "j_matador hand_blocked; ");
}

}  // namespace
