"""Any file of one run: what Jimbo reads as steps, and logs of the mod."""

from __future__ import annotations

from pathlib import Path

from jimbo.backends.sim import SimBackend
from jimbo.data.game_files import STANDARD_INPUT, Steps, bytes_of, is_position, json_objects, steps_in
from jimbo.data.record import BadRecord
from jimbo.data.record_files import SAVED_RUN
from jimbo.engine import PublicState, Run
from jimbo.files import sentence
from jimbo.rollout.loop import Rollout
from jimbo.serve.review.logs import gamestate_in, logged_run
from jimbo.serve.review.played import PlayedRun, played_run, simulated
from jimbo.wire.recorded_actions import UnknownAction

KINDS = (
    "It takes a run: what jimbo play has saved, a file of watch --record, assist --record, rollout (.jsonl) or trace "
    "record, or a log of the mod's gamestates as JSON lines."
)
_PARQUET = b"PAR1"
_SOURCES = {"record": "a record of Jimbo", "trace": "a trace of Jimbo", "recording": "a recording of the real game"}
_NOBODY = ("trace", "recording")
"""Kinds that do not tell who played."""
_DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, UnknownAction)
_OTHER_WAY = "The simulator goes another way than this run, so what is hidden is drawn anew for --retry."
_OTHER_END = "The run ends otherwise than its file says: another version of Jimbo wrote it."


class NotARun(ValueError):
    """A file that holds no run; the sentence says what to do."""


def read_run(source: str | Path, game: int = 1) -> PlayedRun:
    """Read a run from a file or standard input (-); NotARun with a sentence for anything else. ``game``: which one, of
    a rollout of several, from 1."""
    text = str(source)
    if is_position(text):
        raise NotARun(f"A position has no decisions to be reviewed. {KINDS}")
    name = "Standard input" if text == STANDARD_INPUT else text
    try:
        data, name = bytes_of(text)
        steps = steps_in(data, name, game)
        if game != 1 and not (steps and steps.kind == "rollout"):
            raise NotARun(f"{name} holds one run. Leave --game out.")
        run = _played_again(steps, game) if steps else _logged(data, name)
    except NotARun:
        raise
    except _DAMAGE as error:
        told = _words(error)
        raise NotARun(sentence(told if name in told else f"{name} cannot be reviewed: {told}")) from None
    if run.decisions < 1:
        raise NotARun(f"{name} holds a run without a decision, so there is nothing to review.")
    return run


def _words(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"the field {error} is missing"
    if isinstance(error, ValueError | UnknownAction):
        return str(error)
    return "a field has the wrong type"


def _played_again(steps: Steps, game: int) -> PlayedRun:
    """A run in the simulator; where it goes another way, as its states tell it, if there are any."""
    record = steps.record
    header, actions = record.header, [decision.action for decision in record.decisions]
    source = f"game {game} of a rollout" if steps.kind == "rollout" else _SOURCES[steps.kind]
    player = "" if steps.kind in _NOBODY else header.agent
    told = {one.step: PublicState.from_data(dict(one.state)) for one in record.snapshots}
    states = [told[step] for step in sorted(told)] if all(step in told for step in range(len(actions))) else []
    backend = SimBackend()
    try:
        run = simulated(source, player, header, actions, Rollout(backend))
    except BadRecord:
        if not states:
            raise
    else:
        if all(one.state == state for one, state in zip(run.positions, states, strict=False)):
            return run if steps.end_in(Run.load(backend.save())) else run.noting(_OTHER_END)
    return played_run(source, player, header.seed, None, states, actions, (_OTHER_WAY,))


def _logged(data: bytes, name: str) -> PlayedRun:
    """The run of a log of the mod."""
    if data.startswith(SAVED_RUN):
        raise NotARun(f"{name} is an older saved run: it holds one state, and not what was done. {KINDS}")
    if data.startswith(_PARQUET):
        raise NotARun(f"{name} holds columns. Make lines of it first: jimbo data convert {name} --help")
    try:
        text = data.decode()
    except UnicodeError:
        raise NotARun(f"{name} is not a run. {KINDS}") from None
    if not text.strip():
        raise NotARun(f"{name} is empty. {KINDS}")
    try:
        lines = json_objects(text)
    except ValueError as error:
        raise NotARun(f"{name} is not a run: {error}. {KINDS}") from None
    if gamestate_in(lines[0]) is None:
        raise NotARun(f"{name} is not a run. {KINDS}")
    return logged_run(lines)
