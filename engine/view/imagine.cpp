// A run made from what is public, with its hidden part in some order; determinize then draws that anew.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "play/determinize.hpp"
#include "rules/queries.hpp"
#include "store/state_check.hpp"
#include "view/public_state.hpp"

namespace jimbo {
namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& why) {
    throw std::invalid_argument("public." + field + ": " + why);
}

// --- Cards ---------------------------------------------------------------------------------------------------------

Card card_from(const PublicCard& seen, const std::string& field) {
    if (!seen.rank || !seen.suit) refuse(field, "rank and suit are needed of a card that is seen");
    Card card;
    card.id = seen.id;
    card.bonus = seen.bonus;
    card.set_front({*seen.rank, *seen.suit});
    card.enhancement = seen.enhancement.value_or(Enhancement::none);
    card.edition = seen.edition.value_or(Edition::base);
    card.seal = seen.seal.value_or(Seal::none);
    card.debuffed = seen.debuffed;
    card.face_down = seen.face_down;
    card.forced = seen.forced;
    card.played_this_ante = seen.played_this_ante;
    card.worn = seen.worn;
    card.created_suit = seen.created_suit.value_or(*seen.suit);
    return card;
}

template <typename To, typename From>
void check_room(const To&, const From& from, const char* field) {
    if (static_cast<int>(from.size()) > To::capacity) {
        refuse(field, "at most " + std::to_string(To::capacity) + " fit");
    }
}

// Puts all cards into creation order and hands out their places in it.
class Cards {
public:
    explicit Cards(const PublicState& state, RunState& run) : run_(run) {
        gather(state.hand, "hand", true);
        gather(state.played, "played", false);
        gather(state.discarded, "discarded", false);
        gather(state.unseen, "unseen", false);
        if (all_.size() > max_cards) refuse("unseen", "a run has at most " + std::to_string(max_cards) + " cards");
        std::sort(all_.begin(), all_.end(), [](const Card& a, const Card& b) { return a.id < b.id; });
        for (std::size_t i = 1; i < all_.size(); ++i) {
            if (all_[i].id == all_[i - 1].id)
                refuse("cards", "id " + std::to_string(all_[i].id) + " stands there twice");
        }
        for (const Card& card : all_) run_.cards.push_back(card);
    }

    CardIndex place_of(const PublicCard& card) const {
        const auto found = std::lower_bound(all_.begin(), all_.end(), card.id,
                                            [](const Card& a, std::uint16_t id) { return a.id < id; });
        return static_cast<CardIndex>(found - all_.begin());
    }

private:
    void gather(const std::vector<PublicCard>& zone, const std::string& field, bool in_hand) {
        for (std::size_t i = 0; i < zone.size(); ++i) {
            const std::string place = field + "[" + std::to_string(i) + "]";
            if (!in_hand || !zone[i].face_down) all_.push_back(card_from(zone[i], place));
        }
    }

    RunState& run_;
    std::vector<Card> all_;
};

// Any unseen card that could lie there; determinize mixes them afterwards.
CardIndex take_unseen(RunState& run, std::vector<CardIndex>& unseen, const PublicCard& back, const Clues& clues) {
    const auto fits = [&](CardIndex index) {
        const Card& card = run.cards[index];
        return back.is_face == clues.is_face(card) && back.is_taken == clues.is_taken(card);
    };
    const auto found = std::find_if(unseen.begin(), unseen.end(), fits);
    if (found == unseen.end()) refuse("unseen", "no card is left for one that lies face down in the hand");
    const CardIndex index = *found;
    unseen.erase(found);
    run.cards[index].face_down = true;
    run.cards[index].forced = back.forced;
    return index;
}

void lay_cards(const PublicState& state, RunState& run) {
    check_room(run.hand, state.hand, "hand");
    check_room(run.played, state.played, "played");
    const Cards cards(state, run);
    const Clues clues(run);
    std::vector<CardIndex> unseen;
    for (const PublicCard& card : state.unseen) unseen.push_back(cards.place_of(card));
    for (const PublicCard& card : state.hand) {
        run.hand.push_back(card.face_down ? take_unseen(run, unseen, card, clues) : cards.place_of(card));
    }
    for (const PublicCard& card : state.played) run.played.push_back(cards.place_of(card));
    for (const PublicCard& card : state.discarded) run.discard_pile.push_back(cards.place_of(card));
    for (CardIndex index : unseen) run.deck_pile.push_back(index);
}

