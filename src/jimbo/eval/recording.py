"""Runs with every decision and its reasons, as JSON lines: a header, the decisions, the end.

The header and the actions are enough to play the run again; the end has the hash of the last state to check it by.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from jimbo.agents import Agent, Candidate, Decision, Measure
from jimbo.backends import PublicView
from jimbo.engine.run import Action, Run, RunView, Told, tell, view
from jimbo.engine.seeds import deck_key, stake_key
from jimbo.eval.runner import versions

SCHEMA = "jimbo_record_v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Who played what."""

    seed: str
    deck: str
    stake: str
    agent: str
    options: Mapping[str, Any] = field(default_factory=dict)
    nonce: int = 0
    versions: Mapping[str, str] = field(default_factory=versions)
    schema: str = SCHEMA

    def start(self) -> Run:
        return Run(deck=self.deck, stake=self.stake, seed=self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    result: str
    """``win``, ``loss``, or ``open`` where the run was left before its end."""
    ante: int
    round: int
    steps: int
    state_hash: str


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

    AgentFailed if the agent raises anything, or chooses what is not allowed.
    """
    agent.reset(nonce)
    step = 0
    while run.phase != "game_over" and not run.won and (until_ante is None or run.ante < until_ante):
        step += 1
        try:
            moment = _moment(run, step, agent.act(PublicView(run)))
        except Exception as error:
            raise AgentFailed(f"The agent failed in decision {step}: {type(error).__name__}: {error}") from error
        yield moment


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
        "candidates": [_candidate_data(candidate) for candidate in decision.candidates],
    }
    return json.dumps(data)


def ending_line(end: Ending) -> str:
    return json.dumps({"end": asdict(end)})


def action_data(action: Action) -> dict[str, Any]:
    return {"kind": action.kind, "index": action.index, "to": action.to, "cards": list(action.cards)}


def _candidate_data(candidate: Candidate) -> dict[str, Any]:
    return {
        "action": action_data(candidate.action),
        "value": candidate.value,
        "text": candidate.text,
        "clear": candidate.clear,
        "error": candidate.error,
        "chosen": candidate.chosen,
    }


def read_record(path: Path) -> Record:
    """BadRecord with a sentence that names the line for anything else than a record."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise BadRecord(f"{path} cannot be read: {reason}.") from None
    header: Header | None = None
    decisions: list[Decision] = []
    end: Ending | None = None
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            if header is None:
                header = _header(data)
            elif end is not None:
                raise ValueError("nothing may follow the end")
            elif "end" in data:
                end = Ending(**data["end"])
            else:
                decisions.append(_decision(data))
        except (ValueError, TypeError, KeyError) as error:
            raise BadRecord(f"{path}, line {number}, is no line of a recorded run: {error}.") from None
    if header is None:
        raise BadRecord(f"{path} is empty.")
    return Record(header, tuple(decisions), end)


def _header(data: Any) -> Header:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise ValueError(f"the first line must be a header of the schema {SCHEMA}")
    header = Header(**data)
    for name in ("seed", "deck", "stake", "agent"):
        if not isinstance(data.get(name), str):
            raise ValueError(f"{name} must be a text")
    return replace(header, deck=deck_key(header.deck), stake=stake_key(header.stake), versions=dict(header.versions))


def _decision(data: Any) -> Decision:
    measure = data.get("measure", "value")  # older records have none
    if measure not in get_args(Measure):
        raise ValueError(f'there is no measure "{measure}"')
    return Decision(
        action=Action(**data["action"]),
        candidates=tuple(_candidate(candidate) for candidate in data["candidates"]),
        explanation=str(data["explanation"]),
        seconds=float(data["seconds"]),
        measure=measure,
    )


def _candidate(data: Any) -> Candidate:
    clear, error = data["clear"], data["error"]
    return Candidate(
        action=Action(**data["action"]),
        value=float(data["value"]),
        text=str(data["text"]),
        clear=None if clear is None else float(clear),
        error=None if error is None else float(error),
        chosen=bool(data.get("chosen", False)),
    )
