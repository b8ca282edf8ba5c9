// A run in a few numbers, for small networks: what an option leads to, and what it changes. One list: the struct that
// Python sees and its documentation are made from it. Most numbers lie between -1 and 2.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "campaign/option_kinds.hpp"
#include "state/run_state.hpp"
#include "strategy/inputs.hpp"

namespace jimbo {

// What a summary is made of. `before`: the run that is decided about, `after`: the run as the option leaves it.
struct SummaryFacts {
    const RunState& before;
    const RunState& after;
    const Pending& pending;
    OptionKind kind = OptionKind::none;  // none: the run itself
    double power_before = 0;             // log score of the best kind of hand
    double power = 0;
    double base = 0;    // log base score of the ante
    double ahead = 0;   // two antes on
    int count = 0;      // of the jokers: the largest
    double x_mult = 1;  // likewise
    int enhanced = 0;
    int sealed = 0;     // or with an edition
    double levels = 0;  // sum of their logarithms
    double next_margin = 0;
    double boss_margin = 0;
};

// clang-format off
#define OPTION_SUMMARY(NUMBER) \
    NUMBER(blind, next_blind(of.after) / 24.0, "the blind that comes next or is played, of 24") \
    NUMBER(boss_next, of.after.on_deck == BlindSlot::boss, "1 where it is a boss") \
    NUMBER(in_shop, of.after.phase == Phase::shop, "1 in the shop") \
    NUMBER(in_pack, of.after.phase == Phase::pack_opening, "1 in an open pack") \
    NUMBER(in_hand, of.after.phase == Phase::selecting_hand, "1 before a hand") \
    NUMBER(dollars, std::clamp(of.after.dollars / 50.0, -1.0, 2.0), "a 50th") \
    NUMBER(interest, std::clamp(of.after.dollars / 5, 0, 10) / 5.0, "steps of interest, a fifth") \
    NUMBER(paid, std::clamp((of.before.dollars - of.after.dollars) / 10.0, -2.0, 2.0), "what the option costs, a tenth") \
    NUMBER(jokers, of.after.jokers.size() / 5.0, "held, a fifth") \
    NUMBER(joker_room, joker_room(of.after) / 5.0, "free slots, a fifth") \
    NUMBER(joker_count, std::log1p(std::abs(double{1} * of.count)) / 4, "log of the largest number that a joker has grown to") \
    NUMBER(joker_x_mult, std::log(of.x_mult), "log of the largest multiplier that a joker has grown to") \
    NUMBER(consumables, of.after.consumables.size() / 2.0, "held, a half") \
    NUMBER(consumable_room, consumable_room(of.after) / 2.0, "free slots, a half") \
    NUMBER(power, (of.power - of.base) / 4, "log score of the best kind of hand, against the ante's base score") \
    NUMBER(power_ahead, (of.power - of.ahead) / 4, "the same against the base score two antes on") \
    NUMBER(power_gain, of.power - of.power_before, "what the option adds to it") \
    NUMBER(levels, of.levels / 4, "logs of the levels of poker hands, added up") \
    NUMBER(cards, of.after.cards.size() / 52.0 - 1, "in the full deck, against 52") \
    NUMBER(enhanced, of.enhanced / 10.0, "enhanced cards, a tenth") \
    NUMBER(sealed, of.sealed / 10.0, "cards with a seal or an edition, a tenth") \
    NUMBER(vouchers, of.after.vouchers.count() / 10.0, "a tenth") \
    NUMBER(tags, of.after.tags.size() / 2.0, "held, a half") \
    NUMBER(hands, of.after.hands_per_round / 4.0 - 1, "in a round, against 4") \
    NUMBER(discards, of.after.discards_per_round / 4.0 - 1, "in a round, against 4") \
    NUMBER(hand_size, of.after.hand_size / 8.0 - 1, "against 8") \
    NUMBER(on_offer, (of.after.phase == Phase::shop) * of.after.shop.size() / 2.0, "cards in the shop, a half") \
    NUMBER(packs_on_offer, (of.after.phase == Phase::shop) * of.after.shop_boosters.size() / 2.0, "a half") \
    NUMBER(next_margin, of.next_margin, "log score less log target of the next blind; 0 without a forecast") \
    NUMBER(boss_margin, of.boss_margin, "the same of this ante's boss")
// clang-format on

struct SummaryNumber {
    std::string_view name;
    std::string_view doc;
};

// Those of the list, then one for each kind of option: 1 for its own.
inline constexpr auto summary_numbers = std::to_array<SummaryNumber>({
#define NUMBER(name, expression, doc) {#name, doc},
    OPTION_SUMMARY(NUMBER)
#undef NUMBER
#define KIND(name, doc) {"kind_" #name, doc},
        OPTION_KINDS(KIND)
#undef KIND
});
inline constexpr int summary_size = static_cast<int>(summary_numbers.size());

// Of an option, whose forecast stands among its inputs; of the run itself where `option` is null.
void write_summary(const RunState& run, const Option* option, std::span<const ValueInput> inputs, float* out);

}  // namespace jimbo
