// Enumerators as texts: the game's keys for catalogue items, plain words for the rest.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "catalog/lookup.hpp"
#include "rules/jokers/joker_shown.hpp"
#include "state/run_state.hpp"

namespace jimbo {

template <typename Fact, std::size_t N>
constexpr std::array<std::string_view, N> keys_from(const std::array<Fact, N>& rows) {
    std::array<std::string_view, N> keys{};
    for (std::size_t i = 0; i < N; ++i) keys[i] = key_of(rows[i]);
    return keys;
}

template <typename Enum>
struct EnumText;

// clang-format off
template <> struct EnumText<JokerId> { static constexpr auto names = keys_from(joker_facts); };
template <> struct EnumText<ConsumableId> { static constexpr auto names = keys_from(consumable_facts); };
template <> struct EnumText<VoucherId> { static constexpr auto names = keys_from(voucher_facts); };
template <> struct EnumText<BoosterId> { static constexpr auto names = keys_from(booster_facts); };
template <> struct EnumText<TagId> { static constexpr auto names = keys_from(tag_facts); };
template <> struct EnumText<BlindId> { static constexpr auto names = keys_from(blind_facts); };
template <> struct EnumText<DeckId> { static constexpr auto names = keys_from(deck_facts); };
template <> struct EnumText<StakeId> { static constexpr auto names = keys_from(stake_facts); };
template <> struct EnumText<ChallengeId> { static constexpr auto names = keys_from(challenge_facts); };
template <> struct EnumText<Enhancement> { static constexpr auto names = keys_from(enhancement_facts); };
template <> struct EnumText<Edition> { static constexpr auto names = keys_from(edition_facts); };
template <> struct EnumText<Seal> { static constexpr auto names = keys_from(seal_facts); };
template <> struct EnumText<HandType> { static constexpr auto names = keys_from(hand_facts); };
template <> struct EnumText<Suit> {
    static constexpr std::array<std::string_view, suit_count> names{"S", "H", "C", "D"};
};
template <> struct EnumText<Rank> {
    static constexpr std::array<std::string_view, rank_count> names{
        "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"};
};
template <> struct EnumText<Phase> { static constexpr auto names = phase_names; };
template <> struct EnumText<EndCode> {
    static constexpr std::array<std::string_view, 3> names{"none", "lost", "no_room"};
};
template <> struct EnumText<BlindSlot> {
    static constexpr std::array<std::string_view, 3> names{"small", "big", "boss"};
};
template <> struct EnumText<ShownKind> { static constexpr auto names = shown_names; };
template <> struct EnumText<OfferKind> {
    static constexpr std::array<std::string_view, 3> names{"joker", "consumable", "playing_card"};
};
// clang-format on

template <typename Enum>
constexpr std::string_view text_of(Enum value) {
    return EnumText<Enum>::names[static_cast<std::size_t>(value)];
}

template <typename Enum>
constexpr std::optional<Enum> enum_of(std::string_view text) {
    const auto& names = EnumText<Enum>::names;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == text) return static_cast<Enum>(i);
    }
    return std::nullopt;
}

// A joker's growing numbers.
struct Counters {
    std::int32_t count;
    double x_mult;
};

constexpr std::array<std::string_view, hand_type_count> hand_names() { return EnumText<HandType>::names; }

}  // namespace jimbo
