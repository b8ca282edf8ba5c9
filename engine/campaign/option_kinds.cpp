#include "campaign/option_kinds.hpp"

namespace jimbo {

OptionKind kind_of(const Option& option) {
    if (option.actions.empty()) return OptionKind::stay;
    if (option.actions.size() > 1) return OptionKind::swap;
    switch (option.actions[0].kind) {
        case ActionKind::skip_blind:
            return OptionKind::skip_blind;
        case ActionKind::reroll_boss:
            return OptionKind::reroll_boss;
        case ActionKind::buy:
            return OptionKind::buy;
        case ActionKind::buy_and_use:
            return OptionKind::buy_and_use;
        case ActionKind::redeem:
            return OptionKind::redeem;
        case ActionKind::open_booster:
            return OptionKind::open_pack;
        case ActionKind::reroll:
            return OptionKind::reroll;
        case ActionKind::pick:
            return OptionKind::pick;
        case ActionKind::use:
            return OptionKind::use;
        case ActionKind::sell_joker:
            return OptionKind::sell_joker;
        case ActionKind::sell_consumable:
            return OptionKind::sell_consumable;
        default:  // leave the shop, skip the pack, play the blind
            return OptionKind::stay;
    }
}

}  // namespace jimbo
