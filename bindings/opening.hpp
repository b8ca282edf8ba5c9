// The start of a run for the seed tools, from texts.
#pragma once

#include <optional>
#include <string>

#include "names.hpp"
#include "parse.hpp"
#include "seeds/explore.hpp"

namespace jimbo {

using OptionalText = std::optional<std::string>;

// A challenge brings its own deck, and the deck that is named does not count.
inline Opening opening_from(std::string_view deck, std::string_view stake, const OptionalText& challenge,
                            const Conventions& conventions = {}) {
    const Start start = start_from(challenge ? std::nullopt : OptionalText(deck), stake, challenge);
    return opening_of(start.deck, start.stake, start.challenge, conventions);
}

}  // namespace jimbo
