#include "view/public_state.hpp"

#include <algorithm>
#include <array>

#include "play/determinize.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/prices.hpp"
#include "rules/queries.hpp"
#include "rules/targets.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

template <typename Enum>
std::optional<Enum> unless(Enum value, Enum nothing) {
    if (value == nothing) return std::nullopt;
    return value;
}

// --- Cards ---------------------------------------------------------------------------------------------------------

PublicCard card_of(const Card& card) {
    return {.id = card.id,
            .rank = card.rank,
            .suit = card.suit,
            .enhancement = unless<Enhancement>(card.enhancement, Enhancement::none),
            .edition = unless<Edition>(card.edition, Edition::base),
            .seal = unless<Seal>(card.seal, Seal::none),
            .bonus = card.bonus,
            .debuffed = card.debuffed,
            .face_down = card.face_down,
            .forced = card.forced,
            .played_this_ante = card.played_this_ante,
            .worn = card.worn,
            .created_suit = unless<Suit>(card.created_suit, card.suit)};
}

// What is known of a card that could be any of those not seen.
PublicCard unseen_card(const Card& card) {
    PublicCard unseen = card_of(card);
    unseen.face_down = unseen.forced = false;
    return unseen;
}

PublicCard back_of(const Card& card, const Clues& clues) {
    return {.face_down = true, .forced = card.forced, .is_face = clues.is_face(card), .is_taken = clues.is_taken(card)};
}

void show_cards(const RunState& run, PublicState& out) {
    const Clues clues(run);
    std::array<bool, max_cards> unseen{};
    for (CardIndex index : run.deck_pile) unseen[index] = true;
    out.hand.reserve(static_cast<std::size_t>(run.hand.size()));
    for (CardIndex index : run.hand) {
        const Card& card = run.cards[index];
        unseen[index] = card.face_down;
        out.hand.push_back(card.face_down ? back_of(card, clues) : card_of(card));
    }
    for (CardIndex index : run.played) out.played.push_back(card_of(run.cards[index]));
    out.discarded.reserve(static_cast<std::size_t>(run.discard_pile.size()));
    for (CardIndex index : run.discard_pile) out.discarded.push_back(card_of(run.cards[index]));
    out.unseen.reserve(static_cast<std::size_t>(run.cards.size() - run.discard_pile.size()));
    for (int i = 0; i < run.cards.size(); ++i) {
        if (unseen[static_cast<std::size_t>(i)]) out.unseen.push_back(unseen_card(run.cards[i]));
    }
    out.draw_pile = run.deck_pile.size();
}

// --- Jokers and consumables ----------------------------------------------------------------------------------------

PublicJoker joker_of(const RunState& run, const Joker& joker) {
    return {.id = joker.id,
            .key = joker.key,
            .name = fact(joker.key).name,
            .edition = unless(joker.edition, Edition::base),
            .eternal = joker.stickers.eternal,
            .perishable = joker.stickers.perishable,
            .rental = joker.stickers.rental,
            .perish_left = joker.perish_left,
            .count = joker.count,
            .x_mult = joker.x_mult,
            .sell_bonus = joker.sell_bonus,
            .sell_value = sell_value(run, joker),
            .debuffed = joker.debuffed,
            .debuffed_by_blind = joker.debuffed_by_blind,
            .face_down = joker.face_down,
            .pinned = joker.pinned};
}

PublicShown part_of(const ShownPart& part) {
    PublicShown shown{.kind = part.kind, .number = part.number, .of = part.of};
    const bool card = part.kind == ShownKind::card;
    if (part.kind == ShownKind::poker_hand) shown.hand = part.hand;
    if (card || part.kind == ShownKind::rank) shown.rank = part.rank;
    if (card || part.kind == ShownKind::suit) shown.suit = part.suit;
    if (part.copied >= 0) shown.copied = part.copied;
    return shown;
}

PublicJoker shown_joker(const RunState& run, const Joker& joker) {
    PublicJoker shown = joker_of(run, joker);
    for (const ShownPart& part : joker_shown(run, joker)) shown.shown.push_back(part_of(part));
    return shown;
}

void show_jokers(const RunState& run, PublicState& out) {
    out.jokers.reserve(static_cast<std::size_t>(run.jokers.size()));
    for (const Joker& joker : run.jokers) {
        if (joker.face_down) {
            out.jokers.push_back({.eternal = joker.stickers.eternal, .face_down = true, .pinned = joker.pinned});
            out.hidden_jokers.push_back(joker_of(run, joker));
            continue;
        }
        out.jokers.push_back(shown_joker(run, joker));
    }
    std::sort(out.hidden_jokers.begin(), out.hidden_jokers.end(),
              [](const PublicJoker& a, const PublicJoker& b) { return a.id < b.id; });
}

