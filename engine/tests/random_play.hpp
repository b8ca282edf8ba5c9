// Random runs in which everything is checked on the way: the invariants after every step, that listed actions step and
// that others are refused and change nothing, that copies, replays and stored runs go on alike.
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/splitmix.hpp"
#include "play/edits.hpp"
#include "play/groups.hpp"
#include "play/scorer.hpp"
#include "play/step.hpp"
#include "store/enum_text.hpp"
#include "store/state_json.hpp"
#include "tests/invariants.hpp"

namespace jimbo::tests {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : random_(seed) {}

    std::uint64_t next() { return random_.next(); }
    int below(int count) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(count))); }
    bool one_in(int count) { return below(count) == 0; }
    bool percent(int chance) { return below(100) < chance; }
    template <typename List>
    const auto& of(const List& list) {
        return list.begin()[below(static_cast<int>(list.size()))];
    }

private:
    SplitMix random_;
};

// --- Where runs start ----------------------------------------------------------------------------------------------

struct Start {
    Seed seed{};
    DeckId deck{};
    StakeId stake{};
    std::optional<ChallengeId> challenge{};

    RunState run() const { return start_run(seed, deck, stake, challenge); }
    std::string text() const {
        std::string name(challenge ? text_of(*challenge) : text_of(deck));
        return std::string(seed.view()) + " " + name + " " + std::string(text_of(stake));
    }
};

inline Seed random_seed(Dice& dice) {
    static constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    Seed seed;
    while (seed.length < made_seed_length) seed.text[seed.length++] = dice.of(letters);
    return seed;
}

// Every deck at every stake, and every challenge at one.
inline std::vector<Start> all_starts(Dice& dice) {
    std::vector<Start> starts;
    for (int deck = 0; deck < playable_deck_count; ++deck) {
        for (const StakeFact& stake : stake_facts) {
            starts.push_back({random_seed(dice), static_cast<DeckId>(deck), stake.id, {}});
        }
    }
    for (const ChallengeFact& challenge : challenge_facts) {
        starts.push_back({random_seed(dice), DeckId::challenge, dice.of(stake_facts).id, challenge.id});
    }
    return starts;
}

// --- Moves ---------------------------------------------------------------------------------------------------------

// Random play alone would hardly leave the first ante; these open the rest of the game.
enum class Edit : std::uint8_t { none, reach_target, money, joker, consumable, card, voucher, boss, level };
inline constexpr int edit_count = 9;

// One thing that happens to a run: an action, or an edit with the number that decides what it gives.
struct Move {
    Action action{};
    Edit edit = Edit::none;
    std::uint64_t number = 0;
};

inline void give_joker(RunState& run, Dice& dice) {
    const JokerId key = dice.of(joker_facts).id;
    const Edition edition = dice.one_in(3) ? dice.of(edition_facts).id : Edition::base;
    if (run.jokers.full() || (joker_room(run) <= 0 && edition != Edition::negative)) return;
    const int sticker = dice.below(8);
    edits::add_joker(run, key, edition, {sticker == 0, sticker == 1, sticker == 2});
}

inline void give_consumable(RunState& run, Dice& dice) {
    const Edition edition = dice.one_in(8) ? Edition::negative : Edition::base;
    if (run.consumables.full() || (consumable_room(run) <= 0 && edition != Edition::negative)) return;
    edits::add_consumable(run, dice.of(consumable_facts).id, edition);
}

inline void give_card(RunState& run, Dice& dice) {
    if (run.cards.size() > max_cards / 2) return;
    Card card;
    card.set_front(dice.of(fronts));
    card.enhancement = dice.of(enhancement_facts).id;
    card.edition = dice.of(edition_facts).id;
    card.seal = dice.of(seal_facts).id;
    if (card.edition == Edition::negative) card.edition = Edition::base;
    edits::add_card(run, card, CardTo::deck);
}

