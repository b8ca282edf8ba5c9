// What the player of a run may know, and nothing else: the one thing that agents, records, screens and clients share.
// It is a value. Its list of fields is at the end: JSON, schema, hash and the attributes in Python are made from it.
#pragma once

#include "view/public_parts.hpp"

namespace jimbo {

struct PublicState {
    // The run.
    DeckId deck = DeckId::red;
    StakeId stake = StakeId::white;
    std::optional<ChallengeId> challenge{};
    Phase phase = Phase::blind_select;
    EndCode end = EndCode::none;
    bool won = false;
    std::int16_t ante = 1;
    std::int16_t round = 0;

    // Money.
    std::int32_t dollars = 0;
    std::int32_t spendable = 0;
    std::int32_t reroll_price = 0;
    std::int16_t reroll_increase = 0;
    std::int16_t reroll_cut = 0;
    std::int16_t free_rerolls = 0;
    bool rerolls_start_free = false;
    std::int16_t inflation = 0;
    Payout payout{};

    // The round.
    double chips = 0.0;
    std::int16_t hands_left = 0;
    std::int16_t discards_left = 0;
    std::int16_t hands_played = 0;
    std::int16_t discards_used = 0;
    std::int16_t hands_per_round = 0;
    std::int16_t discards_per_round = 0;
    std::int16_t hand_size = 0;
    std::int16_t hand_size_bonus = 0;
    std::int32_t hand_limit = 0;
    bool sorts_by_suit = false;
    BlindInPlay blind{};
    LastHand last_hand{};

    // Limits.
    std::int16_t joker_slots = 0;
    std::int32_t joker_room = 0;
    std::int16_t consumable_slots = 0;
    std::int32_t consumable_room = 0;
    std::int16_t shop_slots = 0;

    // The ante.
    BlindSlot on_deck = BlindSlot::small;
    BlindId boss{};
    bool boss_rerolled = false;
    HandType most_played{};
    std::optional<VoucherId> voucher{};
    std::vector<PublicTag> skip_tags{};
    std::vector<PublicBlind> blinds{};

    // Cards.
    std::vector<PublicCard> hand{};
    std::vector<PublicCard> played{};
    std::vector<PublicCard> discarded{};
    std::vector<PublicCard> unseen{};
    std::int32_t draw_pile = 0;
    std::vector<PublicJoker> jokers{};
    std::vector<PublicJoker> hidden_jokers{};
    std::vector<PublicConsumable> consumables{};
    std::vector<PublicTag> tags{};
    std::vector<VoucherId> vouchers{};
    std::vector<PublicHand> hands{};

    // Shop and pack.
    std::vector<PublicOffer> shop{};
    std::vector<PublicVoucherOffer> shop_vouchers{};
    std::vector<PublicBooster> shop_boosters{};
    bool shop_seen = false;
    std::optional<PublicPack> pack{};

