"""A game in progress plays on any world that can be rewound."""

from collections.abc import Mapping
from typing import Any

import pytest

from jimbo.backends import Applied, SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.serve.game import BadInput
from jimbo.serve.terminal.session import Session
from rules.scene import Scene


class Fenced:
    """Another world: has what the protocol asks for and nothing else."""

    __slots__ = ("_world", "calls")

    def __init__(self, run: Run) -> None:
        self._world = SimBackend()
        self._world.load(run.save())
        self.calls: list[str] = []

    @property
    def seed(self) -> str:
        return self._world.seed

    def reset(
        self, *, deck: str | None = None, stake: str = "white", seed: str | None = None, challenge: str | None = None
    ) -> PublicState:
        raise AssertionError("a game in progress is not started again")

    def state(self) -> PublicState:
        return self._world.state()

    def cannot(self, action: Action) -> str | None:
        return self._world.cannot(action)

    def apply(self, action: Action) -> Applied:
        self.calls.append(action.kind)
        return self._world.apply(action)

    def full_state(self) -> Mapping[str, Any] | None:
        raise AssertionError("nobody at the table may know it")

    def save(self) -> bytes:
        return self._world.save()

    def load(self, data: bytes) -> PublicState:
        self.calls.append("load")
        return self._world.load(data)

    def close(self) -> None:
        self._world.close()


def session_of(scene: Scene) -> Session:
    return Session(Fenced(scene.build()))


def test_steps_are_taken_and_undone_by_the_world() -> None:
    world = Fenced(Scene(hand="KS 2H 3H").build())
    session = Session(world)
    first = session.state
    assert (session.seed, len(first.hand)) == ("RULES", 3)
    session.step(Action("discard", cards=[0]))
    session.step(Action("play", cards=[0]))
    assert session.undo(5) == 2
    assert session.state == first == world.state()
    assert world.calls == ["discard", "play", "load"]


def test_a_refused_step_changes_nothing() -> None:
    session = session_of(Scene(hand="KS 2H 3H"))
    before = session.state
    with pytest.raises(BadInput, match="Select at least one card of the hand"):
        session.step(Action("play"))
    with pytest.raises(BadInput, match="There is nothing to undo"):
        session.undo(1)
    assert session.state == before
    assert not session.unsaved


def test_what_lies_face_down_is_allowed_or_not_as_it_is() -> None:
    """Aura needs a card without an edition, which the game gives away."""
    for card in ("KS^", "KS*foil^"):
        session = session_of(Scene(hand=f"{card} 2H 3H", deck_cards="2S*foil 3S 4S*foil 5S", consumables=["c_aura"]))
        if "foil" in card:
            with pytest.raises(BadInput, match="Aura: it cannot be used now"):
                session.step(Action("use", cards=[0]))
        else:
            lines = [str(line) for line in session.step(Action("use", cards=[0]))]
            assert lines == ["Used: Aura", "A face-down card changes"]
