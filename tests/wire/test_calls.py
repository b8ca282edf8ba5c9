"""The engine's actions as calls of the mod, in both of its versions."""

import pytest

from jimbo.engine import Action, ActionKind, PublicState, Run
from jimbo.wire.calls import ModLimits, calls_for, cannot

OLD, NEW = ModLimits(1), ModLimits(2)


def state(phase: str = "round") -> PublicState:
    run = Run(seed="CALLS")
    for key in ("j_joker", "j_egg", "j_runner"):
        run.debug_add_joker(key)
    run.debug_add_consumable("c_aura")
    if phase == "round":
        run.step(Action("select_blind"))
    return run.public_state()


@pytest.mark.parametrize(
    ("action", "calls"),
    [
        (Action("play", cards=[4, 1]), [("play", {"cards": [1, 4]})]),
        (Action("move_joker", index=0, to=2), [("rearrange", {"jokers": [1, 2, 0]})]),
        (Action("move_joker", index=2, to=0), [("rearrange", {"jokers": [2, 0, 1]})]),
        (Action("move_card", index=6, to=4), [("rearrange", {"hand": [0, 1, 2, 3, 6, 4, 5, 7]})]),
        (Action("pick", index=1, cards=[0]), [("pack", {"card": 1, "targets": [0]})]),
        (Action("use", index=0), [("use", {"consumable": 0})]),
        (Action("sort_hand_by_suit"), [("sort", {"by": "suit"})]),
        (Action("redeem", index=0), [("buy", {"voucher": 0})]),
        (Action("buy_and_use", index=1), [("buy_and_use", {"card": 1})]),
    ],
)
def test_calls_of_version_2(action: Action, calls: list[tuple[str, object]]) -> None:
    assert calls_for(action, state(), NEW) == calls
    assert cannot(action, state(), NEW) is None


def test_version_1_buys_first() -> None:
    assert calls_for(Action("buy_and_use", index=1), state(), OLD) == [("buy", {"card": 1}), ("use", {"consumable": 1})]


def test_every_kind_of_action_has_a_call() -> None:
    for kind in ActionKind:
        assert calls_for(Action(kind), state(), NEW)


def test_version_1_has_no_call_for_aura() -> None:
    assert "cannot choose a card for Aura" in str(cannot(Action("use", index=0, cards=[1]), state(), OLD))


def test_moves_of_the_engine_and_of_the_mod_agree() -> None:
    run = Run(seed="CALLS")
    run.step(Action("select_blind"))
    hand = [card.id for card in run.hand]
    for index in range(8):
        for to in range(8):
            moved, action = run.clone(), Action("move_card", index=index, to=to)
            if moved.refusal(action) is None:
                moved.step(action)
                ((_, params),) = calls_for(action, run.public_state(), OLD)
                assert [card.id for card in moved.hand] == [hand[place] for place in params["hand"]]
