#include "store/state_check.hpp"

#include <algorithm>
#include <cmath>

#include "rules/blinds/blind_rule.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/jokers/joker_rule.hpp"
#include "store/enum_text.hpp"

namespace jimbo {
namespace {

// A field of the run, or of an item of one of its lists or groups; made into text only when it is at fault.
struct Field {
    std::string_view path{};
    int index = -1;
    std::string_view member{};
    std::string_view inner{};

    Field(const char* name) : path(name) {}
    Field(std::string_view list, int place, std::string_view field) : path(list), index(place), inner(field) {}
    Field(std::string_view group, std::string_view name, std::string_view field)
        : path(group), member(name), inner(field) {}

    std::string text() const {
        std::string text("state.");
        text += path;
        if (index >= 0) ((text += '[') += std::to_string(index)) += ']';
        if (!member.empty()) (text += '.') += member;
        return text += inner;
    }
};

class Check {
public:
    explicit Check(const RunState& run) : run_(run) {}

    std::string fault() {
        check_run();
        check_round();
        check_economy();
        check_jokers();
        check_memory();
        check_phase();
        check_blind();
        check_zones();
        check_pack();
        check_shop();
        if (run_.end != EndCode::no_room) check_uids();  // uids may be what it has run out of
        return fault_;
    }

private:
    void need(bool fine, const Field& field, std::string_view sentence) {
        if (!fine && fault_.empty()) (fault_ = field.text() + ": ") += sentence;
    }
    void range(const Field& field, std::int64_t value, std::int64_t low, std::int64_t high) {
        if (value >= low && value <= high) return;
        need(false, field, "a number from " + std::to_string(low) + " to " + std::to_string(high) + " is needed");
    }
    void count(const Field& field, std::int64_t value) { range(field, value, 0, max_count); }
    void total(const Field& field, std::int64_t value) { range(field, value, 0, max_total); }
    // Not NaN and not negative; infinity will do.
    void number(const Field& field, double value) {
        need(!std::isnan(value), field, "a number is needed");
        need(!(value < 0), field, "must not be negative");
    }
    // Where a challenge caps chips at the money held, NaN will do, too: no chips times an infinite mult, as in the
    // game.
    void score(const Field& field, double value) {
        if (!std::isnan(value) || !challenge_of(run_).chips_dollar_cap) number(field, value);
    }

    bool is_in(std::initializer_list<Phase> phases) const {
        return std::find(phases.begin(), phases.end(), run_.phase) != phases.end();
    }
    bool is_over() const { return run_.phase == Phase::game_over; }

    void check_run() {
        const bool challenge = run_.deck == DeckId::challenge;
        need(challenge == run_.challenge.has_value(), "challenge", "b_challenge and a challenge need each other");
        need(is_over() == (run_.end != EndCode::none), "flags.end",
             "must be none until the phase is game_over, and another end from then on");
    }

    void check_round() {
        range("round.ante", run_.ante, -max_ante, max_ante);
        total("round.round_num", run_.round);
        count("round.hands_left", run_.hands_left);
        count("round.discards_left", run_.discards_left);
        count("round.hands_played", run_.hands_played);
        count("round.discards_used", run_.discards_used);
        range("round.hands_per_round", run_.hands_per_round, -max_count, max_count);
        range("round.discards_per_round", run_.discards_per_round, -max_count, max_count);
        range("round.hand_size", run_.hand_size, -max_count, max_count);
        count("round.hand_size_bonus", run_.hand_size_bonus);
        range("round.joker_slots", run_.joker_slots, -max_count, max_count);
        range("round.consumable_slots", run_.consumable_slots, -max_count, max_count);
        range("round.shop_slots", run_.shop_slots, 0, max_shop_cards);
        need(fact(run_.boss).boss, "round.boss", "a boss blind is needed");
        score("score.chips", run_.chips);
        score("score.last_score", run_.last.score);
        number("score.last_chips", run_.last.chips);
        number("score.last_mult", run_.last.mult);
    }

    void check_economy() {
        range("economy.money", run_.dollars, -max_total, max_total);
        count("economy.reroll_increase", run_.reroll_increase);
        count("economy.reroll_cut", run_.reroll_cut);
        count("economy.free_rerolls", run_.free_rerolls);
        count("economy.inflation", run_.inflation);
        range("economy.payout.blind", run_.payout.blind, -max_total, max_total);
        range("economy.payout.hands", run_.payout.hands, -max_total, max_total);
        range("economy.payout.discards", run_.payout.discards, -max_total, max_total);
        range("economy.payout.jokers", run_.payout.jokers, -max_total, max_total);
        range("economy.payout.interest", run_.payout.interest, -max_total, max_total);
        range("economy.payout.tags", run_.payout.tags, -max_total, max_total);
    }

    void check_jokers() {
        for (int i = 0; i < run_.jokers.size(); ++i) {
            const Joker& joker = run_.jokers[i];
            check_count({"jokers", i, ".count"}, joker);
            range({"jokers", i, ".sell_bonus"}, joker.sell_bonus, -max_total, max_total);
            range({"jokers", i, ".perish_left"}, joker.perish_left, 0, 5);
            const bool fine = std::isfinite(joker.x_mult) && joker.x_mult >= 0;
            need(fine, {"jokers", i, ".x_mult"}, "a finite number from 0 is needed");
            const bool meant = joker.x_mult == 1.0 || rule_of(joker.key).grows_x_mult;
            need(meant, {"jokers", i, ".x_mult"}, "this joker has no multiplier of its own");
        }
        for (int i = 0; i < run_.consumables.size(); ++i) {
            range({"consumables", i, ".sell_bonus"}, run_.consumables[i].sell_bonus, -max_total, max_total);
        }
    }

