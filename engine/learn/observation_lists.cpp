#include <bit>
#include <limits>

#include "base/symlog.hpp"
#include "learn/observation_parts.hpp"
#include "rules/effects.hpp"
#include "rules/hand_levels.hpp"
#include "rules/prices.hpp"

namespace jimbo::observing {

void write_poker_hands(const RunState& run, Observation& out) {
    for (std::size_t h = 0; h < hand_type_count; ++h) {
        const HandStats& stats = run.hands[h];
        out.poker_played[h] = cut(stats.played);
        out.poker_played_round[h] = byte(stats.played_this_round);
        const std::int16_t level = cut(stats.level);
        if (out.poker_level[h] == level && level != std::numeric_limits<std::int16_t>::max()) continue;
        const HandBase base = hand_base(static_cast<HandType>(h), stats.level);
        out.poker_level[h] = level;
        out.poker_chips_log[h] = symlog(base.chips);
        out.poker_mult_log[h] = symlog(base.mult);
    }
}

void write_hand(const RunState& run, std::uint64_t selected, Observation& out) {
    for (int n = 0; n < run.hand.size(); ++n) {
        const auto i = static_cast<std::size_t>(n);
        const Card& card = run.hand_card(n);
        const bool hidden = card.face_down;
        const Face face = hidden ? Face{} : face_of(card);
        out.hand_rank[i] = face.rank;
        out.hand_suit[i] = face.suit;
        out.hand_enhancement[i] = hidden ? std::uint8_t{0} : plain_id(card.enhancement);
        out.hand_edition[i] = hidden ? std::uint8_t{0} : plain_id(card.edition);
        out.hand_seal[i] = hidden ? std::uint8_t{0} : plain_id(card.seal);
        out.hand_debuffed[i] = !hidden && card.debuffed;
        out.hand_forced[i] = card.forced;
        out.hand_face_down[i] = hidden;
        out.selected[i] = (selected >> i) & 1;
        out.hand_bonus[i] = hidden ? cut(0) : cut(card.bonus);
    }
    set_length(out.n_hand, run.hand.size(), out.hand_rank, out.hand_suit, out.hand_enhancement, out.hand_edition,
               out.hand_seal, out.hand_debuffed, out.hand_forced, out.hand_face_down, out.selected, out.hand_bonus);
}

namespace {

void write_joker(const RunState& run, const Joker& joker, std::size_t i, Observation& out) {
    if (joker.face_down) {
        out.joker_id[i] = out.joker_edition[i] = out.joker_perish_left[i] = 0;
        out.joker_flags[i] = {0, 0, 0, 0, 0, 1};
        out.joker_sell[i] = 0;
        out.joker_counter_log[i] = out.joker_x_mult_log[i] = 0.0F;
        return;
    }
    const Stickers& s = joker.stickers;
    out.joker_id[i] = id_of(joker.key);
    out.joker_edition[i] = plain_id(joker.edition);
    out.joker_flags[i] = {s.eternal, s.perishable, s.rental, joker.debuffed, joker.pinned, 0};
    out.joker_perish_left[i] = s.perishable ? joker.perish_left : std::uint8_t{0};
    out.joker_sell[i] = cut(sell_value(run, joker));
    out.joker_counter_log[i] = symlog(joker.count);
    out.joker_x_mult_log[i] = symlog(joker.x_mult - 1.0);
}

}  // namespace

void write_jokers(const RunState& run, Observation& out) {
    std::array<std::uint8_t, max_jokers> hidden{};
    int n_hidden = 0;
    for (int i = 0; i < run.jokers.size(); ++i) {
        write_joker(run, run.jokers[i], static_cast<std::size_t>(i), out);
        if (run.jokers[i].face_down) hidden[static_cast<std::size_t>(n_hidden++)] = id_of(run.jokers[i].key);
    }
    set_length(out.n_jokers, run.jokers.size(), out.joker_id, out.joker_edition, out.joker_flags, out.joker_perish_left,
               out.joker_sell, out.joker_counter_log, out.joker_x_mult_log);
    if (n_hidden == 0 && out.hidden_joker[0] == 0) return;
    std::sort(hidden.begin(), hidden.begin() + n_hidden);
    out.hidden_joker = hidden;
}

void write_consumables(const RunState& run, Observation& out) {
    for (int n = 0; n < run.consumables.size(); ++n) {
        const auto i = static_cast<std::size_t>(n);
        out.consumable_id[i] = id_of(run.consumables[n].key);
        out.consumable_edition[i] = plain_id(run.consumables[n].edition);
        out.consumable_sell[i] = cut(sell_value(run, run.consumables[n]));
    }
    set_length(out.n_consumables, run.consumables.size(), out.consumable_id, out.consumable_edition,
               out.consumable_sell);
}

namespace {

// Bits to bytes, eight at a time.
void write_flags(std::uint64_t bits, std::array<std::uint8_t, voucher_count>& flags) {
    static_assert(voucher_count % 8 == 0 && voucher_count <= 64);
    for (std::size_t i = 0; i < voucher_count; i += 8) {
        const std::uint64_t spread = ((bits >> i) & 0xFF) * 0x0101010101010101ULL & 0x8040201008040201ULL;
        const std::uint64_t bytes = ((spread + 0x7F7F7F7F7F7F7F7FULL) >> 7) & 0x0101010101010101ULL;
        for (std::size_t k = 0; k < 8; ++k) flags[i + k] = static_cast<std::uint8_t>(bytes >> (8 * k));
    }
}

}  // namespace

void write_tags(const RunState& run, Observation& out) {
    for (int i = 0; i < run.tags.size(); ++i) {
        out.tag[static_cast<std::size_t>(i)] = id_of(run.tags[i].key);
        out.tag_hand[static_cast<std::size_t>(i)] = orbital_hand(run.tags[i]);
    }
    set_length(out.n_tags, run.tags.size(), out.tag, out.tag_hand);
    write_flags(std::bit_cast<std::uint64_t>(run.vouchers), out.vouchers);
}

// --- Shop and packs ------------------------------------------------------------------------------------------------

namespace {

// The columns of a list of offers.
struct OfferColumns {
    std::uint8_t* kind;
    std::uint8_t* joker;
    std::uint8_t* consumable;
    std::uint8_t* rank;
    std::uint8_t* suit;
    std::uint8_t* enhancement;
    std::uint8_t* seal;
    std::uint8_t* edition;
    std::array<std::uint8_t, 3>* stickers;
};

void write_offer(const Offer& offer, int i, const OfferColumns& out) {
    const bool joker = offer.kind == OfferKind::joker;
    const bool card = offer.kind == OfferKind::playing_card;
    const Face face = card ? face_of(offer.card) : Face{};
    out.kind[i] = id_of(offer.kind);
    out.joker[i] = joker ? id_of(offer.joker) : std::uint8_t{0};
    out.consumable[i] = offer.kind == OfferKind::consumable ? id_of(offer.consumable) : std::uint8_t{0};
    out.rank[i] = face.rank;
    out.suit[i] = face.suit;
    out.enhancement[i] = card ? plain_id(offer.card.enhancement) : std::uint8_t{0};
    out.seal[i] = card ? plain_id(offer.card.seal) : std::uint8_t{0};
    out.edition[i] = plain_id(card ? offer.card.edition : offer.edition);
    out.stickers[i] = {joker && offer.stickers.eternal, joker && offer.stickers.perishable,
                       joker && offer.stickers.rental};
}

template <typename List, typename Ids, typename Prices>
void write_priced(const RunState& run, const List& list, Ids& ids, Prices& prices) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const bool there = static_cast<int>(i) < list.size();
        if (!there && ids[i] == 0) return;
        ids[i] = there ? id_of(list.data()[i].key) : std::uint8_t{0};
        prices[i] = there ? cut(price_of(run, list.data()[i])) : cut(0);
    }
}

}  // namespace

