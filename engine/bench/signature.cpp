#include <array>
#include <cstdio>

#include "bench/bench.hpp"
#include "play/random_play.hpp"
#include "play/step.hpp"
#include "store/state_json.hpp"

namespace jimbo {
namespace {

constexpr std::array stakes{StakeId::white, StakeId::black, StakeId::gold};
constexpr int most_decisions = 400;

// FNV-1a, 64 bits.
class TextHash {
public:
    void add(std::string_view text) {
        for (char c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    std::string hex() const {
        std::array<char, 17> text{};
        std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash_));
        return text.data();
    }

private:
    std::uint64_t hash_ = 0xCBF29CE484222325;
};

RunState played_run(DeckId deck, StakeId stake, bool wins, SplitMix& random) {
    RunState run = start_run(random_seed(random), deck, stake);
    for (int n = 0; n < most_decisions; ++n) {
        const auto action = random_action(run, random);
        if (!action) break;
        if (wins && action->kind == ActionKind::play) run.chips = run.blind.target;
        step(run, *action);
    }
    return run;
}

}  // namespace

std::string signature() {
    TextHash hash;
    SplitMix random(1);
    for (int deck = 0; deck < playable_deck_count; ++deck) {
        for (StakeId stake : stakes) {
            // Random play alone hardly leaves the first ante: half of the runs are given every blind.
            for (bool wins : {false, true}) {
                hash.add(state_to_json(played_run(static_cast<DeckId>(deck), stake, wins, random)).dump());
            }
        }
    }
    return hash.hex();
}

}  // namespace jimbo
