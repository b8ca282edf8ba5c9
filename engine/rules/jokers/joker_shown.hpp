// What a joker is worth at the moment, as the game writes it under the joker's text: "+30 Chips", "2 of 16", "K of
// Spades". A rule declares what the joker's own numbers mean; a number that is read off the run has a hook, `shown`,
// which asks the same function as the hook that acts with it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "state/run_state.hpp"

namespace jimbo {

// clang-format off
enum class ShownKind : std::uint8_t {
    nothing,
    chips, mult, x_mult, dollars, hand_size,  // what it gives now
    hands_left,    // before it is used up
    hands_to_go,   // until the hand that counts; 0: the next one does
    cards_to_go,   // to be discarded before it grows
    rounds_done,   // `of` those it waits for
    cards_found,   // `of` those it needs
    poker_hand, card, rank, suit,  // what it looks for
    copies,        // the joker it acts as, or none
    hands_before,  // played before it came; kept in `count`, never shown
};
inline constexpr std::array<std::string_view, 17> shown_names{
    "nothing", "chips", "mult", "x_mult", "dollars", "hand_size", "hands_left", "hands_to_go", "cards_to_go",
    "rounds_done", "cards_found", "poker_hand", "card", "rank", "suit", "copies", "hands_before"};
// clang-format on
static_assert(shown_names.back() == "hands_before" &&
              static_cast<std::size_t>(ShownKind::hands_before) + 1 == shown_names.size());

// One thing that is shown; a kind has those of the fields that its name speaks of.
struct ShownPart {
    ShownKind kind = ShownKind::nothing;
    double number = 0.0;
    std::uint8_t of = 0;
    HandType hand{};
    Rank rank{};
    Suit suit{};
    std::int8_t copied = -1;  // a slot
};

using JokerShown = FixedVector<ShownPart, 2>;

// What a joker shows that is owned or on offer; most show nothing, Yorick and Castle two things.
JokerShown joker_shown(const RunState& run, const Joker& joker);

}  // namespace jimbo