void write_shop(const RunState& run, Observation& out) {
    const OfferColumns columns{out.shop_kind.data(), out.shop_joker.data(),   out.shop_consumable.data(),
                               out.shop_rank.data(), out.shop_suit.data(),    out.shop_enhancement.data(),
                               out.shop_seal.data(), out.shop_edition.data(), out.shop_stickers.data()};
    for (int i = 0; i < run.shop.size(); ++i) {
        write_offer(run.shop[i].offer, i, columns);
        out.shop_price[static_cast<std::size_t>(i)] = cut(price_of(run, run.shop[i]));
    }
    set_length(out.n_shop, run.shop.size(), out.shop_kind, out.shop_joker, out.shop_consumable, out.shop_rank,
               out.shop_suit, out.shop_enhancement, out.shop_seal, out.shop_edition, out.shop_stickers, out.shop_price);
    write_priced(run, run.shop_vouchers, out.shop_voucher, out.shop_voucher_price);
    write_priced(run, run.shop_boosters, out.shop_booster, out.shop_booster_price);
}

void write_pack(const RunState& run, Observation& out) {
    const bool open = run.phase == Phase::pack_opening;
    const OfferColumns columns{out.pack_kind.data(), out.pack_joker.data(),   out.pack_consumable.data(),
                               out.pack_rank.data(), out.pack_suit.data(),    out.pack_enhancement.data(),
                               out.pack_seal.data(), out.pack_edition.data(), out.pack_stickers.data()};
    const int cards = open ? run.pack.cards.size() : 0;
    out.pack = open ? id_of(run.pack.key) : std::uint8_t{0};
    out.pack_picks = open ? run.pack.picks_left : std::uint8_t{0};
    for (int i = 0; i < cards; ++i) write_offer(run.pack.cards[i], i, columns);
    set_length(out.n_pack, cards, out.pack_kind, out.pack_joker, out.pack_consumable, out.pack_rank, out.pack_suit,
               out.pack_enhancement, out.pack_seal, out.pack_edition, out.pack_stickers);
}

}  // namespace jimbo::observing
