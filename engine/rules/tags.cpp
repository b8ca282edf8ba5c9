#include "rules/tags.hpp"

#include <algorithm>

#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/open_points.hpp"
#include "rules/shop.hpp"

namespace jimbo {
namespace {

// Tags that act the moment they are gained. False for all others.
bool act_at_once(Turn& turn, HeldTag tag) {
    RunState& run = turn.run;
    switch (tag.key) {
        case TagId::handy:
            earn(turn, run.run_hands, Actor::tag);
            return true;
        case TagId::garbage:
            earn(turn, run.unused_discards, Actor::tag);
            return true;
        case TagId::skip:
            earn(turn, 5 * run.skips, Actor::tag);
            return true;
        case TagId::economy:
            earn(turn, std::clamp(run.dollars, 0, 40), Actor::tag);
            return true;
        case TagId::orbital:
            level_up(turn, tag.orbital_hand, 3);
            return true;
        case TagId::top_up:
            for (int n = 0; n < 2; ++n) create_joker(turn, source::top_up, Rarity::common);
            return true;
        default:
            return false;
    }
}

void take(Turn& turn, HeldTag tag) {
    RunState& run = turn.run;
    turn.note({EventKind::tag_gained, Actor::tag, 0, static_cast<std::uint8_t>(tag.key)});
    if (act_at_once(turn, tag)) return;
    if (run.tags.full()) {
        run.end = EndCode::no_room;
        return;
    }
    run.tags.push_back(tag);
}

// The pack that a tag opens.
std::optional<BoosterId> pack_of(TagId tag) {
    switch (tag) {
        case TagId::charm:
            return BoosterId::arcana_mega_1;
        case TagId::meteor:
            return BoosterId::celestial_mega_1;
        case TagId::ethereal:
            return BoosterId::spectral_normal_1;
        case TagId::standard:
            return BoosterId::standard_mega_1;
        case TagId::buffoon:
            return BoosterId::buffoon_mega_1;
        default:
            return std::nullopt;
    }
}

}  // namespace

void gain_tag(Turn& turn, HeldTag tag) {
    int copies = 1;
    while (tag.key != TagId::double_ && use_tag(turn, TagId::double_)) ++copies;
    for (; copies > 0; --copies) take(turn, tag);
}

bool use_tag(Turn& turn, TagId key) {
    auto& tags = turn.run.tags;
    for (int i = 0; i < tags.size(); ++i) {
        if (tags[i].key != key) continue;
        tags.erase(i);
        turn.note({EventKind::tag_used, Actor::tag, static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(key)});
        return true;
    }
    return false;
}

void apply_blind_choice_tag(Turn& turn) {
    for (const HeldTag& tag : turn.run.tags) {
        const TagId key = tag.key;
        const auto booster = pack_of(key);
        if (key != TagId::boss && !booster) continue;
        use_tag(turn, key);
        if (booster) {
            if (open_point::inflation_counts_packs_of_tags) count_purchase(turn.run);
            open_pack(turn, *booster);
        } else {
            reroll_boss(turn);
        }
        return;
    }
}

FixedVector<HandType, hand_type_count> visible_hands(const RunState& run) {
    FixedVector<HandType, hand_type_count> hands;
    for (HandType hand : open_point::hand_order) {
        if (!fact(hand).secret || run.stats(hand).played > 0) hands.push_back(hand);
    }
    return hands;
}

}  // namespace jimbo
