"""The one reader of files that hold a game: a run, a state or a typed position, told apart by what they hold."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, cast

from jimbo.backends.saved import save_in
from jimbo.data.action_json import action_from_json
from jimbo.data.notation_words import LONGEST
from jimbo.data.position import read_position
from jimbo.data.record import (
    SCHEMA,
    BadRecord,
    Decision,
    Header,
    Record,
    ending_of,
    hash_of,
    header_at,
    public_hash,
    versions,
)
from jimbo.data.record_files import SAVED_RUN, record_in
from jimbo.data.record_v1 import RECORD_SCHEMA
from jimbo.data.record_v1_files import one_game
from jimbo.data.trace import TRACE_SCHEMA
from jimbo.engine import PublicState, Run, schema_hash
from jimbo.files import json_object, loads, named_file, read_bytes, read_open, reading, reason, sentence
from jimbo.seeds.starts import checked_seed, deck_key, stake_key
from jimbo.wire.codec.follow import Follower
from jimbo.wire.recorded_actions import UnknownAction, engine_actions
from jimbo.wire.saves.table import looks_like_save

Json = dict[str, Any]
Kind = Literal["record", "rollout", "saved run", "trace", "recording", "state", "whole state", "save", "position"]
PLAYER = "player"
"""The agent of a record whose decisions somebody took."""
STANDARD_INPUT = "-"
REMEDY = (
    "It takes a saved run, a record, a trace, a state (public_v1 or state_v1), a save of the game (save.jkr) or a "
    "typed position such as hand: As Kd 10h; jokers: Baron."
)
DRAWN_ANEW = "Of {} only what the player sees is known: the run goes on in a world that looks the same, drawn anew."
STATE_FIELDS = ("state", "result", "gamestate", "game_state")
"""Where a line of a log may have the state."""
_LONGEST_SENTENCE = 1000
_SAVE, _PACKED = ".jkr", b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Steps:
    """What was done in a run. A trace has a hash of its last state in place of an end."""

    kind: Kind
    record: Record
    last_hash: str = ""

    def end_in(self, run: Run) -> bool:
        """Whether they ended in this run where they were taken."""
        if self.last_hash:
            return hash_of(run.to_data()) == self.last_hash
        return self.record.end is None or self.record.end.public_hash == public_hash(run.public_state())


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A game as a file has it, at one of its decisions."""

    state: PublicState
    kind: Kind
    name: str
    """Of the file, for sentences."""
    run: Run | None = None
    """The run itself; None where only what its player sees is known."""
    start: Run | None = None
    """The run where its decisions begin."""
    decisions: Sequence[Decision] = ()
    """What led from there to the state."""
    notes: tuple[str, ...] = ()
    """Sentences on what cannot be as it was."""
    held: bytes = field(default=b"", repr=False)
    """What the file holds, where going on with the game may replace it."""

    def world(self, nonce: int = 0) -> Run:
        """Return the run itself, or one that looks the same, drawn by the nonce; ValueError for one that is over."""
        if self.over:
            raise ValueError(self.over)
        return self.run.clone() if self.run else self.state.imagine(nonce)

    @property
    def over(self) -> str:
        """A sentence on a run that is over; empty for one that goes on."""
        if not self.state.over:
            return ""
        earlier = f" --at takes 0 to {len(self.decisions) - 1}, to go on earlier." if self.decisions else ""
        return f"The run in {self.name} is over.{earlier}"

    @property
    def told(self) -> tuple[str, ...]:
        """What is to be said where the game goes on."""
        return self.notes if self.run else (*self.notes, DRAWN_ANEW.format(self.name))


def read_game(source: str | Path, at: int | None = None) -> LoadedGame:
    """Read a file, standard input (-) or a typed position, after ``at`` decisions of a run or at its last state.

    ValueError with a sentence and a remedy for whatever holds no game.
    """
    text = str(source)
    if is_position(text):
        return _only(LoadedGame(read_position(text), "position", "the position"), at)
    return game_in(*bytes_of(text), at)


def steps_of(source: str | Path) -> Steps:
    """The steps of a file, which is not played; ValueError with a sentence for whatever holds none."""
    text = str(source)
    if not is_position(text):
        data, name = bytes_of(text)
        if steps := steps_in(data, name):
            return steps
        game_in(data, name)  # whatever is wrong with it is said
    raise ValueError(f"{text} holds no steps. This takes a run that jimbo play has saved, a record or a trace.")


def bytes_of(text: str) -> tuple[bytes, str]:
    """What a file or standard input (-) holds, unpacked, and what sentences call it; ValueError with a sentence."""
    name = "Standard input" if text == STANDARD_INPUT else text
    try:
        data = read_open(sys.stdin.buffer, name) if text == STANDARD_INPUT else read_bytes(Path(text))
        if data.startswith(_PACKED):
            data = read_open(cast(IO[bytes], gzip.GzipFile(fileobj=io.BytesIO(data))), name)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise ValueError(f"{name} cannot be read: it is damaged. {REMEDY}") from None
    except OSError as error:
        raise ValueError(f"{name} cannot be read: {reason(error)}. {REMEDY}") from None
    return data, name


