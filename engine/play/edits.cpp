#include "play/edits.hpp"

#include "rules/blinds/blind_rule.hpp"
#include "rules/round.hpp"
#include "rules/shop.hpp"

namespace jimbo::edits {

void add_joker(RunState& run, JokerId key, Edition edition, Stickers stickers, int rounds) {
    Turn turn{run};
    Offer offer = Offer::of(key);
    offer.edition = edition;
    offer.stickers = {stickers.eternal, stickers.perishable && fact(key).perishable, stickers.rental};
    // A round draws no cards for the hand size that it gives.
    const Phase phase = std::exchange(run.phase, Phase::blind_select);
    jimbo::add_joker(turn, offer).perish_left = static_cast<std::uint8_t>(rounds);
    run.phase = phase;
    settle_round(turn);  // Chicot may have lowered the target
}

void add_consumable(RunState& run, ConsumableId key, Edition edition) {
    Turn turn{run};
    jimbo::add_consumable(turn, key, edition);
}

void redeem(RunState& run, VoucherId key) {
    // An open shop keeps its slots as they are, and a round its hands and discards.
    Turn turn{run};
    const Phase phase = std::exchange(run.phase, Phase::blind_select);
    const auto hands = run.hands_left;
    const auto discards = run.discards_left;
    jimbo::redeem(turn, key);
    run.phase = phase;
    if (phase != Phase::selecting_hand) return;
    run.hands_left = hands;
    run.discards_left = discards;
}

void add_card(RunState& run, const Card& card, CardTo to) {
    Turn turn{run};
    jimbo::add_card(turn, card, to);
}

void set_boss(RunState& run, BlindId boss) { run.boss = boss; }

void raise_level(RunState& run, HandType hand, int levels) {
    Turn turn{run};
    level_up(turn, hand, levels);
}

void set_ante(RunState& run, int ante) { run.ante = static_cast<std::int16_t>(ante); }

void set_round(RunState& run, int round) { run.round = static_cast<std::int16_t>(round); }

void restock_shop(RunState& run) {
    Turn turn{run};
    run.shop.clear();
    run.shop_vouchers.clear();
    run.shop_boosters.clear();
    open_shop(turn);
}

void show_voucher(RunState& run, VoucherId key) {
    take_id(run);
    run.shop_vouchers.push_back({key, false, true});
}

void show_booster(RunState& run, BoosterId key) {
    take_id(run);
    run.shop_boosters.push_back({key, false});
}

}  // namespace jimbo::edits
