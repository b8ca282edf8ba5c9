#include "learn/steps.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "rules/hand_type.hpp"

namespace jimbo {
namespace {

// Consecutive steps of one kind of action.
struct Block {
    ActionKind kind{};
    std::uint8_t first_index = 0;
    std::uint8_t count = 1;
};

// clang-format off
constexpr std::array blocks{
    Block{ActionKind::play}, Block{ActionKind::discard},
    Block{ActionKind::select_blind}, Block{ActionKind::skip_blind}, Block{ActionKind::reroll_boss},
    Block{ActionKind::cash_out}, Block{ActionKind::reroll}, Block{ActionKind::leave_shop}, Block{ActionKind::skip_pack},
    Block{ActionKind::buy, 0, max_shop_cards}, Block{ActionKind::buy_and_use, 0, max_shop_cards},
    Block{ActionKind::redeem, 0, max_shop_vouchers}, Block{ActionKind::open_booster, 0, max_shop_boosters},
    Block{ActionKind::pick, 0, 5}, Block{ActionKind::use, 0, max_consumables},
    Block{ActionKind::sell_joker, 0, max_jokers}, Block{ActionKind::sell_consumable, 0, max_consumables},
    Block{ActionKind::move_joker, 1, max_jokers - 1}, Block{ActionKind::move_consumable, 1, max_consumables - 1},
    Block{ActionKind::move_card, 1, max_hand - 1},
    Block{ActionKind::sort_hand_by_rank}, Block{ActionKind::sort_hand_by_suit},
};
// clang-format on
static_assert(blocks.size() == action_kind_count, "every kind of action has its steps");

struct StepFact {
    ActionKind kind{};
    std::uint8_t index = 0;
    bool numbered = false;
};

constexpr auto step_facts = [] {
    std::array<StepFact, step_count - toggle_count> facts{};
    std::size_t n = 0;
    for (const Block& block : blocks) {
        for (int i = 0; i < block.count; ++i) {
            facts[n++] = {block.kind, static_cast<std::uint8_t>(block.first_index + i), block.count > 1};
        }
    }
    if (n != facts.size()) throw "step_count does not fit the blocks";
    return facts;
}();

constexpr const StepFact& fact_of(int id) { return step_facts[static_cast<std::size_t>(id - toggle_count)]; }

// The step of a kind of action at its first index.
constexpr auto first_steps = [] {
    std::array<int, action_kind_count> firsts{};
    for (int id = step_count - 1; id >= toggle_count; --id) firsts[static_cast<std::size_t>(fact_of(id).kind)] = id;
    return firsts;
}();
constexpr int first_step(ActionKind kind) { return first_steps[static_cast<std::size_t>(kind)]; }
static_assert(first_step(ActionKind::move_joker) == first_move_step);

bool takes_targets(const Offer& offer) {
    return offer.kind == OfferKind::consumable && fact(offer.consumable).max_targets > 0;
}

bool takes_cards(const RunState& run, const StepFact& step) {
    switch (step.kind) {
        case ActionKind::play:
        case ActionKind::discard:
            return true;
        case ActionKind::buy_and_use:
            return step.index < run.shop.size() && takes_targets(run.shop[step.index].offer);
        case ActionKind::pick:
            return step.index < run.pack.cards.size() && takes_targets(run.pack.cards[step.index]);
        case ActionKind::use:
            return step.index < run.consumables.size() && fact(run.consumables[step.index].key).max_targets > 0;
        default:
            return false;
    }
}

bool is_move(ActionKind kind) {
    return kind == ActionKind::move_joker || kind == ActionKind::move_consumable || kind == ActionKind::move_card;
}

bool same_hand(const FixedVector<CardIndex, max_hand>& a, const FixedVector<CardIndex, max_hand>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::string step_name(int id) {
    if (id < toggle_count) return "toggle_" + std::to_string(id);
    const StepFact& step = fact_of(id);
    std::string name(action_names[static_cast<std::size_t>(step.kind)]);
    if (is_move(step.kind)) name += "_left";
    return step.numbered ? name + '_' + std::to_string(step.index) : name;
}

bool can_toggle(const RunState& run, std::uint64_t selected, int position) {
    if (run.phase == Phase::game_over || position < 0 || position >= run.hand.size()) return false;
    return ((selected >> position) & 1) != 0 || std::popcount(selected) < max_selected;
}

Action action_of_step(const RunState& run, std::uint64_t selected, int id) {
    const StepFact& step = fact_of(id);
    Action action{step.kind, step.index, 0, takes_cards(run, step) ? selected : 0};
    if (is_move(step.kind)) action.to = static_cast<std::uint8_t>(step.index - 1);
    return action;
}

StepResult apply_step(RunState& run, std::uint64_t& selected, int id, bool moves) {
    if (id < 0 || id >= (moves ? step_count : first_move_step)) return {Refusal::no_such_place};
    if (id < toggle_count) {
        if (!can_toggle(run, selected, id)) return {Refusal::no_such_place};
        selected ^= std::uint64_t{1} << id;
        return {};
    }
    const Action action = action_of_step(run, selected, id);
    if (selected == 0) return {step(run, action), true};
    const auto hand = run.hand;
    const Refusal refusal = step(run, action);
    if (refusal == Refusal::none && (action.cards != 0 || !same_hand(hand, run.hand))) selected = 0;
    return {refusal, true};
}

// --- Mask ----------------------------------------------------------------------------------------------------------

namespace {

class MaskWriter {
public:
    MaskWriter(const RunState& run, std::uint64_t selected, std::span<std::uint8_t, step_count> mask)
        : run_(run), selected_(selected), mask_(mask) {}

    void write(bool moves) {
        std::memset(mask_.data(), 0, step_count);
        if (run_.end != EndCode::none || run_.phase == Phase::game_over) return;
        toggles();
        switch (run_.phase) {
            case Phase::blind_select:
                ask({ActionKind::select_blind, ActionKind::skip_blind, ActionKind::reroll_boss});
                break;
            case Phase::selecting_hand:
                ask({ActionKind::play, ActionKind::discard});
                break;
            case Phase::round_eval:
                ask({ActionKind::cash_out});
                break;
            case Phase::shop:
                ask({ActionKind::reroll, ActionKind::leave_shop});
                ask_each(ActionKind::buy, run_.shop.size());
                ask_each(ActionKind::buy_and_use, run_.shop.size());
                ask_each(ActionKind::redeem, run_.shop_vouchers.size());
                ask_each(ActionKind::open_booster, run_.shop_boosters.size());
                break;
            case Phase::pack_opening:
                ask({ActionKind::skip_pack});
                ask_each(ActionKind::pick, run_.pack.cards.size());
                break;
            case Phase::game_over:
                break;
        }
        ask_each(ActionKind::use, run_.consumables.size());
        ask_each(ActionKind::sell_consumable, run_.consumables.size());
        ask_each(ActionKind::sell_joker, run_.jokers.size());
        if (moves) ask_moves();
    }

private:
    void toggles() {
        const std::uint64_t hand = hand_positions(run_);
        std::uint64_t open = std::popcount(selected_) < max_selected ? hand : hand & selected_;
        for (; open != 0; open &= open - 1) mask_[static_cast<std::size_t>(std::countr_zero(open))] = 1;
    }

    void ask_one(int id) {
        const bool allowed = check(run_, action_of_step(run_, selected_, id)) == Refusal::none;
        mask_[static_cast<std::size_t>(id)] = allowed ? 1 : 0;
    }
    void ask(std::initializer_list<ActionKind> kinds) {
        for (ActionKind kind : kinds) ask_one(first_step(kind));
    }
    void ask_each(ActionKind kind, int count) {
        for (int i = 0; i < count; ++i) ask_one(first_step(kind) + i);
    }

    // The first step of a move has index 1.
    void ask_moves() {
        ask_each(ActionKind::move_joker, run_.jokers.size() - 1);
        ask_each(ActionKind::move_consumable, run_.consumables.size() - 1);
        ask_each(ActionKind::move_card, run_.hand.size() - 1);
        ask({ActionKind::sort_hand_by_rank, ActionKind::sort_hand_by_suit});
    }

    const RunState& run_;
    std::uint64_t selected_;
    std::span<std::uint8_t, step_count> mask_;
};

}  // namespace

void write_step_mask(const RunState& run, std::uint64_t selected, bool moves,
                     std::span<std::uint8_t, step_count> mask) {
    MaskWriter(run, selected, mask).write(moves);
}

}  // namespace jimbo
