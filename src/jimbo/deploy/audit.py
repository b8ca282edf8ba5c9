"""The same runs again and again: in this process, in others, in threads, over the wire, by other interpreters.

A run is its start and its steps: what was decided, out of what, and the whole state after it, hidden things included.
The first place where two runs differ is told by its path.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import numpy as np

from jimbo.agents import Agent, make_agent
from jimbo.backends import Applied, Backend, RealBackend, SimBackend, UnsupportedAction
from jimbo.data import Decision, versions
from jimbo.data.record_files import action_data, considered_data
from jimbo.declared import Declared, declared, from_dict
from jimbo.engine import Action, Batch, BatchArrays
from jimbo.files import json_object, reason
from jimbo.parity.playing import simulator
from jimbo.rollout import Rollout
from jimbo.rollout.games import RestrictedAgent, nonce_of
from jimbo.rollout.loop import MAX_STEPS
from jimbo.rollout.pool import Lost, run_tasks
from jimbo.wire.calls import ModLimits, cannot, is_tried
from jimbo.wire.client import Client
from jimbo.wire.gamestate import differences

SCHEMA = "determinism_report_v1"
_ABSENT = "nothing"
_ROWS, _TURNS = 64, 400
_REMOTE = "from jimbo.deploy.audit import play_for_others; play_for_others()"

PackedRun = list[bytes]
"""The start and the steps of a run, each as packed JSON."""
Progress = Callable[[], None]
"""Called after each game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPlan(Declared):
    """Which games are played."""

    agent: str = declared(nonempty=True)
    options: Mapping[str, Any] = field(default_factory=dict)
    deck: str = declared(nonempty=True)
    stake: str = declared(nonempty=True)
    seeds: tuple[str, ...] = declared(nonempty=True)
    max_steps: int = declared(MAX_STEPS, min=1)


@dataclass(frozen=True, slots=True)
class RunDifference:
    """The first one of a way of playing."""

    seed: str
    step: int
    """0 is the start."""
    path: str
    one: Any
    other: Any


@dataclass(frozen=True, slots=True)
class Audited:
    """A way of playing, compared with the first."""

    name: str
    games: int
    steps: int
    difference: RunDifference | None
    trouble: str = ""
    """Why it could not be played, as a sentence."""

    @property
    def passed(self) -> bool:
        return self.difference is None and not self.trouble


# --- One run ----------------------------------------------------------------------------------------------------------


def played(plan: AuditPlan, number: int, agent: Agent | None = None) -> PackedRun:
    """A run in the simulator."""
    player = agent or make_agent(plan.agent, **plan.options)
    backend = SimBackend(reveal=player.clairvoyant)
    return list(_steps(plan, number, player, backend, backend.full_state))


def _steps(
    plan: AuditPlan, number: int, agent: Agent, backend: Backend, look: Callable[[], Mapping[str, Any]]
) -> Iterator[bytes]:
    rollout = Rollout(backend)
    rollout.start(deck=plan.deck, stake=plan.stake, seed=plan.seeds[number])
    yield _packed({"state": look()})
    for moment in rollout.play(agent, nonce_of(number), max_steps=plan.max_steps):
        yield _packed({**_decision_data(moment.decision), "state": look()})


def _decision_data(decision: Decision) -> dict[str, Any]:
    """All of a decision but the time it took."""
    return {
        "action": action_data(decision.action),
        "considered": list(map(considered_data, decision.considered)),
        "explanation": decision.explanation,
        "win": decision.win,
    }


def _packed(step: Mapping[str, Any]) -> bytes:
    return zlib.compress(json.dumps(step, separators=(",", ":")).encode(), 1)


# --- Ways of playing --------------------------------------------------------------------------------------------------


def again(plan: AuditPlan, progress: Progress) -> Iterator[PackedRun]:
    """In this process, one after another, by one agent."""
    agent = make_agent(plan.agent, **plan.options)
    for number in range(len(plan.seeds)):
        yield played(plan, number, agent)
        progress()


def by_workers(workers: int) -> Callable[[AuditPlan, Progress], Iterator[PackedRun]]:
    """In processes of their own, several at once, the last game first."""

    def play(plan: AuditPlan, progress: Progress) -> Iterator[PackedRun]:
        found: dict[int, PackedRun] = {}
        tasks = reversed(range(len(plan.seeds)))
        with closing(run_tasks(_Player(plan), tasks, workers)) as results:
            for number, run in results:
                if isinstance(run, Lost):
                    raise RuntimeError(run.why)
                found[number] = run
                progress()
        yield from (found[number] for number in sorted(found))

    return play


@dataclass(frozen=True, slots=True)
class _Player:
    plan: AuditPlan

    def __call__(self, number: int) -> PackedRun:
        return played(self.plan, number)


def by_threads(threads: int) -> Callable[[AuditPlan, Progress], Iterator[PackedRun]]:
    """In threads of this process, each with an agent of its own."""

    def play(plan: AuditPlan, progress: Progress) -> Iterator[PackedRun]:
        with ThreadPoolExecutor(threads) as pool:
            for run in pool.map(_Player(plan), range(len(plan.seeds))):
                yield run
                progress()

    return play


class ModBackend(SimBackend):
    """The simulator within what the mod can do: the other side of a run over the wire."""

    def __init__(self) -> None:
        super().__init__()
        self._limits = ModLimits(1)

    def cannot(self, action: Action) -> str | None:  # type: ignore[override]
        return cannot(action, self.state(), self._limits)

    def apply(self, action: Action) -> Applied:
        if is_tried(action, self.state(), self._limits):
            self._limits = self._limits._replace(sells_in_packs=False)
            raise UnsupportedAction("the mod refuses it")
        return super().apply(action)