// Not one that is on offer: it could then be redeemed twice.
inline void give_voucher(RunState& run, Dice& dice) {
    const VoucherId key = dice.of(voucher_facts).id;
    const bool on_sale = std::any_of(run.shop_vouchers.begin(), run.shop_vouchers.end(),
                                     [&](const ShopVoucher& voucher) { return voucher.key == key; });
    // In a round the ante, and with it the target, stays.
    const bool lowers_ante = key == VoucherId::hieroglyph || key == VoucherId::petroglyph;
    if (lowers_ante && run.phase == Phase::selecting_hand) return;
    if (!run.has(key) && run.voucher != key && !on_sale) edits::redeem(run, key);
}

inline void make_edit(RunState& run, Edit edit, std::uint64_t number) {
    Dice dice(number);
    switch (edit) {
        case Edit::none:
            break;
        case Edit::reach_target:
            // Any hand that scores will do: a round whose target is reached already would end with whatever comes next.
            // In the last antes the target is NaN, and stays out of reach.
            if (std::isnan(run.blind.target)) break;
            run.blind.target = std::max(run.chips + 1, std::nextafter(run.chips, HUGE_VAL));
            break;
        case Edit::money:
            if (run.dollars < 2000) run.dollars += dice.below(dice.one_in(4) ? 500 : 30);
            break;
        case Edit::joker:
            give_joker(run, dice);
            break;
        case Edit::consumable:
            give_consumable(run, dice);
            break;
        case Edit::card:
            give_card(run, dice);
            break;
        case Edit::voucher:
            give_voucher(run, dice);
            break;
        case Edit::boss: {
            const BlindFact& blind = dice.of(blind_facts);
            if (blind.boss && run.phase == Phase::blind_select) edits::set_boss(run, blind.id);
            break;
        }
        case Edit::level:
            edits::raise_level(run, dice.of(hand_facts).id, 1 + dice.below(3));
            break;
    }
}

inline Refusal apply(RunState& run, const Move& move) {
    if (move.edit == Edit::none) return step(run, move.action);
    make_edit(run, move.edit, move.number);
    return Refusal::none;
}

inline std::string text_of(const Action& action) {
    const auto kind = static_cast<std::size_t>(action.kind);
    std::string text(kind < action_names.size() ? action_names[kind] : "no action");
    const auto add = [&](int number) { (text += ' ') += std::to_string(number); };
    add(action.index);
    add(action.to);
    text += " [";
    for (int i = 0; i < 64; ++i) {
        if (((action.cards >> i) & 1) != 0) add(i);
    }
    return text += " ]";
}

// --- Choosing ------------------------------------------------------------------------------------------------------

// Listing every choice of five out of a large hand would take most of the time; a sample serves there.
inline constexpr int fully_listed_hand = 11;

inline std::vector<Action> listed_or_sampled(const RunState& run, Dice& dice) {
    if (run.hand.size() <= fully_listed_hand) return legal_actions(run, true);
    std::vector<Action> actions;
    for (const ActionGroup& group : action_groups(run, true)) {
        for (int n = 0; n < 8; ++n) actions.push_back(action_of(group, dice.next() % group.count));
    }
    return actions;
}

// How often a kind is chosen where it is allowed.
inline int weight_of(ActionKind kind) {
    switch (kind) {
        case ActionKind::play:
        case ActionKind::pick:
            return 8;
        case ActionKind::select_blind:
        case ActionKind::cash_out:
        case ActionKind::buy:
        case ActionKind::open_booster:
            return 6;
        case ActionKind::discard:
        case ActionKind::buy_and_use:
        case ActionKind::redeem:
        case ActionKind::leave_shop:
        case ActionKind::use:
            return 4;
        case ActionKind::skip_blind:
        case ActionKind::reroll:
        case ActionKind::reroll_boss:
            return 2;
        default:
            return 1;
    }
}

// A kind by its weight, then one of its actions.
inline Action choose(const std::vector<Action>& actions, Dice& dice) {
    std::array<std::vector<const Action*>, action_kind_count> by_kind;
    for (const Action& action : actions) by_kind[static_cast<std::size_t>(action.kind)].push_back(&action);
    int total = 0;
    for (int k = 0; k < action_kind_count; ++k) {
        if (!by_kind[static_cast<std::size_t>(k)].empty()) total += weight_of(static_cast<ActionKind>(k));
    }
    int left = dice.below(total);
    for (int k = 0;; ++k) {
        const auto& kind = by_kind[static_cast<std::size_t>(k)];
        if (kind.empty()) continue;
        left -= weight_of(static_cast<ActionKind>(k));
        if (left < 0) return *dice.of(kind);
    }
}

