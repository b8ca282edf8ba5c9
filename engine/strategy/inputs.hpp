// The inputs of the value: a short list of numbers about a run that are not zero. Only what a player may
// know goes in: the caller hands in a run whose hidden part was drawn anew.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "solve/forecast.hpp"
#include "state/run_state.hpp"

namespace jimbo {

inline constexpr int value_blinds = 24;  // eight antes of three
// From this many rollouts on, hands count by the value of the run after the blind (hands.cpp). The input `skill` stays
// at this number beyond it, because no game that the value learnt from had more.
inline constexpr int many_rollouts = 40;

// An action whose outcome is still hidden: it is paid for, and what it will bring is judged by what it is.
struct Pending {
    enum class Kind : std::uint8_t { none, pack, reroll, consumable, tag, boss };
    Kind kind = Kind::none;
    std::uint8_t id = 0;  // of the pack, consumable or tag
};

// A group may say nothing where its name says all.
// clang-format off
#define VALUE_INPUTS(GROUP) \
    GROUP(next_blind, value_blinds, "which blind comes next, or is being played") \
    GROUP(stake, stake_count, "") \
    GROUP(deck, deck_count, "") \
    GROUP(phase, 6, "where the run stands") \
    GROUP(skill, 1, "how well blinds are played: log2 of the solver's rollouts, at most 40, a tenth of it") \
    GROUP(dollars, 16, "by knots (see inputs.cpp)") \
    GROUP(interest, 12, "steps of interest, at most 11") \
    GROUP(debt, 1, "dollars below zero, a tenth of them") \
    GROUP(limits, 9, "hands, discards, hand size, slots, shop") \
    GROUP(joker_room, 8, "free joker slots, at most 7") \
    GROUP(power, 14, "log score of kinds of poker hands, against the ante's base score") \
    GROUP(best_power, 16, "the best of them by knots") \
    GROUP(log_power, 1, "the best of them as it is") \
    GROUP(levels, hand_type_count, "log of the levels of poker hands") \
    GROUP(plays, hand_type_count, "log of how often each was played") \
    GROUP(cards, 1, "in the full deck, against 52") \
    GROUP(suits, suit_count, "share of each") \
    GROUP(ranks, rank_count, "cards of each, against 4") \
    GROUP(enhancements, enhancement_count, "cards of each, a quarter of them") \
    GROUP(editions, edition_count, "cards of each, a quarter of them") \
    GROUP(seals, seal_count, "cards of each, a quarter of them") \
    GROUP(jokers, joker_count, "held") \
    GROUP(joker_counts, joker_count, "log of what they count") \
    GROUP(joker_mults, joker_count, "log of the multipliers they have grown") \
    GROUP(joker_editions, edition_count, "") \
    GROUP(eternal, joker_count, "held and eternal") \
    GROUP(perishable, joker_count, "held and perishable, or already perished") \
    GROUP(rounds_left, joker_count, "to perishable ones, a fifth of them") \
    GROUP(stickers, 4, "perishable, rounds left to them, rental, debuffed") \
    GROUP(sell_value, 1, "of all jokers, a tenth of it") \
    GROUP(vouchers, voucher_count, "") \
    GROUP(consumables, consumable_count, "held") \
    GROUP(tags, tag_count, "held") \
    GROUP(boss, blind_count, "of this ante, still to come") \
    GROUP(pending_pack, booster_kind_count * booster_size_count, "paid for, not opened") \
    GROUP(pending_reroll, 1, "") \
    GROUP(pending_consumable, consumable_count, "used, its outcome unseen") \
    GROUP(pending_tag, tag_count, "a skipped blind's") \
    GROUP(pending_boss, 1, "another boss, unseen") \
    GROUP(offered_jokers, joker_count, "on display and affordable") \
    GROUP(offered_consumables, consumable_count, "the same") \
    GROUP(offered_vouchers, voucher_count, "the same") \
    GROUP(offered_packs, booster_kind_count * booster_size_count, "the same") \
    GROUP(offered_cards, 1, "the same, playing cards") \
    GROUP(forecast_known, 2, "whether the next blinds were forecast, and in how many worlds (log2, a quarter)") \
    GROUP(next_margin, 16, "log score less log target of the next blind, by knots") \
    GROUP(boss_margin, 16, "the same of this ante's boss") \
    GROUP(plain_power, 16, "log score of the last forecast blind that is no boss, against the base score two antes on") \
    GROUP(spreads, 2, "of the next blind and of the boss") \
    GROUP(boss_dollars, 1, "after the boss, log")
// clang-format on

enum class InputGroup : std::uint8_t {
#define GROUP(name, size, doc) name,
    VALUE_INPUTS(GROUP)
#undef GROUP
};

struct InputGroupFact {
    std::string_view name;
    int size;
    std::string_view doc;
};

inline constexpr auto input_groups = std::to_array<InputGroupFact>({
#define GROUP(name, size, doc) {#name, size, doc},
    VALUE_INPUTS(GROUP)
#undef GROUP
});

// Where each group begins, and after the last one the number of all inputs.
inline constexpr auto input_offsets = [] {
    std::array<int, input_groups.size() + 1> offsets{};
    for (std::size_t i = 0; i < input_groups.size(); ++i) offsets[i + 1] = offsets[i] + input_groups[i].size;
    return offsets;
}();
inline constexpr int value_input_count = input_offsets.back();

constexpr int offset_of(InputGroup group) { return input_offsets[static_cast<std::size_t>(group)]; }

struct ValueInput {
    std::uint16_t index = 0;
    float value = 0;
};
using ValueInputs = ScratchVector<ValueInput, 640>;

// The blind that comes next or is being played, counted from the first one of the run.
int next_blind(const RunState& run);

// Everything but the forecast.
void write_inputs(const RunState& run, const Pending& pending, int rollouts, ValueInputs& inputs);
// What a forecast adds.
void write_forecast(const RunState& run, const Forecast& forecast, int worlds, ValueInputs& inputs);
// How many blinds to forecast: up to this ante's boss, and at least two.
int forecast_rounds(const RunState& run);

}  // namespace jimbo