def within_the_mod(plan: AuditPlan, progress: Progress) -> Iterator[PackedRun]:
    """In this process, where agents may do only what the mod can."""
    for number in range(len(plan.seeds)):
        backend = ModBackend()
        agent = RestrictedAgent(make_agent(plan.agent, **plan.options), backend)
        yield list(_steps(plan, number, agent, backend, backend.full_state))
        progress()


def over_the_wire(plan: AuditPlan, progress: Progress) -> Iterator[PackedRun]:
    """On a server of this package: the agent sees what its client reads, and the server's own state is compared."""
    with simulator() as server:
        game = server.game
        for number in range(len(plan.seeds)):
            backend = RealBackend(Client(server.url, settle=server.settle))
            agent = RestrictedAgent(make_agent(plan.agent, **plan.options), backend)
            yield list(_steps(plan, number, agent, backend, lambda: game.run.to_data() if game else {}))
            progress()


def by_interpreter(python: str) -> Callable[[AuditPlan, Progress], Iterator[PackedRun]]:
    """By another Python, which has a Jimbo of its own: a wheel where this one is a checkout, for instance."""

    def play(plan: AuditPlan, progress: Progress) -> Iterator[PackedRun]:
        asked = {
            "plan": {name: getattr(plan, name) for name in plan.__dataclass_fields__},
            "versions": dict(versions()),
        }
        with tempfile.TemporaryDirectory() as folder:
            try:
                done = subprocess.run(
                    [python, "-I", "-c", _REMOTE],
                    input=json.dumps(asked).encode(),
                    capture_output=True,
                    cwd=folder,
                    check=False,
                )
            except OSError as error:
                raise RuntimeError(f"{python} cannot be started: {reason(error)}") from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it says nothing"]
            raise RuntimeError(f"{python} ended with code {done.returncode}: {said[-1][:300]}")
        run: PackedRun = []
        for line in done.stdout.splitlines():
            if line == b"end":
                yield run
                run = []
                progress()
            else:
                run.append(zlib.compress(line, 1))

    return play


def play_for_others() -> None:
    """Read a plan from standard input and write its runs, a step a line: called in another interpreter."""
    asked = json_object(sys.stdin.read())
    here, there = versions()["rules"], asked["versions"]["rules"]
    if here != there:
        sys.exit(f"its rules are {here}, not {there}")
    plan = from_dict(AuditPlan, asked["plan"])
    for number in range(len(plan.seeds)):
        for step in played(plan, number):
            sys.stdout.write(f"{zlib.decompress(step).decode()}\n")
        sys.stdout.write("end\n")


# --- Comparing --------------------------------------------------------------------------------------------------------


def compared(name: str, plan: AuditPlan, first: Sequence[PackedRun], runs: Iterable[PackedRun]) -> Audited:
    """Compare a way of playing with the first; where it breaks off, that is its trouble."""
    games = steps = 0
    difference = None
    trouble = ""
    try:
        for seed, one, other in zip(plan.seeds, first, runs, strict=False):
            games, steps = games + 1, steps + len(other) - 1
            difference = difference or _first_difference(seed, one, other)
        if games < len(plan.seeds):
            trouble = f"only {games} of {len(plan.seeds)} games came back"
    except (RuntimeError, ImportError, ValueError) as error:
        trouble = str(error)
    return Audited(name, games, steps, difference, trouble)


def _first_difference(seed: str, one: PackedRun, other: PackedRun) -> RunDifference | None:
    for step, (here, there) in enumerate(zip_longest(one, other)):
        if here == there:
            continue
        found = next(differences(_opened(here), _opened(there), absent=_ABSENT), None)
        if found:
            return RunDifference(seed, step, found.path, found.here, found.there)
    return None


def _opened(step: bytes | None) -> Any:
    return json.loads(zlib.decompress(step)) if step else _ABSENT


def batches(threads: int) -> Audited:
    """Many random games at once in the engine, by one thread and by several: every array after every turn."""
    one, several = (_BatchGames(count) for count in (1, threads))
    difference = None
    for turn in range(_TURNS + 1):
        for name, here in one.arrays().items():
            place = _unequal(here, several.arrays()[name])
            if place is not None and difference is None:
                where = f"$.{name}[{place}]"
                values = (str(array[place])[:200] for array in (here, several.arrays()[name]))
                difference = RunDifference("random games", turn, where, *values)
        one.turn()
        several.turn()
    return Audited(f"batch of {threads} threads", _ROWS, _ROWS * _TURNS, difference)


def _unequal(one: Any, other: Any) -> int | None:
    """The first row in which two arrays differ, bit for bit."""
    rows = (array.reshape(len(array), -1).view(np.uint8) for array in map(np.ascontiguousarray, (one, other)))
    left, right = rows
    different = np.flatnonzero((left != right).any(axis=1))
    return int(different[0]) if different.size else None


class _BatchGames:
    def __init__(self, threads: int) -> None:
        self._batch = Batch(_ROWS, encoding="steps", threads=threads, autoreset="same_step")
        self._seen = BatchArrays.for_batch(self._batch)
        self._batch.bind(**self._seen.as_arguments())
        self._batch.reset()
        self._steps, self._turns = np.zeros(_ROWS, np.int32), 0

    def arrays(self) -> dict[str, Any]:
        return {"observations": self._seen.observations, "masks": self._seen.masks}

    def turn(self) -> None:
        self._batch.sample(self._steps, self._turns)
        self._batch.step(self._steps)
        self._turns += 1
