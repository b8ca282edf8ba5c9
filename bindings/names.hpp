// Decks, stakes and challenges as people write them: the key ("b_red"), its short form ("red") or the name ("Red
// Deck"), in any case, with anything between the words. A text that names none raises ValueError with a sentence.
#pragma once

#include <optional>
#include <string>

#include "catalog/lookup.hpp"
#include "learn/batch.hpp"

namespace jimbo {

DeckId deck_from(std::string_view text);  // never the deck of challenges
StakeId stake_from(std::string_view text);
ChallengeId challenge_from(std::string_view text);

// What a run begins with. A challenge brings its own deck: naming another one is refused. No deck: the Red Deck.
Start start_from(const std::optional<std::string>& deck, std::string_view stake,
                 const std::optional<std::string>& challenge);

}  // namespace jimbo