inline std::uint64_t random_positions(Dice& dice, int hand, int max_count) {
    std::uint64_t cards = 0;
    for (int n = dice.below(max_count + 1); n > 0; --n) cards |= std::uint64_t{1} << dice.below(hand);
    return cards;
}

// Any action at all, most of them not allowed; some of a kind that does not exist.
inline Action random_action(const RunState& run, Dice& dice) {
    Action action;
    action.kind = static_cast<ActionKind>(dice.below(action_kind_count + 1));
    action.index = static_cast<std::uint8_t>(dice.below(dice.one_in(6) ? 256 : 6));
    action.to = static_cast<std::uint8_t>(dice.below(dice.one_in(6) ? 256 : 6));
    action.cards = random_positions(dice, std::min(64, run.hand.size() + 1), max_selected + 1);
    return action;
}

// Without the fields that its kind does not read: as legal_actions() would list it.
inline Action as_listed(const Action& action) {
    switch (action.kind) {
        case ActionKind::play:
        case ActionKind::discard:
            return {action.kind, 0, 0, action.cards};
        case ActionKind::buy:
        case ActionKind::redeem:
        case ActionKind::open_booster:
        case ActionKind::sell_joker:
        case ActionKind::sell_consumable:
            return {action.kind, action.index, 0, 0};
        case ActionKind::buy_and_use:
        case ActionKind::use:
        case ActionKind::pick:
            return {action.kind, action.index, 0, action.cards};
        case ActionKind::move_joker:
        case ActionKind::move_consumable:
        case ActionKind::move_card:
            return {action.kind, action.index, action.to, 0};
        default:
            return {action.kind, 0, 0, 0};
    }
}

// --- One random run ------------------------------------------------------------------------------------------------

struct PlayOptions {
    int max_moves = 400;
    int tried_actions = 2;      // listed ones that are stepped on a copy, after each move
    int refused_actions = 4;    // random ones that must be refused, or listed, after each move
    int round_trip_every = 60;  // moves between two round trips through JSON and bytes
};

class RandomRun {
public:
    RandomRun(const Start& start, std::uint64_t seed, const PlayOptions& options)
        : start_(start), options_(options), dice_(seed), run_(start.run()) {
        constexpr std::array luck{25, 60, 90, 97};
        target_percent_ = dice_.of(luck);
    }

    // Plays and checks. The first fault, or an empty text.
    std::string play() {
        const std::string broken = check_start();
        if (!broken.empty()) return report(broken);
        checkpoint_ = run_;
        checkpoint_at_ = 0;
        const int checkpoint_in = dice_.below(options_.max_moves);
        while (run_.phase != Phase::game_over && static_cast<int>(moves_.size()) < options_.max_moves) {
            if (static_cast<int>(moves_.size()) >= checkpoint_in && checkpoint_at_ == 0) {
                checkpoint_ = run_;
                checkpoint_at_ = moves_.size();
            }
            const std::string fault = play_one();
            if (!fault.empty()) return report(fault);
        }
        return report(check_end());
    }

    const RunState& run() const { return run_; }
    long steps() const { return steps_; }

private:
    std::string report(const std::string& fault) const {
        if (fault.empty()) return {};
        std::string text = start_.text() + ", move " + std::to_string(moves_.size());
        if (!moves_.empty()) text += " (" + text_of(moves_.back().action) + ")";
        return text + ": " + fault;
    }

    std::string check_start() {
        if (run_.phase != Phase::blind_select) return "a run does not start by choosing a blind";
        return broken_rule(run_);
    }

