"""A game in progress plays on any world that can be rewound."""

from collections.abc import Mapping
from typing import Any

import pytest

from jimbo.backends import Applied, SimBackend
from jimbo.data import Decision
from jimbo.engine import Action, PublicState, Run
from jimbo.serve.game import BadInput, RunInPlay, told
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


def game_of(scene: Scene) -> RunInPlay:
    return RunInPlay(Fenced(scene.build()))


def test_steps_are_taken_and_undone_by_the_world() -> None:
    world = Fenced(Scene(hand="KS 2H 3H").build())
    game = RunInPlay(world)
    first = game.state
    assert (game.seed, len(first.hand)) == ("RULES", 3)
    game.take(Decision(Action("discard", cards=[0])))
    game.take(Decision(Action("play", cards=[0])))
    assert game.undo(5) == 2
    assert game.state == first == world.state()
    assert world.calls == ["discard", "play", "load"]


def test_a_refused_step_changes_nothing() -> None:
    game = game_of(Scene(hand="KS 2H 3H"))
    before = game.state
    with pytest.raises(BadInput, match="Select at least one card of the hand"):
        game.take(Decision(Action("play")))
    with pytest.raises(BadInput, match="There is nothing to undo"):
        game.undo(1)
    assert game.state == before
    assert not game.unsaved


def test_what_lies_face_down_is_allowed_or_not_as_it_is() -> None:
    """Aura needs a card without an edition, which the game gives away."""
    for card in ("KS^", "KS*foil^"):
        game = game_of(Scene(hand=f"{card} 2H 3H", deck_cards="2S*foil 3S 4S*foil 5S", consumables=["c_aura"]))
        if "foil" in card:
            with pytest.raises(BadInput, match="Aura: it cannot be used now"):
                game.take(Decision(Action("use", cards=[0])))
        else:
            lines = [str(line) for line in told(game.take(Decision(Action("use", cards=[0]))))]
            assert lines == ["Used: Aura", "A face-down card changes"]
