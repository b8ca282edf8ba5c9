// The parts of a PublicState, each with the list of its fields. A field that is derived follows from the others by the
// rules: it is written for readers, and made anew when a state is read. This is a table of fields, hence its length.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "rules/jokers/joker_shown.hpp"
#include "state/run_state.hpp"

namespace jimbo {

template <typename Owner, typename T>
struct PublicField {
    std::string_view name;
    T Owner::* member;
    std::string_view meaning;
    bool derived = false;
};
template <typename Owner, typename T>
constexpr PublicField<Owner, T> told(std::string_view name, T Owner::* member, std::string_view meaning) {
    return {name, member, meaning};
}
template <typename Owner, typename T>
constexpr PublicField<Owner, T> derived(std::string_view name, T Owner::* member, std::string_view meaning) {
    return {name, member, meaning, true};
}

// What the fields of a struct are. Members of a list's items that have their usual value are left out of JSON.
template <typename Owner>
struct PublicFields;

// --- Playing cards -------------------------------------------------------------------------------------------------

struct PublicCard {
    std::uint16_t id = 0;
    std::optional<Rank> rank{};
    std::optional<Suit> suit{};
    std::optional<Enhancement> enhancement{};
    std::optional<Edition> edition{};
    std::optional<Seal> seal{};
    std::uint16_t bonus = 0;
    bool debuffed = false;
    bool face_down = false;
    bool forced = false;
    bool played_this_ante = false;
    bool worn = false;
    std::optional<Suit> created_suit{};
    std::optional<bool> is_face{};
    std::optional<bool> is_taken{};
};
template <>
struct PublicFields<PublicCard> {
    static constexpr std::string_view doc = "A playing card as it is seen; one that lies face down shows nothing.";
    static constexpr auto list = std::tuple{
        told("id", &PublicCard::id, "creation order; 0 of a card that lies face down in the hand"),
        told("rank", &PublicCard::rank, "2 to 10, J, Q, K or A"),
        told("suit", &PublicCard::suit, "S, H, C or D"),
        told("enhancement", &PublicCard::enhancement, "key of the enhancement"),
        told("edition", &PublicCard::edition, "key of the edition"),
        told("seal", &PublicCard::seal, "key of the seal"),
        told("bonus", &PublicCard::bonus, "chips gained for good"),
        told("debuffed", &PublicCard::debuffed, "it neither scores nor acts"),
        told("face_down", &PublicCard::face_down, "it lies face down"),
        told("forced", &PublicCard::forced, "Cerulean Bell keeps it selected"),
        told("played_this_ante", &PublicCard::played_this_ante, "The Pillar debuffs it"),
        told("worn", &PublicCard::worn, "debuffed for good: it has scored in Double or Nothing"),
        told("created_suit", &PublicCard::created_suit,
             "the suit it was created with, if that is another: equal cards lie in its order"),
        told("is_face", &PublicCard::is_face, "of a card that lies face down: whether it is a face (The Mark)"),
        told("is_taken", &PublicCard::is_taken,
             "of a card that lies face down: whether the Aura that is held takes it"),
    };
};

// --- Jokers and consumables ----------------------------------------------------------------------------------------

struct PublicShown {
    ShownKind kind = ShownKind::nothing;
    double number = 0.0;
    std::uint8_t of = 0;
    std::optional<HandType> hand{};
    std::optional<Rank> rank{};
    std::optional<Suit> suit{};
    std::optional<std::int32_t> copied{};
};
template <>
struct PublicFields<PublicShown> {
    static constexpr std::string_view doc =
        "What a joker is worth at the moment, as the game writes it under its text.";
    static constexpr auto list = std::tuple{
        derived("kind", &PublicShown::kind, "what the number means"),
        derived("number", &PublicShown::number, "the number, where it is one"),
        derived("of", &PublicShown::of, "what the number runs up to; 0 where that is not shown"),
        derived("hand", &PublicShown::hand, "the poker hand it looks for"),
        derived("rank", &PublicShown::rank, "the rank it looks for"),
        derived("suit", &PublicShown::suit, "the suit it looks for"),
        derived("copied", &PublicShown::copied, "place of the joker that is copied"),
    };
};

struct PublicJoker {
    std::uint16_t id = 0;
    std::optional<JokerId> key{};
    std::string_view name{};
    std::optional<Edition> edition{};
    bool eternal = false;
    bool perishable = false;
    bool rental = false;
    std::uint8_t perish_left = 5;
    std::int32_t count = 0;
    double x_mult = 1.0;
    std::vector<PublicShown> shown{};
    std::int16_t sell_bonus = 0;
    std::int32_t sell_value = 0;
    bool debuffed = false;
    bool debuffed_by_blind = false;
    bool face_down = false;
    bool pinned = false;
};
template <>
struct PublicFields<PublicJoker> {
    static constexpr std::string_view doc =
        "A joker that is owned; one that lies face down shows only whether it can be sold and moved.";
    static constexpr auto list = std::tuple{
        told("id", &PublicJoker::id, "creation order; 0 of a joker that lies face down"),
        told("key", &PublicJoker::key, "key of the joker"),
        derived("name", &PublicJoker::name, "its name"),
        told("edition", &PublicJoker::edition, "key of the edition"),
        told("eternal", &PublicJoker::eternal, "cannot be sold or destroyed"),
        told("perishable", &PublicJoker::perishable, "debuffed for good after its last round"),
        told("rental", &PublicJoker::rental, "costs $3 a round"),
        told("perish_left", &PublicJoker::perish_left, "rounds left of a perishable joker"),
        told("count", &PublicJoker::count, "its growing whole number"),
        told("x_mult", &PublicJoker::x_mult, "its growing multiplier"),
        derived("shown", &PublicJoker::shown, "what it is worth at the moment; two things at most"),
        told("sell_bonus", &PublicJoker::sell_bonus, "dollars added to its sell value"),
        derived("sell_value", &PublicJoker::sell_value, "what selling it brings"),
        told("debuffed", &PublicJoker::debuffed, "it does nothing, for whatever reason"),
        told("debuffed_by_blind", &PublicJoker::debuffed_by_blind, "debuffed by Crimson Heart"),
        told("face_down", &PublicJoker::face_down, "Amber Acorn has flipped it"),
        told("pinned", &PublicJoker::pinned, "a challenge keeps it leftmost"),
    };
};

struct PublicConsumable {
    std::uint16_t id = 0;
    ConsumableId key{};
    std::string_view name{};
    std::optional<Edition> edition{};
    std::int16_t sell_bonus = 0;
    std::int32_t sell_value = 0;
};
template <>
struct PublicFields<PublicConsumable> {
    static constexpr std::string_view doc = "A tarot, planet or spectral card that is owned.";
    static constexpr auto list = std::tuple{
        told("id", &PublicConsumable::id, "creation order"),
        told("key", &PublicConsumable::key, "key of the consumable"),
        derived("name", &PublicConsumable::name, "its name"),
        told("edition", &PublicConsumable::edition, "key of the edition"),
        told("sell_bonus", &PublicConsumable::sell_bonus, "dollars added to its sell value"),
        derived("sell_value", &PublicConsumable::sell_value, "what selling it brings"),
    };
};

// --- Shop and packs ------------------------------------------------------------------------------------------------

struct PublicOffer {
    OfferKind kind = OfferKind::joker;
    std::optional<JokerId> joker{};
    std::optional<ConsumableId> consumable{};
    std::optional<PublicCard> card{};
    std::string_view name{};
    std::uint16_t id = 0;
    std::optional<Edition> edition{};
    bool eternal = false;
    bool perishable = false;
    bool rental = false;
    bool free = false;
    std::int32_t price = 0;
};
template <>
struct PublicFields<PublicOffer> {
    static constexpr std::string_view doc = "A card in the shop or in an open pack.";
    static constexpr auto list = std::tuple{
        derived("kind", &PublicOffer::kind, "joker, consumable or playing_card"),
        told("joker", &PublicOffer::joker, "key, of a joker"),
        told("consumable", &PublicOffer::consumable, "key, of a consumable"),
        told("card", &PublicOffer::card, "the playing card"),
        derived("name", &PublicOffer::name, "its name, of a joker or consumable"),
        told("id", &PublicOffer::id, "creation order"),
        told("edition", &PublicOffer::edition, "key of the edition, of a joker or consumable"),
        told("eternal", &PublicOffer::eternal, "sticker, of a joker"),
        told("perishable", &PublicOffer::perishable, "sticker, of a joker"),
        told("rental", &PublicOffer::rental, "sticker, of a joker"),
        told("free", &PublicOffer::free, "by a tag or coupon"),
        derived("price", &PublicOffer::price, "dollars to pay; 0 in a pack"),
    };
};

struct PublicVoucherOffer {
    VoucherId key{};
    std::string_view name{};
    bool free = false;
    bool from_tag = false;
    std::int32_t price = 0;
};
template <>
struct PublicFields<PublicVoucherOffer> {
    static constexpr std::string_view doc = "A voucher on sale.";
    static constexpr auto list = std::tuple{
        told("key", &PublicVoucherOffer::key, "key of the voucher"),
        derived("name", &PublicVoucherOffer::name, "its name"),
        told("free", &PublicVoucherOffer::free, "costs nothing"),
        told("from_tag", &PublicVoucherOffer::from_tag, "a Voucher Tag put it there"),
        derived("price", &PublicVoucherOffer::price, "dollars to pay"),
    };
};

struct PublicBooster {
    BoosterId key{};
    std::string_view name{};
    bool free = false;
    std::int32_t price = 0;
};
template <>
struct PublicFields<PublicBooster> {
    static constexpr std::string_view doc = "A booster pack on sale.";
    static constexpr auto list = std::tuple{
        told("key", &PublicBooster::key, "key of the pack"),
        derived("name", &PublicBooster::name, "its name"),
        told("free", &PublicBooster::free, "by a coupon"),
        derived("price", &PublicBooster::price, "dollars to pay"),
    };
};

struct PublicPack {
    BoosterId key{};
    std::string_view name{};
    std::uint8_t picks_left = 0;
    Phase opened_from = Phase::shop;
    std::vector<PublicOffer> cards{};
};
template <>
struct PublicFields<PublicPack> {
    static constexpr std::string_view doc = "An open pack.";
    static constexpr auto list = std::tuple{
        told("key", &PublicPack::key, "key of the pack"),
        derived("name", &PublicPack::name, "its name"),
        told("picks_left", &PublicPack::picks_left, "cards that may still be taken"),
        told("opened_from", &PublicPack::opened_from, "phase to go back to"),
        told("cards", &PublicPack::cards, "cards left in it"),
    };
};

// --- Blinds, tags, poker hands -------------------------------------------------------------------------------------

struct PublicTag {
    TagId key{};
    std::string_view name{};
    std::optional<HandType> hand{};
};
template <>
struct PublicFields<PublicTag> {
    static constexpr std::string_view doc = "A tag, held or for skipping a blind.";
    static constexpr auto list = std::tuple{
        told("key", &PublicTag::key, "key of the tag"),
        derived("name", &PublicTag::name, "its name"),
        told("hand", &PublicTag::hand, "the poker hand that an Orbital Tag raises"),
    };
};

// Where a blind of the ante stands.
enum class BlindProgress : std::uint8_t { done, now, later };

struct PublicBlind {
    BlindSlot slot = BlindSlot::small;
    BlindId key{};
    std::string_view name{};
    double target = 0.0;
    std::int32_t reward = 0;
    std::optional<PublicTag> tag{};
    BlindProgress progress = BlindProgress::later;
};
template <>
struct PublicFields<PublicBlind> {
    static constexpr std::string_view doc = "One of the three blinds of an ante.";
    static constexpr auto list = std::tuple{
        derived("slot", &PublicBlind::slot, "small, big or boss"),
        derived("key", &PublicBlind::key, "key of the blind"),
        derived("name", &PublicBlind::name, "its name"),
        derived("target", &PublicBlind::target, "score to reach in it"),
        derived("reward", &PublicBlind::reward, "dollars for beating it"),
        derived("tag", &PublicBlind::tag, "the tag for skipping it"),
        derived("progress", &PublicBlind::progress, "done, now (chosen next or being played) or later"),
    };
};

template <>
struct PublicFields<BlindInPlay> {
    static constexpr std::string_view name = "PublicBlindInPlay";
    static constexpr std::string_view doc = "The blind last selected.";
    static constexpr auto list = std::tuple{
        told("key", &BlindInPlay::key, "key of the blind"),
        told("active", &BlindInPlay::active, "it is being played"),
        told("disabled", &BlindInPlay::disabled, "its ability has been ended"),
        told("triggered", &BlindInPlay::triggered, "its ability acted on the last hand"),
        told("flip_next_draw", &BlindInPlay::flip_next_draw, "The Fish: the next cards come face down"),
        told("taken", &BlindInPlay::taken, "hands or discards it took away"),
        told("reward", &BlindInPlay::reward, "dollars for beating it"),
        told("target", &BlindInPlay::target, "score to reach"),
        told("only_hand", &BlindInPlay::only_hand, "The Mouth: the hand it allows"),
    };
};

template <>
struct PublicFields<LastHand> {
    static constexpr std::string_view name = "PublicLastHand";
    static constexpr std::string_view doc = "The hand last played.";
    static constexpr auto list = std::tuple{
        told("hand", &LastHand::hand, "which poker hand"),
        told("any", &LastHand::any, "a hand has been played at all"),
        told("blocked", &LastHand::blocked, "the boss let it score nothing"),
        told("chips", &LastHand::chips, "its chips before multiplication"),
        told("mult", &LastHand::mult, "its mult"),
        told("score", &LastHand::score, "what it scored"),
    };
};

template <>
struct PublicFields<Payout> {
    static constexpr std::string_view name = "PublicPayout";
    static constexpr std::string_view doc = "The last cash-out sheet.";
    static constexpr auto list = std::tuple{
        told("blind", &Payout::blind, "reward"),
        told("hands", &Payout::hands, "for hands left"),
        told("discards", &Payout::discards, "for discards left"),
        told("jokers", &Payout::jokers, "from jokers"),
        told("interest", &Payout::interest, "on money held"),
        told("tags", &Payout::tags, "from Investment Tags"),
    };
};

struct PublicHand {
    HandType hand{};
    std::int32_t level = 1;
    std::uint16_t played = 0;
    std::uint16_t played_this_round = 0;
    double chips = 0.0;
    double mult = 0.0;
    bool visible = false;
};
template <>
struct PublicFields<PublicHand> {
    static constexpr std::string_view doc = "A poker hand at its present level.";
    static constexpr auto list = std::tuple{
        told("hand", &PublicHand::hand, "its name"),
        told("level", &PublicHand::level, "level"),
        told("played", &PublicHand::played, "times played in the run"),
        told("played_this_round", &PublicHand::played_this_round, "times played in this round"),
        derived("chips", &PublicHand::chips, "base chips at its level"),
        derived("mult", &PublicHand::mult, "base mult at its level"),
        derived("visible", &PublicHand::visible, "the game lists it: a secret hand only once it has been played"),
    };
};

// --- What is looked for and remembered -----------------------------------------------------------------------------

struct PublicTargets {
    std::optional<Rank> idol_rank{};
    std::optional<Suit> idol_suit{};
    std::optional<Rank> mail_rank{};
    std::optional<Suit> ancient_suit{};
    std::optional<Suit> castle_suit{};
};
template <>
struct PublicFields<PublicTargets> {
    static constexpr std::string_view doc = "What some jokers look for, while such a joker is owned or on offer.";
    static constexpr auto list = std::tuple{
        told("idol_rank", &PublicTargets::idol_rank, "The Idol"),
        told("idol_suit", &PublicTargets::idol_suit, "The Idol"),
        told("mail_rank", &PublicTargets::mail_rank, "Mail-In Rebate"),
        told("ancient_suit", &PublicTargets::ancient_suit, "Ancient Joker"),
        told("castle_suit", &PublicTargets::castle_suit, "Castle"),
    };
};

struct PublicBossUse {
    BlindId key{};
    std::uint8_t times = 0;
};
template <>
struct PublicFields<PublicBossUse> {
    static constexpr std::string_view doc = "How often a blind was drawn as boss.";
    static constexpr auto list = std::tuple{
        told("key", &PublicBossUse::key, "key of the blind"),
        told("times", &PublicBossUse::times, "how often"),
    };
};

}  // namespace jimbo
