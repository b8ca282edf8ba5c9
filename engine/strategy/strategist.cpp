#include "strategy/strategist.hpp"

#include <algorithm>
#include <utility>

#include "play/legal.hpp"
#include "solve/hand_order.hpp"
#include "solve/joker_order.hpp"
#include "solve/quick.hpp"
#include "strategy/hands.hpp"

namespace jimbo {
namespace {

Action move_of(ActionKind kind, int from, int to) {
    return {kind, static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)};
}

// Moves that put the played cards in the order that scores best, and the play.
std::vector<Action> in_best_order(const RunState& view, const Action& play) {
    const std::vector<int> order = best_hand_order(view, play.cards);
    if (std::is_sorted(order.begin(), order.end())) return {play};
    std::vector<int> hand(static_cast<std::size_t>(view.hand.size()));
    for (std::size_t i = 0; i < hand.size(); ++i) hand[i] = static_cast<int>(i);
    std::vector<Action> actions;
    for (std::size_t to = 0; to < order.size(); ++to) {
        const auto place = std::find(hand.begin(), hand.end(), order[to]);
        const auto target = hand.begin() + static_cast<std::ptrdiff_t>(to);
        if (place == target) continue;
        actions.push_back(move_of(ActionKind::move_card, static_cast<int>(place - hand.begin()), static_cast<int>(to)));
        std::rotate(target, place, place + 1);
    }
    actions.push_back({ActionKind::play, 0, 0, (std::uint64_t{1} << order.size()) - 1});
    return actions;
}

bool is_consumable(const Offer& offer) { return offer.kind == OfferKind::consumable; }

// Buys, takes or uses one, or opens a pack of them.
bool wants_consumable(const RunState& view, const Action& action) {
    switch (action.kind) {
        case ActionKind::use:
        case ActionKind::buy_and_use:
            return true;
        case ActionKind::buy:
            return is_consumable(view.shop[action.index].offer);
        case ActionKind::pick:
            return is_consumable(view.pack.cards[action.index]);
        case ActionKind::open_booster: {
            const BoosterKind kind = fact(view.shop_boosters[action.index].key).kind;
            return kind != BoosterKind::standard && kind != BoosterKind::buffoon;
        }
        default:
            return false;
    }
}

}  // namespace

void Strategist::reset(std::uint64_t nonce) {
    nonce_ = nonce;
    decisions_ = 0;
    forget_plan();
}

// Another one for each decision.
std::uint64_t Strategist::nonce() const { return nonce_ * 0x9E3779B97F4A7C15ULL + decisions_ * 0xD1B54A32D192ED03ULL; }

Decision Strategist::decide(const RunState& view) {
    ++decisions_;
    Decision decision;
    if (follow_plan(view, decision)) return decision;
    switch (view.phase) {
        case Phase::round_eval:
            decision.action = {ActionKind::cash_out};
            break;
        case Phase::selecting_hand:
            if (!use_consumable(view, decision)) play_hand(view, decision);
            break;
        case Phase::blind_select:
            if (order_jokers(view, decision)) break;
            [[fallthrough]];
        default:
            judge_options(view, decision);
            begin(judge_.options()[decision.options[static_cast<std::size_t>(decision.chosen)].option].actions,
                  decision);
    }
    return decision;
}

// For as long as what was planned is allowed.
bool Strategist::follow_plan(const RunState& view, Decision& decision) {
    if (plan_.empty()) return false;
    decision.kind = Decision::Kind::planned;
    decision.action = plan_.back();
    plan_.pop_back();
    if (check(view, decision.action) == Refusal::none) return true;
    forget_plan();
    decision.kind = Decision::Kind::only;
    return false;
}

void Strategist::begin(std::span<const Action> actions, Decision& decision) {
    decision.action = actions.front();
    plan_.assign(actions.rbegin(), actions.rend() - 1);
}

bool Strategist::order_jokers(const RunState& view, Decision& decision) const {
    if (!abilities_.joker_order) return false;
    const std::vector<int> order = best_joker_order(view, nonce());
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
        if (order[slot] == static_cast<int>(slot)) continue;
        const Action move = move_of(ActionKind::move_joker, order[slot], static_cast<int>(slot));
        if (check(view, move) != Refusal::none) continue;
        decision.kind = Decision::Kind::order;
        decision.action = move;
        return true;
    }
    return false;
}

// Before the first hand of a blind; false where none is wanted.
bool Strategist::use_consumable(const RunState& view, Decision& decision) {
    if (!abilities_.consumables || view.consumables.empty() || view.chips > 0) return false;
    judge_options(view, decision);
    const auto& actions = judge_.options()[decision.options[static_cast<std::size_t>(decision.chosen)].option].actions;
    if (actions.empty()) return false;
    begin(actions, decision);
    return true;
}

void Strategist::play_hand(const RunState& view, Decision& decision) {
    decision.kind = Decision::Kind::hand;
    if (abilities_.solver && effort_.rollouts == 1) {
        SplitMix random(nonce());
        decision.solved = {{.action = quick_action(view, blind_basis(view, random), random)}};
    } else {
        decision.solved = solve_by_value(net_, view,
                                         {.rollouts = abilities_.solver ? effort_.rollouts : 1,
                                          .nonce = nonce(),
                                          .clairvoyant = effort_.clairvoyant});
    }
    if (!abilities_.solver) {
        std::erase_if(decision.solved, [](const SolvedAction& one) { return one.action.kind != ActionKind::play; });
        std::stable_sort(decision.solved.begin(), decision.solved.end(),
                         [](const SolvedAction& a, const SolvedAction& b) { return a.score > b.score; });
    }
    const Action best = decision.solved.front().action;
    if (best.kind == ActionKind::play && abilities_.joker_order) {
        begin(in_best_order(view, best), decision);
    } else {
        decision.action = best;
    }
}

void Strategist::judge_options(const RunState& view, Decision& decision) {
    decision.kind = Decision::Kind::option;
    const auto judged = judge_.judge(view, effort_, nonce());
    decision.options.assign(judged.begin(), judged.end());
    if (!abilities_.consumables) {
        std::erase_if(decision.options, [&](const JudgedOption& one) {
            const auto& actions = judge_.options()[one.option].actions;
            return std::any_of(actions.begin(), actions.end(),
                               [&](const Action& action) { return wants_consumable(view, action); });
        });
    }
    if (choose_) decision.chosen = choose_(decision.options);
}

}  // namespace jimbo
