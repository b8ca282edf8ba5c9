// The starting deck of a run.
#pragma once

#include "base/fixed_vector.hpp"
#include "catalog/challenges.hpp"
#include "catalog/decks.hpp"
#include "rng/streams.hpp"
#include "state/card.hpp"

namespace jimbo {

using StartingDeck = FixedVector<Card, 2 * front_count>;  // a challenge may hold copies

// In creation order, ids from 1.
StartingDeck make_deck(Streams& streams, DeckId deck);
StartingDeck make_challenge_deck(const ChallengeDeck& deck);

}  // namespace jimbo
