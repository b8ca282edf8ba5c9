"""Recorded decisions made by hand, and networks that answer as they are told."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import MEASURES, PHASES, Game, Samples
from jimbo.engine import Phase, observation_dtype
from jimbo.models.outputs import BLINDS_AHEAD, Outputs

Array = NDArray[Any]
IDS, NUMBERS = 22, 24


@dataclass(frozen=True)
class Made:
    """A decision: how the network rates the candidates, which one was taken, what the player found them worth."""

    logits: Sequence[float]
    chosen: int = 0
    values: Sequence[float] = ()
    measure: str = "value"
    phase: str = "selecting_hand"
    ante: int = 1
    blinds: int = 0
    win: float = 0.5
    clear: Sequence[float] = field(default=(0.5,) * BLINDS_AHEAD)
    final: float = 1.0


def game(result: str = "loss", *, ante: int = 1, blinds: int = 0, seed: str = "SEED", agent: str = "made") -> Game:
    return Game(
        seed=seed,
        deck="b_red",
        stake="stake_white",
        agent=agent,
        nonce=0,
        result=result,  # type: ignore[arg-type]
        ante=ante,
        round=1,
        blinds=blinds,
        steps=1,
    )


def samples(*games: tuple[Game, Sequence[Made]]) -> Samples:
    """What the network is to say lies in the candidates' numbers and in the observation's money: see ``Told``."""
    made = [decision for _, decisions in games for decision in decisions]
    counts = [len(decision.logits) for decision in made]
    rows = np.zeros((sum(counts), NUMBERS), np.float32)
    rows[:, 0] = [logit for decision in made for logit in decision.logits]
    observations = np.zeros(len(made), observation_dtype())
    observations["ante"] = [decision.ante for decision in made]
    observations["dollars"] = np.arange(len(made))
    worth = [list(decision.values) or [np.nan] * len(decision.logits) for decision in made]
    return Samples(
        observations=observations,
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        candidate_ids=np.zeros((sum(counts), IDS), np.uint8),
        candidate_rows=rows,
        values=np.array([value for values in worth for value in values], np.float32),
        chosen=np.array([decision.chosen for decision in made], np.int16),
        measures=np.array([MEASURES.index(decision.measure) for decision in made], np.uint8),  # type: ignore[arg-type]
        phases=np.array([PHASES.index(Phase[decision.phase]) for decision in made], np.uint8),
        games=np.repeat(np.arange(len(games)), [len(decisions) for _, decisions in games]).astype(np.int32),
        steps=np.concatenate([np.arange(1, len(decisions) + 1) for _, decisions in games]).astype(np.int32),
        blinds=np.array([decision.blinds for decision in made], np.int16),
        rewards=np.zeros(len(made), np.float32),
        played=tuple(played for played, _ in games),
    )


class Told:
    """A network that says of each decision what it was made to say."""

    def __init__(self, *games: tuple[Game, Sequence[Made]]) -> None:
        self._made = [decision for _, decisions in games for decision in decisions]
        self.asked: list[int] = []

    def evaluate(self, observations: Array, candidate_ids: Array, candidate_rows: Array, mask: Array) -> Outputs:
        places = observations["dollars"].tolist()
        self.asked += places
        made = [self._made[place] for place in places]
        return Outputs(
            logits=np.where(mask, candidate_rows[..., 0], -np.inf),
            win=np.array([decision.win for decision in made]),
            clear=np.array([decision.clear for decision in made]),
            ante=np.array([decision.final for decision in made]),
        )
