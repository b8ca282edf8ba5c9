// What tags do, as hooks: one TagRule constant each. A tag waits until a moment comes for which it has a hook; then it
// is used up and the hook is called. Where several wait for the same moment, the one held longest is first.
#pragma once

#include <optional>

#include "rules/turn.hpp"

namespace jimbo {

struct TagRule {
    TagId key{};
    void (*gained)(Turn&, const HeldTag&) = nullptr;  // acts at once and is never held
    bool copies_next = false;                         // the next tag that is gained

    void (*blind_choice)(Turn&) = nullptr;  // on the way to the choice of a blind, one tag at a time
    void (*round_started)(Turn&) = nullptr;
    int (*boss_beaten)(const RunState&) = nullptr;  // dollars on the cash-out sheet

    // The next shop, in the order in which it is stocked.
    void (*shop_opened)(Turn&) = nullptr;
    std::optional<ShopCard> (*shop_card)(Turn&) = nullptr;  // takes the place of a drawn card; none: it is wasted
    void (*base_joker)(ShopCard&) = nullptr;                // a joker without edition is put on display
    void (*vouchers_shown)(Turn&) = nullptr;
    void (*shop_stocked)(Turn&) = nullptr;
};

const TagRule& rule_of(TagId key);

// Uses up the first held tag that has this hook; nullptr if there is none.
template <typename Hook>
const TagRule* use_tag_with(Turn& turn, Hook TagRule::* hook) {
    auto& tags = turn.run.tags;
    for (int i = 0; i < tags.size(); ++i) {
        const TagRule& rule = rule_of(tags[i].key);
        if (!(rule.*hook)) continue;
        tags.erase(i);
        turn.note({EventKind::tag_used, Actor::tag, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(rule.key)});
        return &rule;
    }
    return nullptr;
}

}  // namespace jimbo
