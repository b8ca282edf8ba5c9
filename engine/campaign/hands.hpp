// Who plays the hands that are no decisions of the search.
#pragma once

#include <optional>

#include "base/splitmix.hpp"
#include "play/action.hpp"
#include "solve/outlook.hpp"

namespace jimbo {

class HandPlayer {
public:
    // Imagined hands are played fast, real ones well.
    explicit HandPlayer(bool imagined) : imagined_(imagined) {}

    // The next play or discard, chosen in a world drawn anew.
    Action action(const RunState& run, SplitMix& random);

private:
    Action quick(const RunState& world, SplitMix& random);

    bool imagined_;
    int round_ = -1;  // that the basis was made for
    std::optional<BlindBasis> basis_;
};

}  // namespace jimbo
