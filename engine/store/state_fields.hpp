// The one list of a run's fields. Writing, reading, the schema's documentation and its hash all walk through it, so
// that they cannot disagree. A visitor offers:
//   value(name, reference, meaning)      a number, truth value, catalogue item, suit, rank, phase... or an optional one
//   group(name, meaning, inner)          an object of fields
//   derived(name, value, meaning)        written for readers of the state_v1 schema, never read
//   list(name, FixedVector&, meaning, inner(item))
//   array(name, std::array&, meaning, names, inner(item))   an object with one member for each name
#pragma once

#include "rules/hand_levels.hpp"
#include "state/run_state.hpp"
#include "store/enum_text.hpp"

namespace jimbo {

template <typename Visitor>
void visit_joker(Visitor& v, Joker& joker) {
    v.value("joker_id", joker.key, "key of the joker");
    v.derived("counters", Counters{joker.count, joker.x_mult}, "count and x_mult, again");
    v.value("uid", joker.id, "creation order");
    v.value("edition", joker.edition, "edition key");
    v.value("eternal", joker.stickers.eternal, "cannot be sold or destroyed");
    v.value("perishable", joker.stickers.perishable, "debuffed for good after its last round");
    v.value("rental", joker.stickers.rental, "costs $3 a round");
    v.value("perish_left", joker.perish_left, "rounds left of a perishable joker");
    v.value("count", joker.count, "its growing whole number (chips, mult, dollars, rounds...)");
    v.value("x_mult", joker.x_mult, "its growing multiplier");
    v.value("sell_bonus", joker.sell_bonus, "dollars added to its sell value");
    v.value("disabled", joker.debuffed, "debuffed, for whatever reason");
    v.value("debuffed_by_blind", joker.debuffed_by_blind, "debuffed by Crimson Heart");
    v.value("face_down", joker.face_down, "flipped by Amber Acorn");
    v.value("pinned", joker.pinned, "a challenge keeps it leftmost");
}

template <typename Visitor>
void visit_consumable(Visitor& v, Consumable& consumable) {
    v.value("key", consumable.key, "key of the consumable");
    v.value("uid", consumable.id, "creation order");
    v.value("edition", consumable.edition, "edition key");
    v.value("sell_bonus", consumable.sell_bonus, "dollars added to its sell value");
}

template <typename Visitor>
void visit_tag(Visitor& v, HeldTag& tag) {
    v.value("key", tag.key, "key of the tag");
    v.value("orbital_hand", tag.orbital_hand, "the hand an Orbital Tag raises");
}

template <typename Visitor>
void visit_offer(Visitor& v, Offer& offer) {
    v.value("kind", offer.kind, "joker, consumable or playing_card");
    v.value("joker", offer.joker, "key, of a joker");
    v.value("consumable", offer.consumable, "key, of a consumable");
    v.value("edition", offer.edition, "edition key, of a joker or consumable");
    v.value("eternal", offer.stickers.eternal, "sticker, of a joker");
    v.value("perishable", offer.stickers.perishable, "sticker, of a joker");
    v.value("rental", offer.stickers.rental, "sticker, of a joker");
    v.value("card", offer.card, "the playing card");
    v.value("uid", offer.id, "creation order, of a joker or consumable");
}

template <typename Visitor>
void visit_blind(Visitor& v, BlindInPlay& blind) {
    v.value("key", blind.key, "the blind last selected");
    v.value("active", blind.active, "it is being played");
    v.value("disabled", blind.disabled, "its ability has been ended");
    v.value("triggered", blind.triggered, "its ability acted on the last hand");
    v.value("flip_next_draw", blind.flip_next_draw, "The Fish: the next cards come face down");
    v.value("taken", blind.taken, "hands or discards it took away");
    v.value("reward", blind.reward, "dollars for beating it");
    v.value("target", blind.target, "score to reach");
    v.value("only_hand", blind.only_hand, "The Mouth: the hand it allows");
}

template <typename Visitor>
void visit_round(Visitor& v, RunState& run) {
    v.value("ante", run.ante, "present ante");
    v.value("round_num", run.round, "blinds started so far");
    v.value("hands_left", run.hands_left, "in this round");
    v.value("discards_left", run.discards_left, "in this round");
    v.value("hands_played", run.hands_played, "in this round");
    v.value("discards_used", run.discards_used, "in this round");
    v.value("hands_per_round", run.hands_per_round, "hands that a round starts with");
    v.value("discards_per_round", run.discards_per_round, "discards that a round starts with");
    v.value("hand_size", run.hand_size, "cards the hand holds");
    v.value("sorts_by_suit", run.sorts_by_suit, "the hand is kept sorted by suit, not by rank");
    v.value("hand_size_bonus", run.hand_size_bonus, "part of hand_size that ends with the round (Juggle Tag)");
    v.value("joker_slots", run.joker_slots, "without those that Negative jokers bring");
    v.value("consumable_slots", run.consumable_slots, "without those that Negative consumables bring");
    v.value("shop_slots", run.shop_slots, "cards on sale in a shop");
    v.value("on_deck", run.on_deck, "the blind that comes next or is being played");
    v.value("boss", run.boss, "boss of this ante");
    v.value("boss_rerolled", run.boss_rerolled, "the ante's paid reroll is spent");
    v.group("blind", "the blind last selected", [&] { visit_blind(v, run.blind); });
    v.array("skip_tags", run.skip_tags, "tags for skipping", std::array<std::string_view, 2>{"small", "big"},
            [&](HeldTag& tag) { visit_tag(v, tag); });
    v.value("voucher", run.voucher, "voucher of this ante; null once redeemed");
    v.value("most_played", run.most_played, "the hand The Ox punishes");
}

template <typename Visitor>
void visit_score(Visitor& v, RunState& run) {
    v.value("chips", run.chips, "scored in this round");
    v.derived("mult", run.last.mult, "last_mult, again");
    v.derived("target_chips", run.blind.target, "round.blind.target, again");
    v.derived("last_hand_type", run.last.hand, "last_hand, again");
    v.derived("last_base_chips", hand_base(run, run.last.hand).chips, "chips of the last hand at its level");
    v.derived("last_base_mult", hand_base(run, run.last.hand).mult, "mult of the last hand at its level");
    v.value("last_hand", run.last.hand, "hand last played");
    v.value("last_any", run.last.any, "a hand has been played in this run");
    v.value("last_blocked", run.last.blocked, "the boss made it score nothing");
    v.value("last_chips", run.last.chips, "its chips before multiplication");
    v.value("last_mult", run.last.mult, "its mult");
    v.value("last_score", run.last.score, "what it scored");
}

template <typename Visitor>
void visit_economy(Visitor& v, RunState& run) {
    v.value("money", run.dollars, "dollars");
    v.value("reroll_increase", run.reroll_increase, "dollars that paid rerolls added");
    v.value("reroll_cut", run.reroll_cut, "dollars off the next reroll alone");
    v.value("free_rerolls", run.free_rerolls, "left in this shop");
    v.value("rerolls_start_free", run.rerolls_start_free, "D6 Tag acts on this shop");
    v.value("inflation", run.inflation, "dollars that purchases added to every price (a challenge)");
    v.group("payout", "last cash-out sheet", [&] {
        v.value("blind", run.payout.blind, "reward");
        v.value("hands", run.payout.hands, "for hands left");
        v.value("discards", run.payout.discards, "for discards left");
        v.value("jokers", run.payout.jokers, "from jokers");
        v.value("interest", run.payout.interest, "on money held");
        v.value("tags", run.payout.tags, "from Investment Tags");
    });
}

template <typename Visitor>
void visit_shop(Visitor& v, RunState& run) {
    v.list("cards", run.shop, "cards on sale", [&](ShopCard& card) {
        v.group("offer", "the card", [&] { visit_offer(v, card.offer); });
        v.value("free", card.free, "costs nothing, by a tag or coupon");
    });
    v.list("vouchers", run.shop_vouchers, "vouchers on sale", [&](ShopVoucher& voucher) {
        v.value("key", voucher.key, "key of the voucher");
        v.value("free", voucher.free, "costs nothing");
        v.value("from_tag", voucher.from_tag, "a Voucher Tag put it there");
    });
    v.list("boosters", run.shop_boosters, "packs on sale", [&](ShopBooster& booster) {
        v.value("key", booster.key, "key of the pack");
        v.value("free", booster.free, "costs nothing, by a coupon");
    });
    v.value("first_booster_made", run.first_booster_made, "the run's first pack has been on sale");
}

template <typename Visitor>
void visit_pack(Visitor& v, OpenPack& pack) {
    v.value("key", pack.key, "key of the open pack");
    v.value("picks_left", pack.picks_left, "cards that may still be taken; 0 when none is open");
    v.value("opened_from", pack.opened_from, "phase to go back to");
    v.list("cards", pack.cards, "cards left in it", [&](Offer& offer) { visit_offer(v, offer); });
}

template <typename Visitor>
void visit_targets(Visitor& v, Targets& targets) {
    v.value("idol_rank", targets.idol_rank, "The Idol");
    v.value("idol_suit", targets.idol_suit, "The Idol");
    v.value("mail_rank", targets.mail_rank, "Mail-In Rebate");
    v.value("ancient_suit", targets.ancient_suit, "Ancient Joker");
    v.value("ancient_drawn", targets.ancient_drawn, "its suit has been drawn once");
    v.value("castle_suit", targets.castle_suit, "Castle");
}

template <typename Visitor>
void visit_memory(Visitor& v, RunState& run) {
    v.value("hands_played", run.run_hands, "in the whole run");
    v.value("unused_discards", run.unused_discards, "in the whole run (Garbage Tag)");
    v.value("skips", run.skips, "blinds skipped");
    v.value("tarots_used", run.tarots_used, "in the whole run (Fortune Teller)");
    v.value("used_planets", run.used_planets, "different planets used (Satellite)");
    v.value("last_used", run.last_used, "last tarot or planet used (The Fool)");
    v.value("ectoplasms", run.ectoplasms, "Ectoplasms used");
    v.value("gros_michel_extinct", run.gros_michel_extinct, "Gros Michel has destroyed itself");
    v.value("boss_uses", run.boss_uses, "how often each blind was drawn as boss");
    v.value("next_id", run.next_id, "uid of whatever is created next");
}

template <typename Visitor>
void visit_run(Visitor& v, RunState& run) {
    v.value("deck", run.deck, "key of the deck");
    v.value("stake", run.stake, "key of the stake");
    v.value("challenge", run.challenge, "key of the challenge, or null");
    v.value("phase", run.phase, "what the player decides next");
    v.group("flags", "how the run stands", [&] {
        v.value("end", run.end, "none, lost, or no_room (a capacity was exceeded)");
        v.value("won", run.won, "the boss of ante 8 has been beaten");
        v.derived("done", run.phase == Phase::game_over, "the run is over");
    });
    v.group("round", "antes and rounds", [&] { visit_round(v, run); });
    v.group("score", "scoring", [&] { visit_score(v, run); });
    v.group("economy", "money", [&] { visit_economy(v, run); });
    v.group("zones", "playing cards, by where they lie", [&] {
        v.zone("deck", run.deck_pile, "draw pile; the last is drawn next");
        v.zone("hand", run.hand, "left to right");
        v.zone("played", run.played, "while a hand is being scored");
        v.zone("discard", run.discard_pile, "discard pile");
    });
    v.list("jokers", run.jokers, "left to right", [&](Joker& joker) { visit_joker(v, joker); });
    v.list("consumables", run.consumables, "left to right", [&](Consumable& c) { visit_consumable(v, c); });
    v.group("shop", "what is on sale", [&] { visit_shop(v, run); });
    v.group("pack", "an open pack", [&] { visit_pack(v, run.pack); });
    v.list("tags", run.tags, "held tags, oldest first", [&](HeldTag& tag) { visit_tag(v, tag); });
    v.value("vouchers", run.vouchers, "vouchers owned");
    v.array("hands", run.hands, "poker hands", hand_names(), [&](HandStats& stats) {
        v.value("level", stats.level, "level");
        v.value("played", stats.played, "times played in the run");
        v.value("played_this_round", stats.played_this_round, "times played in this round");
    });
    v.group("targets", "what some jokers look for", [&] { visit_targets(v, run.targets); });
    v.group("memory", "what the run remembers", [&] { visit_memory(v, run); });
    v.streams("rng", run.streams, "seed and the state of every random stream in reach");
}

}  // namespace jimbo