def is_position(text: str) -> bool:
    """Whether an argument is a typed position, not the name of a file."""
    return named_file(text[:LONGEST]) is None and bool(re.match(r"\s*[A-Za-z ]+:(?![\\/])", text))


def game_in(data: bytes, name: str, at: int | None = None) -> LoadedGame:
    """The game that some bytes hold; ``name`` is what sentences call them."""
    try:
        return _game_in(data, name, at)
    except ValueError as error:  # it may quote the file, and so what a terminal would obey
        raise ValueError(re.sub(r"[\x00-\x1f\x7f-\x9f]", "?", str(error)[:_LONGEST_SENTENCE])) from None


def _game_in(data: bytes, name: str, at: int | None) -> LoadedGame:
    if data.startswith(SAVED_RUN):
        return _only(_saved_run(data, name), at)
    if steps := steps_in(data, name):
        return _played(name, steps, at, data)
    if looks_like_save(data) or name.endswith(_SAVE):
        saved = save_in(data, name)
        return _only(LoadedGame(saved.state, "save", name, notes=saved.notes), at)
    try:
        text = data.decode()
    except UnicodeError:
        raise ValueError(f"{name} is neither text nor a save of the game. {REMEDY}") from None
    if not text.strip():
        raise ValueError(f"{name} is empty. {REMEDY}")
    if not text.lstrip().startswith(("{", "[")):
        if ":" not in text:
            raise ValueError(f"{name} holds no game. {REMEDY}")
        try:
            return _only(LoadedGame(read_position(text), "position", name), at)
        except ValueError as error:
            raise ValueError(f"{name} holds no position that can be read: {error}") from None
    try:
        return _in_json(text, name, at)
    except _NoGame as error:
        raise ValueError(f"{name} is not a state that can be played: {str(error).rstrip('.')}. {REMEDY}") from None


class _NoGame(ValueError):
    """A few words on what is wrong."""


def _saved_run(data: bytes, name: str) -> LoadedGame:
    try:
        run = Run.load(data)
    except ValueError as error:
        raise ValueError(f"{name} cannot be resumed: {error}.") from None
    return LoadedGame(run.public_state(), "saved run", name, run, run, held=data)


def _only(game: LoadedGame, at: int | None) -> LoadedGame:
    if at is not None:
        raise ValueError(f"--at is for runs with their steps, and {game.name} holds one state. Leave it out.")
    return game


# --- JSON -------------------------------------------------------------------------------------------------------------


def _in_json(text: str, name: str, at: int | None) -> LoadedGame:
    try:
        lines = json_objects(text)
    except ValueError as error:
        raise _NoGame(str(error)) from None
    schema = lines[0].get("schema", lines[0].get("schema_version"))
    states = [state for line in lines if (state := _state_data(line)) is not None]
    if not states:
        raise _NoGame(f"it is of the schema {schema}" if isinstance(schema, str) else "it holds no state")
    if len(states) == 1:
        return _only(_seen(states[0], name), at)
    return _seen(states[_place(at, len(states) - 1, f"{name} has {len(states)} states")], name)