void show_consumables(const RunState& run, PublicState& out) {
    out.consumables.reserve(static_cast<std::size_t>(run.consumables.size()));
    for (const Consumable& c : run.consumables) {
        out.consumables.push_back({.id = c.id,
                                   .key = c.key,
                                   .name = fact(c.key).name,
                                   .edition = unless(c.edition, Edition::base),
                                   .sell_bonus = c.sell_bonus,
                                   .sell_value = sell_value(run, c)});
    }
}

// --- Shop and pack -------------------------------------------------------------------------------------------------

PublicOffer offer_of(const Offer& offer) {
    PublicOffer shown{.kind = offer.kind, .id = offer.id};
    if (offer.kind == OfferKind::playing_card) {
        shown.card = card_of(offer.card);
        return shown;
    }
    shown.edition = unless(offer.edition, Edition::base);
    shown.eternal = offer.stickers.eternal;
    shown.perishable = offer.stickers.perishable;
    shown.rental = offer.stickers.rental;
    if (offer.kind == OfferKind::joker) {
        shown.joker = offer.joker;
        shown.name = fact(offer.joker).name;
    } else {
        shown.consumable = offer.consumable;
        shown.name = fact(offer.consumable).name;
    }
    return shown;
}

void show_shop(const RunState& run, PublicState& out) {
    for (const ShopCard& card : run.shop) {
        PublicOffer& shown = out.shop.emplace_back(offer_of(card.offer));
        shown.free = card.free;
        shown.price = price_of(run, card);
    }
    for (const ShopVoucher& v : run.shop_vouchers) {
        out.shop_vouchers.push_back({v.key, fact(v.key).name, v.free, v.from_tag, price_of(run, v)});
    }
    for (const ShopBooster& b : run.shop_boosters) {
        out.shop_boosters.push_back({b.key, fact(b.key).name, b.free, price_of(run, b)});
    }
    out.shop_seen = run.first_booster_made;
    if (run.phase != Phase::pack_opening) return;
    const OpenPack& pack = run.pack;
    out.pack = PublicPack{pack.key, fact(pack.key).name, pack.picks_left, pack.opened_from, {}};
    for (const Offer& offer : pack.cards) out.pack->cards.push_back(offer_of(offer));
}

// --- The ante ------------------------------------------------------------------------------------------------------

PublicTag tag_of(const HeldTag& tag) {
    PublicTag shown{.key = tag.key, .name = fact(tag.key).name};
    if (tag.key == TagId::orbital) shown.hand = tag.orbital_hand;
    return shown;
}

void show_ante(const RunState& run, PublicState& out) {
    out.on_deck = run.on_deck;
    out.boss = run.boss;
    out.boss_rerolled = run.boss_rerolled;
    out.most_played = run.most_played;
    // The first one is drawn at once but seen only when the first shop opens.
    if (run.first_booster_made) out.voucher = run.voucher;
    out.skip_tags.reserve(static_cast<std::size_t>(run.skip_tags.size()));
    for (const HeldTag& tag : run.skip_tags) out.skip_tags.push_back(tag_of(tag));
    constexpr std::array slots{BlindSlot::small, BlindSlot::big, BlindSlot::boss};
    out.blinds.reserve(slots.size());
    for (BlindSlot slot : slots) {
        const BlindId key = blind_in(run, slot);
        out.blinds.push_back({.slot = slot,
                              .key = key,
                              .name = fact(key).name,
                              .target = target_score(run, key),
                              .reward = blind_reward(run, key),
                              .progress = slot < run.on_deck    ? BlindProgress::done
                                          : slot == run.on_deck ? BlindProgress::now
                                                                : BlindProgress::later});
        if (slot != BlindSlot::boss) out.blinds.back().tag = out.skip_tags[static_cast<std::size_t>(slot)];
    }
}

void show_poker_hands(const RunState& run, PublicState& out) {
    out.hands.reserve(hand_type_count);
    for (const HandFact& hand : hand_facts) {
        const HandStats& stats = run.stats(hand.id);
        const HandBase base = hand_base(run, hand.id);
        out.hands.push_back({hand.id, stats.level, stats.played, stats.played_this_round, base.chips, base.mult,
                             is_visible(run, hand.id)});
    }
}

