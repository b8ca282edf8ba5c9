// The starting deck of a run.
#pragma once

#include "base/fixed_vector.hpp"
#include "catalog/decks.hpp"
#include "rng/streams.hpp"
#include "state/card.hpp"

namespace jimbo {

using StartingDeck = FixedVector<Card, front_count>;

// In creation order, ids from 1.
StartingDeck make_deck(Streams& streams, DeckId deck);

}  // namespace jimbo