// --- Jokers and consumables ----------------------------------------------------------------------------------------

Joker joker_from(const PublicJoker& seen, const char* field) {
    if (!seen.key) refuse(field, "the key of a joker that is known is needed");
    return {.x_mult = seen.x_mult,
            .count = seen.count,
            .sell_bonus = seen.sell_bonus,
            .id = seen.id,
            .key = *seen.key,
            .edition = seen.edition.value_or(Edition::base),
            .stickers = {seen.eternal, seen.perishable, seen.rental},
            .perish_left = seen.perish_left,
            .debuffed = seen.debuffed,
            .debuffed_by_blind = seen.debuffed_by_blind,
            .face_down = seen.face_down,
            .pinned = seen.pinned};
}

// Any hidden joker that could lie there; determinize mixes them afterwards.
Joker take_hidden(std::vector<PublicJoker>& hidden, const PublicJoker& back) {
    const auto fits = [&](const PublicJoker& j) { return j.eternal == back.eternal && j.pinned == back.pinned; };
    const auto found = std::find_if(hidden.begin(), hidden.end(), fits);
    if (found == hidden.end()) refuse("hidden_jokers", "there are fewer than jokers that lie face down");
    Joker joker = joker_from(*found, "hidden_jokers");
    hidden.erase(found);
    joker.face_down = true;
    return joker;
}

void lay_jokers(const PublicState& state, RunState& run) {
    check_room(run.jokers, state.jokers, "jokers");
    check_room(run.consumables, state.consumables, "consumables");
    std::vector<PublicJoker> hidden = state.hidden_jokers;
    for (const PublicJoker& joker : state.jokers) {
        run.jokers.push_back(joker.face_down ? take_hidden(hidden, joker) : joker_from(joker, "jokers"));
    }
    if (!hidden.empty()) refuse("hidden_jokers", "there are more than jokers that lie face down");
    for (const PublicConsumable& c : state.consumables) {
        run.consumables.push_back({c.sell_bonus, c.id, c.key, c.edition.value_or(Edition::base)});
    }
}

// --- Shop and pack -------------------------------------------------------------------------------------------------

Offer offer_from(const PublicOffer& seen, const char* field) {
    const int kinds = int{seen.joker.has_value()} + int{seen.consumable.has_value()} + int{seen.card.has_value()};
    if (kinds != 1) refuse(field, "an offer has either a joker, a consumable or a card");
    Offer offer = seen.joker        ? Offer::of(*seen.joker)
                  : seen.consumable ? Offer::of(*seen.consumable)
                                    : Offer::of(card_from(*seen.card, field));
    offer.id = offer.card.id = seen.id;
    offer.edition = seen.edition.value_or(Edition::base);
    offer.stickers = {seen.eternal, seen.perishable, seen.rental};
    return offer;
}

void lay_shop(const PublicState& state, RunState& run) {
    check_room(run.shop, state.shop, "shop");
    check_room(run.shop_vouchers, state.shop_vouchers, "shop_vouchers");
    check_room(run.shop_boosters, state.shop_boosters, "shop_boosters");
    for (const PublicOffer& offer : state.shop) run.shop.push_back({offer_from(offer, "shop"), offer.free});
    for (const PublicVoucherOffer& v : state.shop_vouchers) run.shop_vouchers.push_back({v.key, v.free, v.from_tag});
    for (const PublicBooster& b : state.shop_boosters) run.shop_boosters.push_back({b.key, b.free});
    run.first_booster_made = state.shop_seen;
    if (!state.pack) return;
    check_room(run.pack.cards, state.pack->cards, "pack.cards");
    run.pack.key = state.pack->key;
    run.pack.picks_left = state.pack->picks_left;
    run.pack.opened_from = state.pack->opened_from;
    for (const PublicOffer& offer : state.pack->cards) run.pack.cards.push_back(offer_from(offer, "pack.cards"));
}

