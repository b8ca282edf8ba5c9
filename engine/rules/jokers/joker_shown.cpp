#include "rules/jokers/joker_shown.hpp"

#include "rules/jokers/joker_rule.hpp"

namespace jimbo {

namespace {

// A joker's own whole number as its rule means it.
ShownPart count_of(const JokerRule& rule, const Joker& joker) {
    ShownPart part{.kind = rule.count_means, .number = static_cast<double>(joker.count), .of = rule.count_of};
    if (part.kind == ShownKind::hands_before) return {};
    if (part.kind == ShownKind::poker_hand) {
        if (joker.count < 0) return {};
        part = {.kind = ShownKind::poker_hand, .hand = static_cast<HandType>(joker.count)};
    }
    return part;
}

}  // namespace

JokerShown joker_shown(const RunState& run, const Joker& joker) {
    const JokerRule& rule = rule_of(joker.key);
    JokerShown shown;
    const auto add = [&shown](const ShownPart& part) {
        if (part.kind != ShownKind::nothing) shown.push_back(part);
    };
    if (rule.grows_x_mult) add({.kind = ShownKind::x_mult, .number = joker.x_mult});
    add(count_of(rule, joker));
    if (rule.shown != nullptr) add(rule.shown(run, joker));
    return shown;
}

}  // namespace jimbo
