"""Any file of one run, recognised by what it holds: records of Jimbo, rollouts, traces, and logs of the mod."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from jimbo.data.action_json import action_from_json
from jimbo.data.record import SCHEMA as RECORD_SCHEMA
from jimbo.data.record import BadRecord, public_hash
from jimbo.data.record_files import read_record
from jimbo.data.record_v1 import RECORD_SCHEMA as RECORD_V1
from jimbo.data.record_v1_files import read_games, written_game
from jimbo.data.samples import BadData
from jimbo.data.trace import TRACE_SCHEMA, state_hashes
from jimbo.engine import Action, PublicState, Run
from jimbo.files import json_object, loads, read_bytes, read_open, reading, sentence
from jimbo.seeds.starts import checked_seed, deck_key, stake_key
from jimbo.serve.review.logs import gamestate_in, logged_run
from jimbo.serve.review.played import PlayedRun, Start, played_run, simulated
from jimbo.wire.recorded_actions import UnknownAction, engine_actions

Json = dict[str, Any]
KINDS = (
    "It takes a run: a file of jimbo watch --record, assist --record, rollout (.jsonl) or trace record, or a log of "
    "the mod's gamestates as JSON lines."
)
_SAVED_RUN, _PARQUET, _PACKED = b"JIMBO-RUN", b"PAR1", b"\x1f\x8b"
_DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, UnknownAction)
_OTHER_WAY = "The simulator goes another way than this run, so what is hidden is drawn anew for --retry."
_OTHER_END = "The run ends otherwise than its file says: another version of Jimbo wrote it."


class NotARun(ValueError):
    """A file that holds no run; the sentence says what to do."""


class _Source(NamedTuple):
    path: Path
    lines: Sequence[str]
    first: Json
    """The first line, or the whole file where that is one object."""
    whole: Sequence[Json] = ()
    """The file where it is one object or a list of them, and not a line for each."""

    def objects(self) -> Iterator[Json]:
        """Each line; the last may have been cut by a killed process."""
        if self.whole:
            yield from self.whole
            return
        for number, line in enumerate(self.lines, 1):
            try:
                yield json_object(line)
            except ValueError as error:
                if number == len(self.lines) > 1:
                    return
                raise NotARun(f"{self.path}, line {number}, cannot be read: {error}.") from None


def read_run(path: Path, game: int = 1) -> PlayedRun:
    """Read a run; NotARun with a sentence for any other file. ``game``: which one, of a file of several, from 1."""
    source = _opened(path)
    read = next((read for fits, read in _READERS if fits(source.first)), None)
    if read is None:
        raise NotARun(f"{path} is not a run. {KINDS}")
    if game != 1 and read is not _of_rollout:
        raise NotARun(f"{path} holds one run. Leave --game out.")
    try:
        run = read(source, game)
    except NotARun:
        raise
    except (BadRecord, BadData) as error:
        raise NotARun(_naming(path, str(error))) from None
    except _DAMAGE as error:
        raise NotARun(f"{path} cannot be reviewed: {_words(error)}.") from None
    if run.decisions < 1:
        raise NotARun(f"{path} holds a run without a decision, so there is nothing to review.")
    return run


def _naming(path: Path, text: str) -> str:
    return sentence(text if str(path) in text else f"{path} cannot be reviewed: {text}")


def _words(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"the field {error} is missing"
    if isinstance(error, ValueError | UnknownAction):
        return str(error).rstrip(".")
    return "a field has the wrong type"


def _opened(path: Path) -> _Source:
    try:
        with reading(path, NotARun):
            data = read_bytes(path)
            if data.startswith(_PACKED):
                data = read_open(cast(IO[bytes], gzip.GzipFile(fileobj=io.BytesIO(data))), path)
            if data.startswith(_SAVED_RUN):
                raise NotARun(f"{path} is a saved run: it holds one state, and not what was done. {KINDS}")
            if data.startswith(_PARQUET):
                raise NotARun(f"{path} holds columns. Make lines of it first: jimbo data convert {path} --help")
            text = data.decode("utf-8")
    except (EOFError, zlib.error):
        raise NotARun(f"{path} is damaged: it cannot be unpacked.") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise NotARun(f"{path} is empty. {KINDS}")
    try:
        return _Source(path, lines, json_object(lines[0]))
    except ValueError as error:
        whole = _whole(text)
        if not whole:
            raise NotARun(f"{path} is not a run: in its first line, {error}. {KINDS}") from None
    return _Source(path, lines, whole[0], whole)


def _whole(text: str) -> list[Json]:
    """What is written over several lines: an object, or a list of them."""
    try:
        data = loads(text)
    except ValueError:
        return []
    listed = data if isinstance(data, list) else [data]
    return listed if all(isinstance(one, dict) for one in listed) else []


# --- Records, rollouts, traces ----------------------------------------------------------------------------------------


def _of_record(source: _Source, _game: int) -> PlayedRun:
    record = read_record(source.path)
    header, end = record.header, record.end
    start = Start(
        deck=header.deck, stake=header.stake, seed=header.seed, challenge=header.challenge, state=header.start
    )
    actions = [decision.action for decision in record.decisions]
    told = {one.step: PublicState.from_data(dict(one.state)) for one in record.snapshots}
    states = [told[step] for step in range(len(actions) + 1)] if len(told) > len(actions) else []
    run = _played("a record of Jimbo", header.agent, start, actions, states)
    if run.exact and end and len(run.positions) == end.steps + 1 and public_hash(run.end) != end.public_hash:
        return run.noting(_OTHER_END)
    return run


def _played(
    source: str, player: str, start: Start, actions: Sequence[Action], states: Sequence[PublicState]
) -> PlayedRun:
    """A run in the simulator; where it goes another way, as the states tell it, if there are any."""
    try:
        run = simulated(source, player, start, actions)
    except BadRecord:
        if not states:
            raise
    else:
        if all(one.state == state for one, state in zip(run.positions, states, strict=False)):
            return run
    return played_run(source, player, start, states, actions, exact=False, notes=(_OTHER_WAY,))


def _of_rollout(source: _Source, game: int) -> PlayedRun:
    written = next(islice(read_games(source.path), game - 1, None), None)
    if written is None:
        raise NotARun(f"{source.path} has no game {game}. Choose another with --game.")
    played, decisions, states = written_game(written)
    start = Start(deck=played.deck, stake=played.stake, seed=played.seed, challenge=played.challenge)
    return _played(f"game {game} of a rollout", played.agent, start, [one.action for one in decisions], states)


def _of_trace(source: _Source, _game: int) -> PlayedRun:
    first, *steps = source.objects()
    start = Start(
        deck=deck_key(str(first["deck"])) if not first.get("challenge") else str(first["deck"]),
        stake=stake_key(str(first["stake"])),
        seed=checked_seed(str(first["seed"])),
        challenge=first.get("challenge"),
    )
    actions = [action_from_json(step["action"]) for step in steps]
    run = simulated("a trace of Jimbo", "", start, actions)
    if steps and run.decisions == len(steps):
        backend, rollout = start.rollout()
        for _ in rollout.replay(run.taken()):
            pass
        if state_hashes(backend.full_state())["state_hash_full"] != steps[-1].get("state_hash_full"):
            return run.noting(_OTHER_END)
    return run


def _of_transcription(source: _Source, _game: int) -> PlayedRun:
    """A run of the real game, written down step by step: ``{"deck", "stake", "seed", "steps": [{"action"}]}``."""
    told = source.first
    start = Start(
        deck=deck_key(str(told["deck"]).lower()),
        stake=stake_key(str(told["stake"]).lower()),
        seed=checked_seed(str(told["seed"])),
    )
    backend, rollout = start.rollout()

    def actions() -> Iterator[Action]:
        for step in told["steps"]:
            yield from engine_actions(step["action"], Run.load(backend.save()))

    return simulated("a recording of the real game", "", start, actions(), rollout)


# --- Logs of the mod --------------------------------------------------------------------------------------------------


def _of_log(source: _Source, _game: int) -> PlayedRun:
    return logged_run(source.objects())


def _has(name: str, value: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda first: first.get(name) == value


_READERS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[_Source, int], PlayedRun]], ...] = (
    (_has("schema", RECORD_SCHEMA), _of_record),
    (_has("schema_version", RECORD_V1), _of_rollout),
    (_has("schema_version", TRACE_SCHEMA), _of_trace),
    (lambda first: isinstance(first.get("steps"), list) and "seed" in first, _of_transcription),
    (lambda first: gamestate_in(first) is not None, _of_log),
)
