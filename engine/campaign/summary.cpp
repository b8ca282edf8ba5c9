#include "campaign/summary.hpp"

#include <algorithm>
#include <cmath>

#include "rules/blinds/blind_rule.hpp"
#include "rules/queries.hpp"
#include "strategy/input_writer.hpp"
#include "strategy/power.hpp"

namespace jimbo {
namespace {

double best_power(const RunState& run) {
    const Power power = power_of(run);
    return std::log(std::max(1.0, *std::max_element(power.begin(), power.end())));
}

double base_of(const RunState& run, int ante) { return std::log(std::max(1.0, base_score(run.deck, run.stake, ante))); }

SummaryFacts facts_of(const RunState& run, const RunState& after, const Pending& pending) {
    const int ante = std::max<int>(1, after.ante);
    SummaryFacts of{.before = run, .after = after, .pending = pending};
    of.power_before = best_power(run);
    of.power = &run == &after ? of.power_before : best_power(after);
    of.base = base_of(after, ante);
    of.ahead = base_of(after, ante + 2);
    for (const Joker& joker : after.jokers) {
        if (joker.face_down) continue;
        of.count = std::max<int>(of.count, std::abs(joker.count));
        of.x_mult = std::max(of.x_mult, joker.x_mult);
    }
    for (const Card& card : after.cards) {
        of.enhanced += card.enhancement != Enhancement::none;
        of.sealed += card.seal != Seal::none || card.edition != Edition::base;
    }
    for (const HandStats& hand : after.hands) of.levels += std::log(std::max(1.0, static_cast<double>(hand.level)));
    return of;
}

// A margin that was written by knots; 0 where there is none.
double margin_in(std::span<const ValueInput> inputs, InputGroup group) {
    double margin = 0;
    for (const ValueInput& input : inputs) {
        const int knot = input.index - offset_of(group);
        if (knot < 0 || knot >= static_cast<int>(margin_knots.size())) continue;
        margin += double{margin_knots[static_cast<std::size_t>(knot)]} * input.value;
    }
    return margin;
}

}  // namespace

void write_summary(const RunState& run, const Option* option, std::span<const ValueInput> inputs, float* out) {
    constexpr Pending nothing{};
    SummaryFacts of = facts_of(run, option ? option->after : run, option ? option->pending : nothing);
    if (option) of.kind = kind_of(*option);
    of.next_margin = margin_in(inputs, InputGroup::next_margin);
    of.boss_margin = margin_in(inputs, InputGroup::boss_margin);
#define NUMBER(name, expression, doc) *out++ = static_cast<float>(expression);
    OPTION_SUMMARY(NUMBER)
#undef NUMBER
    std::fill_n(out, option_kind_count, 0.0F);
    out[static_cast<int>(of.kind)] = 1;
}

}  // namespace jimbo