    void check_count(const Field& field, const Joker& joker) {
        switch (rule_of(joker.key).count_means) {
            case ShownKind::nothing:
                return need(joker.count == 0, field, "this joker has no number of its own");
            case ShownKind::poker_hand:  // none until the joker is owned, as with the hands before it came
                return range(field, joker.count, -1, hand_type_count - 1);
            case ShownKind::hands_before:
                return range(field, joker.count, -1, max_total);
            default:
                return total(field, joker.count);
        }
    }

    void check_memory() {
        for (std::size_t i = 0; i < run_.hands.size(); ++i) {
            range({"hands", hand_names()[i], ".level"}, run_.hands[i].level, 1, max_total);
        }
        total("memory.hands_played", run_.run_hands);
        total("memory.unused_discards", run_.unused_discards);
        total("memory.skips", run_.skips);
        total("memory.tarots_used", run_.tarots_used);
        count("memory.ectoplasms", run_.ectoplasms);
        for (int i = 0; i < consumable_count; ++i) {
            const bool planet = fact(static_cast<ConsumableId>(i)).kind == ConsumableKind::planet;
            need(planet || !run_.used_planets.test(i), "memory.used_planets", "only planets are counted");
        }
        const bool fool_copies = !run_.last_used || fact(*run_.last_used).kind != ConsumableKind::spectral;
        need(fool_copies, "memory.last_used", "a tarot or planet is needed");
    }

    void check_phase() {
        need(run_.played.empty(), "zones.played", "must be empty between two actions");
        if (run_.phase == Phase::selecting_hand) {
            need(run_.hands_left > 0, "round.hands_left", "a round goes on only with a hand left");
            need(!run_.hand.empty(), "zones.hand", "a round goes on only with a card in hand");
        }
        if (is_in({Phase::blind_select, Phase::round_eval, Phase::shop, Phase::pack_opening})) {
            need(run_.discard_pile.empty(), "zones.discard", "must be empty outside of a round");
        }
        const BoosterKind pack = fact(run_.pack.key).kind;
        const bool dealt = pack == BoosterKind::arcana || pack == BoosterKind::spectral;
        if (is_in({Phase::blind_select, Phase::round_eval, Phase::shop}) || (is_in({Phase::pack_opening}) && !dealt)) {
            need(run_.hand.empty(), "zones.hand", "must be empty outside of a round and of an Arcana or Spectral pack");
        }
    }

    void check_blind() {
        const BlindInPlay& blind = run_.blind;
        // The game's formula fails in the last antes: their targets are NaN.
        if (!std::isnan(blind.target) || !std::isnan(base_score(run_.deck, run_.stake, run_.ante))) {
            number("round.blind.target", blind.target);
        }
        count("round.blind.taken", blind.taken);
        count("round.blind.reward", blind.reward);
        if (!is_over()) {
            const bool played = run_.phase == Phase::selecting_hand;
            need(blind.active == played, "round.blind.active",
                 "must be true in the phase selecting_hand and in no other");
        }
        if (!blind.active) return;
        const bool fits = run_.on_deck == BlindSlot::boss
                              ? fact(blind.key).boss
                              : static_cast<int>(blind.key) == static_cast<int>(run_.on_deck);
        need(fits, "round.blind.key", "is not the kind of blind that on_deck names");
    }

    void check_zones() {
        int forced = 0;
        for (const Card& card : run_.cards) forced += card.forced ? 1 : 0;
        for (CardIndex index : run_.hand) forced -= run_.cards[index].forced ? 1 : 0;
        need(forced == 0, "zones", "only a card in hand can be forced");
        for (CardIndex index : run_.hand) forced += run_.cards[index].forced ? 1 : 0;
        need(forced <= 1, "zones.hand", "only one card can be forced");
    }

    void check_shop() {
        const bool open = run_.phase == Phase::shop ||
                          (run_.phase == Phase::pack_opening && run_.pack.opened_from == Phase::shop) || is_over();
        const bool empty = run_.shop.empty() && run_.shop_vouchers.empty() && run_.shop_boosters.empty();
        need(open || empty, "shop", "must be empty outside of a shop");
    }

    void check_pack() {
        const OpenPack& pack = run_.pack;
        if (run_.phase == Phase::pack_opening) {
            const bool from = pack.opened_from == Phase::shop || pack.opened_from == Phase::blind_select;
            need(from, "pack.opened_from", "a pack is opened from the shop or blind_select");
            const bool fits = !pack.cards.empty() && pack.cards.size() <= fact(pack.key).cards;
            need(fits, "pack.cards", "an open pack has 1 to " + std::to_string(fact(pack.key).cards) + " cards");
            range("pack.picks_left", pack.picks_left, 1, std::min<int>(fact(pack.key).picks, pack.cards.size()));
        } else if (!is_over()) {
            need(pack.cards.empty() && pack.picks_left == 0, "pack", "must be empty unless the phase is pack_opening");
        }
    }

    // Random choices go by creation order, so no two cards, jokers or consumables may share a place in it.
    void check_uids() {
        const auto check = [&](const char* list, const auto& items) {
            BitSet<UINT16_MAX + 1> taken;
            for (const auto& item : items) {
                const std::string_view wrong = item.id == 0 || item.id >= run_.next_id
                                                   ? " must lie between 0 and memory.next_id"
                                               : taken.test(item.id) ? " appears twice"
                                                                     : "";
                if (!wrong.empty()) need(false, list, "uid " + std::to_string(item.id) + std::string(wrong));
                taken.set(item.id);
            }
        };
        check("zones", run_.cards);
        check("jokers", run_.jokers);
        check("consumables", run_.consumables);
    }

    const RunState& run_;
    std::string fault_;
};

}  // namespace

std::string fault_of(const RunState& run) { return Check(run).fault(); }

}  // namespace jimbo
