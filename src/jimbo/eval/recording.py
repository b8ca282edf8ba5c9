"""Runs with every decision and its reasons, as JSON lines: a header, the decisions, the end.

The header and the actions are enough to play the run again; the end has the hash of the last state to check it by.
``record_files`` writes and reads them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from jimbo.agents import Agent, Considered, Decision
from jimbo.backends import PublicView
from jimbo.declared import Declared, declared
from jimbo.engine.run import Action, Run, RunView, view
from jimbo.eval.episodes import MAX_STEPS
from jimbo.eval.runner import versions
from jimbo.text import Told, tell

SCHEMA = "jimbo_record_v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header(Declared):
    """Who played what."""

    seed: str = declared(nonempty=True)
    deck: str = declared(nonempty=True)
    stake: str = declared(nonempty=True)
    challenge: str | None = declared(None, nonempty=True)
    """Its key, where one is played; the deck is the challenge's own then."""
    agent: str = declared(nonempty=True)
    options: Mapping[str, Any] = field(default_factory=dict)
    nonce: int = 0
    versions: Mapping[str, str] = declared(default_factory=versions, nonempty=True)
    schema: str = declared(SCHEMA, nonempty=True)

    def start(self) -> Run:
        return Run(deck=self.deck, stake=self.stake, seed=self.seed, challenge=self.challenge)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(Declared):
    result: str = declared(nonempty=True)
    """``win``, ``loss``, or ``open`` where the run was left before its end."""
    ante: int
    round: int
    steps: int
    state_hash: str = declared(nonempty=True)


@dataclass(frozen=True, slots=True)
class Moment:
    """One decision and what came of it."""

    step: int
    """From 1."""
    before: RunView
    decision: Decision
    told: Sequence[Told]
    after: RunView


@dataclass(frozen=True, slots=True)
class Record:
    header: Header
    decisions: tuple[Decision, ...]
    end: Ending | None
    """None where the file was cut."""


class BadRecord(ValueError):
    """A file that is no record, or a record that cannot be played."""


class AgentFailed(RuntimeError):
    """An agent could not go on."""


def watched(agent: Agent, run: Run, nonce: int, until_ante: int | None = None) -> Iterator[Moment]:
    """Lets an agent play to the end, or until an ante begins; the run is changed in place.

    It is shown what it is shown in an evaluation, and stopped after as many decisions.
    AgentFailed if the agent raises anything, or chooses what is not allowed.
    """
    agent.reset(nonce)
    step = 0
    while _goes_on(run, until_ante) and step < MAX_STEPS:
        step += 1
        try:
            moment = _moment(run, step, agent.act(PublicView(run, reveal=agent.clairvoyant)))
        except Exception as error:
            raise AgentFailed(f"The agent failed in decision {step}: {type(error).__name__}: {error}") from error
        yield moment


def _goes_on(run: Run, until_ante: int | None) -> bool:
    return run.phase != "game_over" and not run.won and (until_ante is None or run.ante < until_ante)


def replayed(record: Record, run: Run) -> Iterator[Moment]:
    """Plays a record again; BadRecord names the first action that is not allowed."""
    for step, decision in enumerate(record.decisions, 1):
        if refusal := run.refusal(decision.action):
            raise BadRecord(f"Decision {step} of the record is not allowed: {refusal}.")
        yield _moment(run, step, decision)


def _moment(run: Run, step: int, decision: Decision) -> Moment:
    before = view(run)
    events = run.step(decision.action)
    after = view(run)
    return Moment(step, before, decision, tell(events, before, after), after)


def ending(run: Run, steps: int) -> Ending:
    result = "win" if run.won else "loss" if run.phase == "game_over" else "open"
    return Ending(result=result, ante=run.ante, round=run.round, steps=steps, state_hash=state_hash(run))


def state_hash(run: Run) -> str:
    """Of everything in a run, hidden things included."""
    return hashlib.sha256(run.to_json().encode()).hexdigest()


# --- Lines ------------------------------------------------------------------------------------------------------------


def header_line(header: Header) -> str:
    return json.dumps(asdict(header))


def decision_line(step: int, decision: Decision) -> str:
    data = {
        "step": step,
        "action": action_data(decision.action),
        "explanation": decision.explanation,
        "seconds": decision.seconds,
        "measure": decision.measure,
        "candidates": [_considered_data(considered) for considered in decision.considered],
    }
    return json.dumps(data)


def ending_line(end: Ending) -> str:
    return json.dumps({"end": asdict(end)})


def action_data(action: Action) -> dict[str, Any]:
    return {"kind": action.kind, "index": action.index, "to": action.to, "cards": list(action.cards)}


def _considered_data(considered: Considered) -> dict[str, Any]:
    return {
        "action": action_data(considered.action),
        "value": considered.value,
        "text": considered.text,
        "clear": considered.clear,
        "error": considered.error,
        "chosen": considered.chosen,
    }
