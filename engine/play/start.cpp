#include <algorithm>
#include <numeric>

#include "play/step.hpp"
#include "rules/challenge_rules.hpp"
#include "rules/effects.hpp"
#include "rules/shop.hpp"
#include "rules/starting_deck.hpp"
#include "rules/targets.hpp"
#include "rules/zones.hpp"

namespace jimbo {
namespace {

void set_numbers(RunState& run) {
    const RunStart& start = challenge_of(run).start;
    const DeckFact& deck = fact(run.deck);
    const auto sum = [](int a, int b) { return static_cast<std::int16_t>(a + b); };
    run.dollars = start.dollars + deck.dollars;
    run.hands_per_round = sum(start.hands, deck.hands);
    run.discards_per_round = sum(start.discards + fact(run.stake).discards, deck.discards);
    run.hand_size = sum(start.hand_size, deck.hand_size);
    run.joker_slots = sum(start.joker_slots, deck.joker_slots);
    run.consumable_slots = sum(start.consumable_slots, deck.consumable_slots);
}

// The first things to be numbered.
void create_deck(RunState& run) {
    const StartingDeck deck =
        run.challenge ? make_challenge_deck(challenge_of(run).deck) : make_deck(run.streams, run.deck);
    const int size = deck.size();
    run.cards.resize(size);
    run.deck_pile.resize(size);
    std::copy(deck.begin(), deck.end(), run.cards.begin());
    std::iota(run.deck_pile.begin(), run.deck_pile.end(), CardIndex{0});
    run.next_id = static_cast<std::uint16_t>(size + 1);
}

void give_starting_items(Turn& turn) {
    const DeckFact& deck = fact(turn.run.deck);
    const ChallengeFact& challenge = challenge_of(turn.run);
    for (VoucherId voucher : deck.vouchers) redeem(turn, voucher);
    for (VoucherId voucher : challenge.vouchers) redeem(turn, voucher);
    for (ConsumableId key : deck.consumables) add_consumable(turn, key);
    for (ConsumableId key : challenge.consumables) add_consumable(turn, key);
    for (const ChallengeJoker& joker : challenge.jokers) {
        Offer offer = Offer::of(joker.id);
        offer.edition = joker.edition;
        offer.stickers.eternal = joker.eternal;
        add_joker(turn, offer).pinned = joker.pinned;
    }
}

// What every run draws from before its first decision.
void prepare_streams(RunState& run) {
    const std::array<StreamKey, 9> keys{
        StreamKey{Stream::orbital},           StreamKey{Stream::boss},          StreamKey{Stream::shuffle},
        StreamKey{Stream::voucher, run.ante}, StreamKey{Stream::tag, run.ante}, StreamKey{Stream::idol, run.ante},
        StreamKey{Stream::mail, run.ante},    StreamKey{Stream::anc, run.ante}, StreamKey{Stream::cas, run.ante},
    };
    run.streams.prepare(keys);
}

}  // namespace

RunState start_run(const Seed& seed, DeckId deck, StakeId stake, std::optional<ChallengeId> challenge) {
    RunState run;
    run.deck = deck;
    run.stake = stake;
    run.challenge = challenge;
    run.streams.start(seed);
    Turn turn{run};
    set_numbers(run);
    create_deck(run);
    give_starting_items(turn);
    run.hands_left = run.hands_per_round;
    run.discards_left = run.discards_per_round;
    prepare_streams(run);
    prepare_ante(turn);
    shuffle_deck(run, Stream::shuffle);
    draw_targets(run);
    return run;
}

}  // namespace jimbo