// --- Numbers -------------------------------------------------------------------------------------------------------

HeldTag tag_from(const PublicTag& tag) { return {tag.key, tag.hand.value_or(HandType{})}; }

void set_run(const PublicState& state, RunState& run) {
    run.deck = state.deck;
    run.stake = state.stake;
    run.challenge = state.challenge;
    run.phase = state.phase;
    run.end = state.end;
    run.won = state.won;
    run.ante = state.ante;
    run.round = state.round;
    run.dollars = state.dollars;
    run.reroll_increase = state.reroll_increase;
    run.reroll_cut = state.reroll_cut;
    run.free_rerolls = state.free_rerolls;
    run.rerolls_start_free = state.rerolls_start_free;
    run.inflation = state.inflation;
    run.payout = state.payout;
}

void set_round(const PublicState& state, RunState& run) {
    run.chips = state.chips;
    run.hands_left = state.hands_left;
    run.discards_left = state.discards_left;
    run.hands_played = state.hands_played;
    run.discards_used = state.discards_used;
    run.hands_per_round = state.hands_per_round;
    run.discards_per_round = state.discards_per_round;
    run.hand_size = state.hand_size;
    run.hand_size_bonus = state.hand_size_bonus;
    run.sorts_by_suit = state.sorts_by_suit;
    run.blind = state.blind;
    run.last = state.last_hand;
    run.joker_slots = state.joker_slots;
    run.consumable_slots = state.consumable_slots;
    run.shop_slots = state.shop_slots;
}

void set_ante(const PublicState& state, RunState& run) {
    run.on_deck = state.on_deck;
    run.boss = state.boss;
    run.boss_rerolled = state.boss_rerolled;
    run.most_played = state.most_played;
    run.voucher = state.voucher;
    if (state.skip_tags.size() != run.skip_tags.size()) refuse("skip_tags", "two are needed");
    std::transform(state.skip_tags.begin(), state.skip_tags.end(), run.skip_tags.begin(), tag_from);
}

void set_targets(const PublicTargets& seen, Targets& targets) {
    targets.ancient_drawn = true;  // at the start of every run
    if (seen.idol_rank) targets.idol_rank = *seen.idol_rank;
    if (seen.idol_suit) targets.idol_suit = *seen.idol_suit;
    if (seen.mail_rank) targets.mail_rank = *seen.mail_rank;
    if (seen.ancient_suit) targets.ancient_suit = *seen.ancient_suit;
    if (seen.castle_suit) targets.castle_suit = *seen.castle_suit;
}

void set_memory(const PublicState& state, RunState& run) {
    check_room(run.tags, state.tags, "tags");
    for (const PublicTag& tag : state.tags) run.tags.push_back(tag_from(tag));
    for (VoucherId voucher : state.vouchers) run.vouchers.add(voucher);
    if (state.hands.size() != run.hands.size()) refuse("hands", "all twelve poker hands are needed");
    for (const PublicHand& hand : state.hands) run.stats(hand.hand) = {hand.level, hand.played, hand.played_this_round};
    run.run_hands = state.run_hands;
    run.unused_discards = state.unused_discards;
    run.skips = state.skips;
    run.tarots_used = state.tarots_used;
    for (ConsumableId planet : state.used_planets) run.used_planets.add(planet);
    run.last_used = state.last_used;
    run.ectoplasms = state.ectoplasms;
    run.gros_michel_extinct = state.gros_michel_extinct;
    for (const PublicBossUse& use : state.boss_uses) run.boss_uses[static_cast<std::size_t>(use.key)] = use.times;
    run.next_id = state.next_id;
}

}  // namespace

RunState imagine(const PublicState& state, std::uint64_t nonce) {
    RunState run;
    set_run(state, run);
    set_round(state, run);
    set_ante(state, run);
    set_memory(state, run);
    set_targets(state.targets, run.targets);
    lay_jokers(state, run);
    lay_shop(state, run);
    lay_cards(state, run);  // last: whether a card is a face depends on the jokers
    return determinize(run, nonce);
}

}  // namespace jimbo