    std::string play_one() {
        if (dice_.one_in(6)) use_edit(static_cast<Edit>(2 + dice_.below(edit_count - 2)));
        const std::vector<Action> actions = listed_or_sampled(run_, dice_);
        if (actions.empty()) return "no action is allowed, but the run is not over";
        for (int n = 0; n < options_.tried_actions; ++n) {
            RunState copy = run_;
            const std::string fault = take(copy, dice_.of(actions));
            if (!fault.empty()) return "on a copy: " + fault;
        }
        for (int n = 0; n < options_.refused_actions; ++n) {
            const std::string fault = check_any(random_action(run_, dice_), actions);
            if (!fault.empty()) return fault;
        }
        const Action action = choose(actions, dice_);
        if (action.kind == ActionKind::play) {
            if (dice_.one_in(8)) check_preview(action);
            if (dice_.percent(target_percent_)) use_edit(Edit::reach_target);
        }
        moves_.push_back({.action = action});
        ++steps_;
        const std::string fault = take(run_, action);
        if (!fault.empty()) return fault;
        return steps_ % options_.round_trip_every == 0 ? check_round_trip() : "";
    }

    void use_edit(Edit edit) {
        moves_.push_back({.edit = edit, .number = dice_.next()});
        apply(run_, moves_.back());
    }

    // Steps by a listed action and checks what became of the run.
    static std::string take(RunState& run, const Action& action) {
        const RunState before = run;
        if (const Refusal refusal = step(run, action); refusal != Refusal::none) {
            return text_of(action) + " is listed but refused: " + std::string(explain(refusal));
        }
        std::string broken = broken_rule(run);
        if (broken.empty()) broken = broken_step_rule(before, action, run);
        return broken.empty() ? "" : text_of(action) + ": " + broken;
    }

    // An action that is not listed is refused and leaves every byte as it was.
    std::string check_any(const Action& action, const std::vector<Action>& listed) {
        const Refusal refusal = check(run_, action);
        if (refusal == Refusal::none) {
            const bool all = run_.hand.size() <= fully_listed_hand;
            const bool found = std::find(listed.begin(), listed.end(), as_listed(action)) != listed.end();
            return all && !found ? text_of(action) + " is allowed but not listed" : "";
        }
        std::array<unsigned char, sizeof(RunState)> bytes{};
        std::memcpy(bytes.data(), &run_, sizeof(RunState));
        EventLog log;
        if (step(run_, action, &log) != refusal) return text_of(action) + " is refused in two ways";
        if (std::memcmp(bytes.data(), &run_, sizeof(RunState)) != 0 || !log.empty()) {
            return text_of(action) + " is refused but changes something";
        }
        return {};
    }

    void check_preview(const Action& action) const {
        for (Luck luck : {Luck::none, Luck::expected, Luck::all}) {
            EventLog log;
            preview(run_, action.cards, luck, &log);
        }
    }

    std::string check_round_trip() const {
        const std::string json = state_to_json(run_).dump();
        if (state_to_json(state_from_json(Json::parse(json))).dump() != json) return "JSON does not read back equal";
        const std::string bytes = save_run(run_);
        if (save_run(load_run(bytes)) != bytes) return "a saved run does not load equal";
        return {};
    }

    // A replay from the start, a copy made on the way and a stored one must all have come to the same end.
    std::string check_end() const {
        if (run_.phase == Phase::game_over && !legal_actions(run_, true).empty()) return "a run that is over goes on";
        const std::string end = save_run(run_);
        if (replayed(start_.run(), 0) != end) return "a replay from the start ends differently";
        if (replayed(checkpoint_, checkpoint_at_) != end) return "a copy goes on differently";
        if (replayed(load_run(save_run(checkpoint_)), checkpoint_at_) != end) return "a stored run goes on differently";
        return {};
    }

    std::string replayed(RunState run, std::size_t from) const {
        for (std::size_t i = from; i < moves_.size(); ++i) {
            if (apply(run, moves_[i]) != Refusal::none) return "refused";
        }
        return save_run(run);
    }

    Start start_;
    PlayOptions options_;
    Dice dice_;
    RunState run_;
    RunState checkpoint_{};
    std::size_t checkpoint_at_ = 0;
    std::vector<Move> moves_;
    int target_percent_ = 0;
    long steps_ = 0;
};

}  // namespace jimbo::tests