    // What is looked for and remembered.
    PublicTargets targets{};
    std::int32_t run_hands = 0;
    std::int32_t unused_discards = 0;
    std::int32_t skips = 0;
    std::int32_t tarots_used = 0;
    std::vector<ConsumableId> used_planets{};
    std::optional<ConsumableId> last_used{};
    std::int16_t ectoplasms = 0;
    bool gros_michel_extinct = false;
    std::vector<PublicBossUse> boss_uses{};
    std::uint16_t next_id = 1;
};

PublicState public_state(const RunState& run);
// A joker on offer as it would be once it is owned: its numbers, and what it sells for.
PublicJoker joker_on_offer(const RunState& run, const Offer& offer);
// The cards in hand as they are: of a run that an agent imagines, all may be looked at.
std::vector<PublicCard> open_hand(const RunState& run);
// The cards left to draw as they lie, the last one drawn next: for worlds that show more than a player may know.
std::vector<PublicCard> open_draw_pile(const RunState& run);
// A run that looks like this to its player, its hidden part drawn from the nonce. Throws std::invalid_argument that
// names the field if no run looks so.
RunState imagine(const PublicState& state, std::uint64_t nonce);

template <>
struct PublicFields<PublicState> {
    static constexpr std::string_view doc = "What the player of a run may know, and nothing else.";
    static constexpr auto list = std::tuple{
        told("deck", &PublicState::deck, "key of the deck"),
        told("stake", &PublicState::stake, "key of the stake"),
        told("challenge", &PublicState::challenge, "key of the challenge"),
        told("phase", &PublicState::phase, "what the player decides next"),
        told("end", &PublicState::end, "none, lost, or no_room (a capacity was exceeded)"),
        told("won", &PublicState::won, "the boss of the last ante has been beaten"),
        told("ante", &PublicState::ante, "present ante"),
        told("round", &PublicState::round, "blinds started so far"),

        told("dollars", &PublicState::dollars, "money held"),
        derived("spendable", &PublicState::spendable, "money that can be spent, with the debt that Credit Card allows"),
        derived("reroll_price", &PublicState::reroll_price, "what the next reroll of the shop costs"),
        told("reroll_increase", &PublicState::reroll_increase, "dollars that paid rerolls added"),
        told("reroll_cut", &PublicState::reroll_cut, "dollars off the next reroll alone"),
        told("free_rerolls", &PublicState::free_rerolls, "left in this shop"),
        told("rerolls_start_free", &PublicState::rerolls_start_free, "D6 Tag acts on this shop"),
        told("inflation", &PublicState::inflation, "dollars that purchases added to every price (a challenge)"),
        told("payout", &PublicState::payout, "last cash-out sheet"),

        told("chips", &PublicState::chips, "scored in this round"),
        told("hands_left", &PublicState::hands_left, "in this round"),
        told("discards_left", &PublicState::discards_left, "in this round"),
        told("hands_played", &PublicState::hands_played, "in this round"),
        told("discards_used", &PublicState::discards_used, "in this round"),
        told("hands_per_round", &PublicState::hands_per_round, "hands that a round starts with"),
        told("discards_per_round", &PublicState::discards_per_round, "discards that a round starts with"),
        told("hand_size", &PublicState::hand_size, "cards the hand holds, before what jokers and blinds take"),
        told("hand_size_bonus", &PublicState::hand_size_bonus, "part of it that ends with the round (Juggle Tag)"),
        derived("hand_limit", &PublicState::hand_limit, "cards the hand can hold now"),
        told("sorts_by_suit", &PublicState::sorts_by_suit, "the hand is kept sorted by suit, not by rank"),
        told("blind", &PublicState::blind, "the blind last selected"),
        told("last_hand", &PublicState::last_hand, "the hand last played"),

        told("joker_slots", &PublicState::joker_slots, "without those that Negative jokers bring"),
        derived("joker_room", &PublicState::joker_room, "free joker slots; below 0 when a slot was lost"),
        told("consumable_slots", &PublicState::consumable_slots, "without those that Negative consumables bring"),
        derived("consumable_room", &PublicState::consumable_room, "free consumable slots"),
        told("shop_slots", &PublicState::shop_slots, "cards on sale when a shop opens"),

        told("on_deck", &PublicState::on_deck, "the blind that comes next or is being played"),
        told("boss", &PublicState::boss, "boss of this ante"),
        told("boss_rerolled", &PublicState::boss_rerolled, "the ante's paid reroll is spent"),
        told("most_played", &PublicState::most_played, "the hand The Ox punishes"),
        told("voucher", &PublicState::voucher,
             "voucher of this ante, once a shop has shown it and until it is redeemed"),
        told("skip_tags", &PublicState::skip_tags, "for skipping the small and the big blind"),
        derived("blinds", &PublicState::blinds, "the three blinds of this ante"),

        told("hand", &PublicState::hand, "cards in hand, left to right"),
        told("played", &PublicState::played, "cards being scored"),
        told("discarded", &PublicState::discarded, "cards played or discarded in this round"),
        told("unseen", &PublicState::unseen, "the draw pile and what lies face down in the hand, in creation order"),
        derived("draw_pile", &PublicState::draw_pile, "how many cards are left to draw"),
        told("jokers", &PublicState::jokers, "left to right"),
        told("hidden_jokers", &PublicState::hidden_jokers, "those that lie face down, in creation order"),
        told("consumables", &PublicState::consumables, "left to right"),
        told("tags", &PublicState::tags, "held tags, oldest first"),
        told("vouchers", &PublicState::vouchers, "vouchers owned"),
        told("hands", &PublicState::hands, "the twelve poker hands"),

        told("shop", &PublicState::shop, "cards on sale"),
        told("shop_vouchers", &PublicState::shop_vouchers, "vouchers on sale"),
        told("shop_boosters", &PublicState::shop_boosters, "packs on sale"),
        told("shop_seen", &PublicState::shop_seen, "the run's first shop has opened"),
        told("pack", &PublicState::pack, "the open pack"),

        told("targets", &PublicState::targets, "what some jokers look for"),
        told("run_hands", &PublicState::run_hands, "hands played in the run"),
        told("unused_discards", &PublicState::unused_discards, "in the run (Garbage Tag)"),
        told("skips", &PublicState::skips, "blinds skipped"),
        told("tarots_used", &PublicState::tarots_used, "in the run (Fortune Teller)"),
        told("used_planets", &PublicState::used_planets, "different planets used (Satellite)"),
        told("last_used", &PublicState::last_used, "last tarot or planet used (The Fool)"),
        told("ectoplasms", &PublicState::ectoplasms, "Ectoplasms used"),
        told("gros_michel_extinct", &PublicState::gros_michel_extinct, "Gros Michel has destroyed itself"),
        told("boss_uses", &PublicState::boss_uses, "bosses drawn so far"),
        told("next_id", &PublicState::next_id, "id of whatever is created next"),
    };
};

}  // namespace jimbo
