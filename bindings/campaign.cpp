// Runs as games for the search.
#include "campaign/campaign.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arena/position_of.hpp"
#include "buffers.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jimbo {
namespace {

const CampaignState& state_of(const AnyPosition& position) {
    const auto* own = dynamic_cast<const PositionOf<Campaign>*>(&position);
    require(own != nullptr, "this is no position of Balatro");
    return own->state();
}

}  // namespace

void bind_campaign(nb::module_& m) {
    m.def(
        "position_of_run",
        [](const RunState& run) -> std::unique_ptr<AnyPosition> {
            return std::make_unique<PositionOf<Campaign>>(Campaign::from_run(run), SplitMix(0));
        },
        "run"_a, "A run, gone on to its next decision.");
    m.def(
        "run_of_position", [](const AnyPosition& position) { return RunState(state_of(position).run); }, "position"_a,
        "A copy of the run.");
    m.def(
        "actions_of_position",
        [](const AnyPosition& position) {
            const CampaignState& state = state_of(position);
            return std::vector<Action>(state.actions.begin(), state.actions.begin() + state.count);
        },
        "position"_a, "What each of its actions does.");
}

}  // namespace jimbo
