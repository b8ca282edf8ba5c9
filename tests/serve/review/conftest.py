"""Runs to review, played here once."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jimbo.agents import make_agent
from jimbo.backends.sim import SimBackend
from jimbo.data.record import Decision, Header
from jimbo.data.record_files import RecordFile
from jimbo.engine import Action, PublicState, Run
from jimbo.rollout.loop import Recorder, Rollout
from jimbo.serve.review import Judge
from jimbo.wire.codec.write import Memory, gamestate

Spoil = Callable[[int, PublicState, Action], Action]
QUICK = 0.05


def judge(agent: str = "expert", effort: float = QUICK) -> Judge:
    return Judge(agent, {"effort": effort} if agent == "expert" else {}, effort)


class Played:
    """A run of an agent as a record and as a log of the mod's gamestates; ``spoil`` may do something else."""

    def __init__(
        self,
        path: Path,
        agent: str,
        seed: str,
        *,
        stake: str = "stake_white",
        most: int = 20_000,
        spoil: Spoil | None = None,
        snapshot_every: int = 0,
        effort: float | None = None,
    ) -> None:
        self.path, self.header = path, Header(seed=seed, deck="b_red", stake=stake, agent=agent)
        self.backend, player = SimBackend(), make_agent(agent, **({"effort": effort} if effort else {}))
        self.states: list[PublicState] = []
        self.actions: list[Action] = []
        with RecordFile.create(path, self.header) as file:
            rollout = Rollout(self.backend, [Recorder(file, snapshot_every=snapshot_every)])
            state = rollout.start_as(self.header)
            self.gamestates = list[dict[str, Any]]()
            memory = Memory()
            self._log(memory)
            player.reset(1)
            while not state.over and not state.won and rollout.steps < most:
                decision = player.act(state)
                action = spoil(rollout.steps + 1, state, decision.action) if spoil else decision.action
                self.states.append(state)
                self.actions.append(action)
                before, state = state, rollout.take(decision if action == decision.action else Decision(action)).after
                memory.took(action.kind, action.index, before, state.on_deck)
                self._log(memory)
            self.states.append(state)
            file.end(rollout.ending())

    def _log(self, memory: Memory) -> None:
        self.gamestates.append(gamestate(Run.load(self.backend.save()), memory))


def lines(path: Path, objects: Iterator[Any] | list[Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))
    return path


@pytest.fixture(scope="session")
def fast(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Won at White Stake."""
    return Played(tmp_path_factory.mktemp("runs") / "fast.jsonl", "fast", "LOG1")
