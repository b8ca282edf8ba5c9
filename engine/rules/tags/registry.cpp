#include <array>

#include "rules/tags.hpp"
#include "rules/tags/tags.hpp"

namespace jimbo {
namespace {

// In catalogue order.
// clang-format off
constexpr std::array<const TagRule*, tag_count> rules{
    &tags::uncommon, &tags::rare, &tags::negative, &tags::foil, &tags::holo, &tags::polychrome, &tags::investment,
    &tags::voucher, &tags::boss, &tags::standard, &tags::charm, &tags::meteor, &tags::buffoon, &tags::handy,
    &tags::garbage, &tags::ethereal, &tags::coupon, &tags::double_, &tags::juggle, &tags::d_six, &tags::top_up,
    &tags::skip, &tags::orbital, &tags::economy,
};
// clang-format on

consteval bool every_tag_stands_at_its_key() {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (static_cast<std::size_t>(rules[i]->key) != i) return false;
    }
    return true;
}
static_assert(every_tag_stands_at_its_key(), "a tag is missing, stands twice or stands in the wrong place");

void take(Turn& turn, const HeldTag& tag) {
    RunState& run = turn.run;
    turn.note({EventKind::tag_gained, Actor::tag, 0, static_cast<std::uint8_t>(tag.key)});
    if (const TagRule& rule = rule_of(tag.key); rule.gained != nullptr) {
        rule.gained(turn, tag);
    } else if (run.tags.full()) {
        run.end = EndCode::no_room;
    } else {
        run.tags.push_back(tag);
    }
}

}  // namespace

const TagRule& rule_of(TagId key) { return *rules[static_cast<std::size_t>(key)]; }

void gain_tag(Turn& turn, const HeldTag& tag) {
    int copies = 1;
    while (!rule_of(tag.key).copies_next && use_tag_with(turn, &TagRule::copies_next) != nullptr) ++copies;
    for (; copies > 0; --copies) take(turn, tag);
}

void apply_blind_choice_tag(Turn& turn) {
    if (const TagRule* tag = use_tag_with(turn, &TagRule::blind_choice)) tag->blind_choice(turn);
}

}  // namespace jimbo
