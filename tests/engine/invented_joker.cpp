// Plays with a joker that the game does not have. test_invented_joker.py builds it with a copy of the engine to which
// nothing but the joker's own lines were added.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "catalog/lookup.hpp"
#include "play/edits.hpp"
#include "play/step.hpp"
#include "rules/jokers/joker_shown.hpp"
#include "store/state_json.hpp"

using namespace jimbo;

namespace {

void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("not so: %s\n", what);
    std::exit(1);
}

bool turns_up(RunState run) {
    for (int n = 0; n < 5000; ++n) {
        if (make_joker(run.streams, pool_context(run), source::shop).joker == JokerId::invented) return true;
    }
    return false;
}

}  // namespace

int main() {
    check(joker_by_key("j_invented") == JokerId::invented, "its key leads to it");
    check(joker_count == 151, "the set has grown");

    RunState run = start_run(*parse_seed("TESTSEED"), DeckId::red, StakeId::white, {});
    check(turns_up(run), "the shop offers it");
    edits::add_joker(run, JokerId::invented, Edition::base, {});
    check(!turns_up(run), "the shop offers no second one");
    step(run, {ActionKind::select_blind});
    for (int hand = 1; hand <= 2; ++hand) {
        run.chips = 0;
        run.blind.target = 1e9;
        step(run, {ActionKind::play, 0, 0, 1});
        check(run.last.mult == 1 + 7 * hand, "it gives what it has grown to");
        const JokerShown shown = joker_shown(run, run.jokers[0]);
        check(shown.size() == 1 && shown[0].kind == ShownKind::mult && shown[0].number == 7 * hand, "it shows that");
    }
    const std::string stored = state_to_json(run).dump();
    check(stored.find("j_invented") != std::string::npos, "it is stored by its key");
    check(state_to_json(state_from_json(Json::parse(stored))).dump() == stored, "it is read again");
    std::printf("played\n");
}
