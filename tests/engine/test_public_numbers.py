"""What a public state says of blinds, names and numbers is what the run then does."""

import json

import pytest

from jimbo.engine import Action, Run
from jimbo.engine.catalog import CHALLENGES, DECKS


def changed(run: Run, **fields: object) -> Run:
    """The run with fields of its state replaced, by path such as ``round__on_deck``."""
    state = json.loads(run.to_json())
    for path, value in fields.items():
        *groups, name = path.split("__")
        group = state
        for step in groups:
            group = group[step]
        group[name] = value
    return Run.from_json(json.dumps(state))


@pytest.mark.parametrize("deck", [key for key in DECKS if key != "b_challenge"])
def test_every_deck_is_seen(deck: str) -> None:
    run = Run(deck=deck, seed="TESTSEED")
    seen = run.public_state()
    assert (seen.deck, seen.phase, seen.ante) == (deck, "blind_select", 1)
    assert len(seen.unseen) == seen.draw_pile
    run.step(Action("select_blind"))
    assert seen.blinds[0].target == run.target == run.public_state().blind.target
    assert len(run.public_state().hand) == seen.hand_size


@pytest.mark.parametrize("challenge", list(CHALLENGES))
@pytest.mark.parametrize("stake", ["white", "gold"])
def test_blinds_say_what_they_will_be(challenge: str, stake: str) -> None:
    run = Run(stake=stake, seed="TESTSEED", challenge=challenge)
    for slot, expected in zip(("small", "big", "boss"), run.public_state().blinds, strict=True):
        ahead = changed(run, round__on_deck=slot)
        ahead.step(Action("select_blind"))
        blind = json.loads(ahead.to_json())["round"]["blind"]
        assert (blind["key"], blind["target"], blind["reward"]) == (expected.key, expected.target, expected.reward)


def test_blinds_of_every_phase() -> None:
    run = Run(seed="TESTSEED")
    targets = [300, 450, 600]
    for kind in ("select_blind", None, "cash_out", "leave_shop"):
        assert [blind.target for blind in run.public_state().blinds] == targets
        if kind is None:
            run.chips = run.target
            run.step(Action("play", cards=[0]))
        else:
            run.step(Action(kind))
    assert [blind.progress for blind in run.public_state().blinds] == ["done", "now", "later"]


def test_everything_has_its_name_and_numbers() -> None:
    run = Run(seed="TESTSEED", stake="gold")
    run.debug_add_joker("j_egg", "e_negative", eternal=True, rental=True)
    run.debug_add_consumable("c_pluto")
    seen = run.public_state()
    joker, planet = seen.jokers[0], seen.consumables[0]
    assert (joker.name, joker.edition, joker.eternal, joker.perishable) == ("Egg", "e_negative", True, False)
    assert (seen.joker_slots, seen.joker_room) == (5, 5)
    assert (planet.name, planet.sell_value) == ("Pluto", 1)
    assert seen.blinds[0].tag
    assert seen.blinds[0].tag.name == "Economy Tag"
    assert {hand.hand for hand in seen.hands if not hand.visible} == {"Five of a Kind", "Flush House", "Flush Five"}