// --- Numbers -------------------------------------------------------------------------------------------------------

void show_money(const RunState& run, PublicState& out) {
    out.dollars = run.dollars;
    out.spendable = spendable(run);
    out.reroll_price = reroll_price(run);
    out.reroll_increase = run.reroll_increase;
    out.reroll_cut = run.reroll_cut;
    out.free_rerolls = run.free_rerolls;
    out.rerolls_start_free = run.rerolls_start_free;
    out.inflation = run.inflation;
    out.payout = run.payout;
}

void show_round(const RunState& run, PublicState& out) {
    out.chips = run.chips;
    out.hands_left = run.hands_left;
    out.discards_left = run.discards_left;
    out.hands_played = run.hands_played;
    out.discards_used = run.discards_used;
    out.hands_per_round = run.hands_per_round;
    out.discards_per_round = run.discards_per_round;
    out.hand_size = run.hand_size;
    out.hand_size_bonus = run.hand_size_bonus;
    out.hand_limit = hand_limit(run);
    out.sorts_by_suit = run.sorts_by_suit;
    out.blind = run.blind;
    out.last_hand = run.last;
    out.joker_slots = run.joker_slots;
    out.joker_room = joker_room(run);
    out.consumable_slots = run.consumable_slots;
    out.consumable_room = consumable_room(run);
    out.shop_slots = run.shop_slots;
}

void show_targets(const RunState& run, PublicState& out) {
    const SeenTargets seen = targets_in_sight(run);
    if (seen.idol) {
        out.targets.idol_rank = run.targets.idol_rank;
        out.targets.idol_suit = run.targets.idol_suit;
    }
    if (seen.mail) out.targets.mail_rank = run.targets.mail_rank;
    if (seen.ancient) out.targets.ancient_suit = run.targets.ancient_suit;
    if (seen.castle) out.targets.castle_suit = run.targets.castle_suit;
}

void show_memory(const RunState& run, PublicState& out) {
    out.run_hands = run.run_hands;
    out.unused_discards = run.unused_discards;
    out.skips = run.skips;
    out.tarots_used = run.tarots_used;
    for (const ConsumableFact& c : consumable_facts) {
        if (run.used_planets.has(c.id)) out.used_planets.push_back(c.id);
    }
    out.last_used = run.last_used;
    out.ectoplasms = run.ectoplasms;
    out.gros_michel_extinct = run.gros_michel_extinct;
    for (const BlindFact& blind : blind_facts) {
        const std::uint8_t times = run.boss_uses[static_cast<std::size_t>(blind.id)];
        if (times != 0) out.boss_uses.push_back({blind.id, times});
    }
    out.next_id = run.next_id;
}

}  // namespace

PublicJoker joker_on_offer(const RunState& run, const Offer& offer) {
    // Gaining it may decide what it asks for. Its numbers are those of the run without it.
    RunState with = run;
    if (with.jokers.full()) with.jokers.pop_back();
    Turn turn{with};
    return shown_joker(run, add_joker(turn, offer));
}

PublicState public_state(const RunState& run) {
    PublicState out{.deck = run.deck,
                    .stake = run.stake,
                    .challenge = run.challenge,
                    .phase = run.phase,
                    .end = run.end,
                    .won = run.won,
                    .ante = run.ante,
                    .round = run.round};
    show_money(run, out);
    show_round(run, out);
    show_ante(run, out);
    show_cards(run, out);
    show_jokers(run, out);
    show_consumables(run, out);
    for (const HeldTag& tag : run.tags) out.tags.push_back(tag_of(tag));
    for (const VoucherFact& voucher : voucher_facts) {
        if (run.has(voucher.id)) out.vouchers.push_back(voucher.id);
    }
    show_poker_hands(run, out);
    show_shop(run, out);
    show_targets(run, out);
    show_memory(run, out);
    return out;
}

namespace {

template <typename Zone>
std::vector<PublicCard> open_cards(const RunState& run, const Zone& zone) {
    std::vector<PublicCard> cards;
    cards.reserve(zone.size());
    for (CardIndex index : zone) cards.push_back(card_of(run.cards[index]));
    return cards;
}

}  // namespace

std::vector<PublicCard> open_hand(const RunState& run) { return open_cards(run, run.hand); }
std::vector<PublicCard> open_draw_pile(const RunState& run) { return open_cards(run, run.deck_pile); }

}  // namespace jimbo
