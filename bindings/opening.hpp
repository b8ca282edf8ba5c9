// The start of a run for the seed tools, from texts.
#pragma once

#include <optional>
#include <string>

#include "parse.hpp"
#include "run/explore.hpp"

namespace jimbo {

using ChallengeText = std::optional<std::string>;

// A challenge brings its own deck, and the deck that is named does not count.
inline Opening opening_from(std::string_view deck, std::string_view stake, const ChallengeText& challenge,
                            const Conventions& conventions = {}) {
    if (!challenge) return opening_of(deck_from(deck), stake_from(stake), {}, conventions);
    const auto id = challenge_by_key(*challenge);
    if (!id) throw std::invalid_argument("there is no challenge \"" + *challenge + '"');
    return opening_of(DeckId::challenge, stake_from(stake), id, conventions);
}

}  // namespace jimbo
