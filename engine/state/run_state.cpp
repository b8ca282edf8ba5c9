#include "state/run_state.hpp"

namespace jimbo {

void clone_into(RunState& to, const RunState& from) {
    static_cast<RunNumbers&>(to) = from;
    to.hand = from.hand;
    to.played.copy_used(from.played);
    to.cards.copy_used(from.cards);
    to.deck_pile.copy_used(from.deck_pile);
    to.discard_pile.copy_used(from.discard_pile);
    to.jokers.copy_used(from.jokers);
    to.consumables.copy_used(from.consumables);
    to.tags.copy_used(from.tags);
    to.shop.copy_used(from.shop);
    to.shop_vouchers = from.shop_vouchers;
    to.shop_boosters = from.shop_boosters;
    to.pack = from.pack;
    to.streams.copy_used(from.streams);
}

}  // namespace jimbo