def json_objects(text: str) -> list[Json]:
    """The objects of a text, at least one: a line for each, or one object or a list of them on any lines. The last line
    of several may be cut, as a killed process leaves it. ValueError in a few words."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        found = [json_object(lines[0])]
    except ValueError:
        whole = loads(text)
        found = whole if isinstance(whole, list) else [whole]
        if not found or not all(isinstance(one, dict) for one in found):
            raise ValueError("it is not a JSON object") from None
        return found
    for number, line in enumerate(lines[1:], 2):
        try:
            found.append(json_object(line))
        except ValueError as error:
            if number < len(lines):
                raise ValueError(f"in line {number}, {error}") from None
    return found


def _place(at: int | None, last: int, has: str) -> int:
    if at is not None and at > last:
        raise ValueError(f"{has}, so --at takes 0 to {last}, not {at}.")
    return last if at is None else at


def _state_data(line: Json) -> Json | None:
    """The state of a line: the line itself, or what has it, such as advice."""
    if line.get("schema_version") in ("public_v1", "state_v1") or "ante_num" in line:
        return line
    return next((inner for name in STATE_FIELDS if isinstance(inner := line.get(name), dict)), None)


def _seen(data: Json, name: str) -> LoadedGame:
    try:
        if data.get("schema_version") == "state_v1":
            run = Run.from_json(json.dumps(data))
            return LoadedGame(run.public_state(), "whole state", name, run, run)
        if "ante_num" in data:
            return LoadedGame(Follower(data).public_state(), "state", name)
        return LoadedGame(PublicState.from_data(data), "state", name)
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise _NoGame(str(error)) from None


# --- Runs with their steps --------------------------------------------------------------------------------------------


def record_between(start: bytes, now: bytes, decisions: Sequence[Decision], player: str) -> Record:
    """The record of a run from one of its saves (``Run.save``) to another, by the decisions between them."""
    first, last = Run.load(start), Run.load(now)
    end = ending_of(last.public_state(), len(decisions), last.to_data())
    return Record(header_at(first, player), tuple(decisions), end=end)


def first_run(header: Header) -> Run:
    """The run of a record where it begins; ValueError with a sentence where none can."""
    try:
        if header.start is not None:
            return Run.from_json(json.dumps(header.start))
        deck = None if header.challenge else header.deck
        return Run(deck=deck, stake=header.stake, seed=header.seed, challenge=header.challenge)
    except ValueError as error:
        raise ValueError(sentence(f"No run can begin as the record says: {error}")) from None


def steps_in(data: bytes, name: str, game: int | None = None) -> Steps | None:
    """What is done in a record, a trace or a recording; None for whatever else this is. ``game``: which one of a
    rollout, from 1; it may hold several then."""
    first = data.lstrip().partition(b"\n")[0]
    try:
        head = json_object(first if first.rstrip().endswith(b"}") else data)
    except ValueError:
        return None
    if str(head.get("schema")).startswith(SCHEMA[:-1]):
        with reading(name, BadRecord):
            return Steps("record", record_in(data.decode(), name))
    if head.get("schema_version") == RECORD_SCHEMA:
        return Steps("rollout", one_game(data, name, game))
    if isinstance(head.get("steps"), list) and "seed" in head:
        return _recorded(name, head)
    return _traced(name, data) if head.get("schema_version") == TRACE_SCHEMA else None


def _recorded(name: str, told: Json) -> Steps:
    """A run of the real game as people write it down: ``{"deck", "stake", "seed", "steps": [{"action"}]}``."""
    decisions: list[Decision] = []
    try:
        deck, stake = deck_key(str(told["deck"]).lower()), stake_key(str(told["stake"]).lower())
        start = Header(seed=checked_seed(str(told["seed"])), deck=deck, stake=stake, agent="recording")
        run = first_run(start)
        for step in told["steps"]:
            for action in engine_actions(step["action"], run.clone()):
                decisions.append(Decision(action))
                if run.refusal(action) is not None:  # whoever plays it says so
                    return Steps("recording", Record(start, tuple(decisions)))
                run.step(action)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, UnknownAction) as error:
        raise ValueError(f"{name} is not a recording that can be read: {_what_is_wrong(error)}.") from None
    return Steps("recording", Record(start, tuple(decisions)))


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it lacks the field {error}"
    return str(error).rstrip(".") if isinstance(error, ValueError | UnknownAction) else "a field has the wrong type"


def _traced(name: str, data: bytes) -> Steps:
    """A trace has the actions alone: nobody is named who took them."""
    decisions: list[Decision] = []
    start, last_hash = None, ""
    for number, line in enumerate(filter(bytes.strip, data.splitlines()), 1):
        try:
            told = json_object(line)
            if start is None:
                start = _start_of(told)
            else:
                decisions.append(Decision(action_from_json(told["action"])))
            last_hash = str(told["state_hash_full"])
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            wrong = _what_is_wrong(error)
            raise ValueError(f"{name}, line {number}, is not a line of a trace: {wrong}.") from None
    assert start
    return Steps("trace", Record(start, tuple(decisions)), last_hash)


def _played(name: str, steps: Steps, at: int | None, data: bytes) -> LoadedGame:
    """The run of a record after its first ``at`` decisions."""
    record = steps.record
    start, decisions = first_run(record.header), record.decisions
    last = _place(at, len(decisions), f"{name} has {len(decisions)} decisions")
    run = start.clone()
    for number, decision in enumerate(decisions[:last]):
        if refusal := run.refusal(decision.action):
            there = "" if dict(record.header.versions) == versions() else " It was recorded by another version."
            remedy = f"--at {number} goes on before it."
            raise ValueError(f"{name}: decision {number + 1} is not allowed, {refusal.sentence}.{there} {remedy}")
        run.step(decision.action)
    state, notes = run.public_state(), tuple[str, ...]()
    if last == len(decisions) and not steps.end_in(run):
        notes = (f"{name} was recorded where the run went another way; it goes on as it goes here.",)
    own = last == len(decisions) and record.header.agent == PLAYER
    return LoadedGame(state, steps.kind, name, run, start, decisions[:last], notes, data if own else b"")


def _start_of(data: Mapping[str, Any]) -> Header:
    if data.get("type") != "start":
        raise ValueError("it is not the start")
    given = {key: data[key] for key in ("seed", "deck", "stake", "challenge")}
    if not all(isinstance(value, str) or (key == "challenge" and value is None) for key, value in given.items()):
        raise ValueError("its seed, deck and stake must be text")
    same = {"schema": data["schema_hash"]} if data["schema_hash"] != schema_hash() else {}
    return Header(**given, agent="trace", versions={**versions(), **same})
