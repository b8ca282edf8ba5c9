#include <bit>

#include "base/symlog.hpp"
#include "learn/candidate_values.hpp"
#include "learn/candidates.hpp"
#include "rules/blinds/blind_rule.hpp"
#include "rules/effects.hpp"
#include "rules/hand_type.hpp"
#include "rules/prices.hpp"
#include "rules/queries.hpp"

namespace jimbo {
namespace {

constexpr FieldSpec fields[] = {
#define ID(name, vocabulary, doc) \
    {#name, "int16", 0, 0, offsetof(CandidateIds, name) / sizeof(std::int16_t), 0, 0, Vocabulary::vocabulary, "", doc},
#define NUMBER(name, low, high, doc)
#include "learn/candidate_fields.hpp"
#undef ID
#undef NUMBER
#define ID(name, vocabulary, doc)
#define NUMBER(name, low, high, doc) \
    {#name, "float32", 0, 0, offsetof(CandidateNumbers, name) / sizeof(float), low, high, Vocabulary::number, "", doc},
#include "learn/candidate_fields.hpp"
#undef ID
#undef NUMBER
};

template <typename Enum>
std::int16_t id_of(Enum e) {
    return static_cast<std::int16_t>(static_cast<int>(e) + 1);
}
template <typename Enum>
std::int16_t plain_id(Enum e) {
    return static_cast<std::int16_t>(e);
}

// Fills the description of one candidate.
class Describer {
public:
    Describer(const RunState& run, const Candidate& candidate, const LastHand* played, CandidateIds& ids,
              CandidateNumbers& numbers)
        : run_(run), candidate_(candidate), played_(played), action_(candidate.action), ids_(ids), numbers_(numbers) {}

    void describe(const HandLook& look) {
        ids_.kind = id_of(action_.kind);
        if (const auto key = consumable_of(run_, action_)) set_consumable(*key);
        switch (action_.kind) {
            case ActionKind::select_blind:
                ids_.blind = id_of(blind_on_deck(run_));
                break;
            case ActionKind::skip_blind:
                set_skip(run_.skip_tags[static_cast<std::size_t>(run_.on_deck)]);
                break;
            case ActionKind::reroll_boss:
                ids_.blind = id_of(run_.boss);
                set_price(boss_reroll_price);
                break;
            case ActionKind::play:
                set_play();
                set_kept(look);
                break;
            case ActionKind::discard:
                set_kept(look);
                break;
            case ActionKind::cash_out:
                numbers_.money_after_log = symlog(run_.dollars + run_.payout.total());
                break;
            case ActionKind::buy:
            case ActionKind::buy_and_use:
                set_offer(run_.shop[action_.index].offer);
                set_price(price_of(run_, run_.shop[action_.index]));
                break;
            case ActionKind::redeem:
                ids_.voucher = id_of(run_.shop_vouchers[action_.index].key);
                set_on_sale(price_of(run_, run_.shop_vouchers[action_.index]));
                break;
            case ActionKind::open_booster:
                ids_.booster = id_of(run_.shop_boosters[action_.index].key);
                set_on_sale(price_of(run_, run_.shop_boosters[action_.index]));
                break;
            case ActionKind::reroll:
                set_price(reroll_price(run_));
                break;
            case ActionKind::pick:
                set_offer(run_.pack.cards[action_.index]);
                break;
            case ActionKind::skip_pack:
                ids_.booster = id_of(run_.pack.key);
                break;
            case ActionKind::use:
            case ActionKind::sell_consumable:
                describe_consumable(run_.consumables[action_.index]);
                break;
            case ActionKind::sell_joker:
            case ActionKind::move_joker:
                describe_joker(run_.jokers[action_.index]);
                break;
            default:
                break;  // leaving the shop; moves that are never listed
        }
        set_cards(look);
    }

private:
    // That is used or sold.
    void describe_consumable(const Consumable& consumable) {
        set_index();
        ids_.edition = plain_id(consumable.edition);
        if (action_.kind == ActionKind::sell_consumable) set_sale(sell_value(run_, consumable));
    }

    // That is sold or moved. Of one that lies face down only its place is told.
    void describe_joker(const Joker& joker) {
        set_index();
        if (action_.kind == ActionKind::move_joker) ids_.to = static_cast<std::int16_t>(action_.to + 1);
        if (joker.face_down) return;
        set_joker(joker);
        if (action_.kind == ActionKind::sell_joker) set_sale(sell_value(run_, joker));
    }

    void set_index() { ids_.index = static_cast<std::int16_t>(action_.index + 1); }

    void set_hand(HandType hand) {
        ids_.hand = id_of(hand);
        numbers_.level_log = symlog(run_.stats(hand).level);
    }

    void set_consumable(ConsumableId key) {
        ids_.consumable = id_of(key);
        numbers_.room = static_cast<float>(consumable_room(run_));
        if (fact(key).hand) set_hand(*fact(key).hand);
    }

    void set_skip(const HeldTag& tag) {
        ids_.blind = id_of(blind_on_deck(run_));
        ids_.tag = id_of(tag.key);
        if (fact(tag.key).names_hand) set_hand(tag.orbital_hand);
    }

    void set_price(int price) {
        const int money = spendable(run_);
        numbers_.price_log = symlog(price);
        numbers_.price_share =
            price <= 0 ? 0.0F : static_cast<float>(std::min(1.0, double(price) / std::max(1, money)));
        numbers_.money_after_log = symlog(double(run_.dollars) - price);
    }

    void set_on_sale(int price) {
        set_index();
        set_price(price);
    }

    void set_sale(int value) {
        numbers_.sell_log = symlog(value);
        numbers_.money_after_log = symlog(double(run_.dollars) + value);
    }

    void set_stickers(const Stickers& stickers) {
        numbers_.eternal = stickers.eternal;
        numbers_.perishable = stickers.perishable;
        numbers_.rental = stickers.rental;
    }

    void set_joker_key(JokerId key) {
        ids_.joker = id_of(key);
        ids_.rarity = id_of(fact(key).rarity);
        numbers_.room = static_cast<float>(joker_room(run_));
    }

    void set_joker(const Joker& joker) {
        set_joker_key(joker.key);
        set_stickers(joker.stickers);
        ids_.edition = plain_id(joker.edition);
        numbers_.debuffed = joker.debuffed;
        numbers_.counter_log = symlog(joker.count);
        numbers_.x_mult_log = symlog(joker.x_mult - 1.0);
    }

    void set_offer(const Offer& offer) {
        set_index();
        ids_.offer = id_of(offer.kind);
        ids_.edition = plain_id(offer.kind == OfferKind::playing_card ? offer.card.edition : offer.edition);
        if (offer.kind == OfferKind::joker) {
            set_joker_key(offer.joker);
            set_stickers(offer.stickers);
        }
        if (offer.kind != OfferKind::playing_card) return;
        if (has_rank(offer.card)) {
            ids_.rank = id_of(offer.card.rank);
            ids_.suit = id_of(offer.card.suit);
        }
        ids_.enhancement = plain_id(offer.card.enhancement);
        ids_.seal = plain_id(offer.card.seal);
    }

    void set_play() {
        const LastHand& played = *played_;
        const double missing = run_.blind.target - run_.chips;
        set_hand(played.hand);
        numbers_.score_log = symlog(candidate_.value);
        numbers_.chips_log = symlog(played.chips);
        numbers_.mult_log = symlog(played.mult);
        numbers_.beats = candidate_.value >= missing;
        numbers_.score_share = candidate_.value >= missing ? 1.0F : static_cast<float>(candidate_.value / missing);
        numbers_.blocked = played.blocked;
    }

    void set_kept(const HandLook& look) {
        const HandLook::Kept kept = look.without(action_.cards);
        numbers_.kept_rank = static_cast<float>(kept.rank);
        numbers_.kept_suit = static_cast<float>(kept.suit);
        numbers_.kept_run = static_cast<float>(kept.run);
        numbers_.kept_chips_log = symlog(kept.chips);
    }

    void set_cards(const HandLook& look) {
        if (action_.cards == 0) return;
        const std::array places{&ids_.card_1, &ids_.card_2, &ids_.card_3, &ids_.card_4, &ids_.card_5};
        static_assert(places.size() == max_selected);
        std::size_t n = 0;
        int chips = 0;
        for (std::uint64_t rest = action_.cards; rest != 0 && n < places.size(); rest &= rest - 1) {
            const int position = std::countr_zero(rest);
            *places[n++] = static_cast<std::int16_t>(position + 1);
            chips += look.chips(position);
        }
        numbers_.cards = static_cast<float>(n);
        numbers_.chosen_chips_log = symlog(chips);
    }

    const RunState& run_;
    const Candidate& candidate_;
    const LastHand* played_;  // of a play
    const Action& action_;
    CandidateIds& ids_;
    CandidateNumbers& numbers_;
};

}  // namespace

std::span<const FieldSpec> candidate_fields() { return fields; }

void CandidateList::describe(const RunState& run, CandidateIds* ids, CandidateNumbers* numbers) const {
    for (std::size_t i = 0; i < listed_.size(); ++i) {
        CandidateIds unused_ids;
        CandidateNumbers unused_numbers;
        CandidateIds& id_row = ids == nullptr ? unused_ids : ids[i];
        CandidateNumbers& number_row = numbers == nullptr ? unused_numbers : numbers[i];
        id_row = {};
        number_row = {};
        const LastHand* hand = listed_[i].play < 0 ? nullptr : &played(listed_[i]);
        Describer(run, listed_[i], hand, id_row, number_row).describe(*look_);
    }
}

}  // namespace jimbo
