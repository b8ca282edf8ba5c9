"""Files of RecordV1, read by playing their games again: every line must be as the game goes.

Where lines hold the public state (``obs_raw``), that is taken in place of playing, and the outcome of each decision is
taken from the lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from jimbo.data.columns import DecisionRows, GameRows
from jimbo.data.config_file import read_config
from jimbo.data.record import Decision, Header, Outcome, Record, Snapshot, outcome_of, result_of
from jimbo.data.record_files import read_decision
from jimbo.data.record_v1 import FIELDS, GAME_ATTRIBUTES, OBS_RAW, RECORD_SCHEMA, GameLines
from jimbo.data.samples import BadData, Facts, Game, Samples
from jimbo.declared import from_dict, short_repr
from jimbo.engine import PublicState, Run, batch_schema_hash
from jimbo.files import json_object, read_lines, reading, sentence
from jimbo.seeds.starts import checked_seed

_NOT_COMPARED = ("timestamp", "instance_id", "base_url", "versions", OBS_RAW)
"""Where, when and by what version a game was played."""
_ROWS_AT_ONCE = 4096

Json = dict[str, Any]


# --- Lines ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class WrittenGame:
    """The lines of one game, in a row."""

    first: int
    """Number of its first line in the file, from 1."""
    lines: list[Json] = field(default_factory=list)
    end: int = 0
    """Bytes up to its end."""

    @property
    def is_whole(self) -> bool:
        return bool(len(self.lines) == self.lines[0]["steps"])


def read_games(path: Path) -> Iterator[WrittenGame]:
    """The games of a file one after another; BadData names the line that is not one of a game."""
    return _games(_lines(path), path)


def _games(lines: Iterable[tuple[int, bytes, int]], path: Path | str) -> Iterator[WrittenGame]:
    game, number = WrittenGame(1), 0
    for number, line, end in lines:
        try:
            data = _read_line(line)
            _check_place(game, data)
        except ValueError as error:
            raise BadData(f"{path}, line {number}: {error}.") from None
        game.lines.append(data)
        game.end = end
        if game.is_whole:
            yield game
            game = WrittenGame(number + 1)
    if number == 0:
        raise BadData(f"{path} is empty: it holds no decision.")
    if game.lines:
        yield game


def scan_games(path: Path) -> tuple[set[int], int]:
    """The numbers of the games that are there, and the bytes up to the end of the last whole one.

    What follows is of a game that was being written when the process was killed. BadData for any other trouble.
    """
    numbers: set[int] = set()
    whole = 0
    if path.stat().st_size == 0:
        return numbers, whole
    try:
        for game in read_games(path):
            if game.is_whole:
                numbers.add(game.lines[0]["episode_id"])
                whole = game.end
    except _CutLine:
        pass
    return numbers, whole


class _CutLine(BadData):
    """The last line has no end."""


def _lines(path: Path) -> Iterator[tuple[int, bytes, int]]:
    """Number, text and end of each line."""
    end = 0
    with reading(path, BadData), path.open("rb") as file:
        for number, line in enumerate(read_lines(file, path), 1):
            end += len(line)
            if not line.endswith(b"\n"):
                raise _CutLine(f"{path}, line {number}, is cut off: the file is truncated.")
            yield number, line, end


def _read_line(line: bytes) -> Json:
    """A line with all its fields; ValueError in a few words for anything else."""
    data = json_object(line.rstrip(b"\n"), finite=True)
    if data.get("schema_version") != RECORD_SCHEMA:
        raise ValueError(f"it is not a record of the schema {RECORD_SCHEMA}")
    if missing := [name for name in FIELDS if name not in data]:
        raise ValueError(f"{missing[0]} is missing")
    if unknown := [name for name in data if name not in FIELDS and name != OBS_RAW]:
        raise ValueError(f"there is no field {short_repr(unknown[0])}")
    if not isinstance(data["versions"], dict):
        raise ValueError("versions must be named texts")
    if data["schema_hash"] != batch_schema_hash():
        raise ValueError(
            f"it was written with other observations or candidates (schema_hash {short_repr(data['schema_hash'])}, "
            f"here {batch_schema_hash()})"
        )
    return data


def _check_place(game: WrittenGame, line: Json) -> None:
    """Whether a line follows those of its game."""
    for name in ("episode_id", "step_id", "steps"):
        if not isinstance(line[name], int) or line[name] < 0:
            raise ValueError(f"{name} must be a whole number")
    before = game.lines[-1] if game.lines else None
    if line["step_id"] != len(game.lines) + 1 or line["steps"] < line["step_id"]:
        raise ValueError(f"step_id must be {len(game.lines) + 1} here, and at most steps")
    if before is not None and (line["episode_id"], line["steps"]) != (before["episode_id"], before["steps"]):
        raise ValueError("the game before is not whole")


# --- Games ------------------------------------------------------------------------------------------------------------


def facts_of(path: Path) -> Facts:
    """What a file says about itself, and the settings beside it."""
    return Facts(RECORD_SCHEMA, next(read_games(path)).lines[0]["versions"], read_config(path))


def samples_of(path: Path) -> Samples:
    """The decisions of a file; BadData names the line that is not as the game goes."""
    rows = GameRows()
    for game in read_games(path):
        _add(path, game, rows)
    return rows.rows().samples


def iter_rows(path: Path, *, replayed: bool = False) -> Iterator[DecisionRows]:
    """All decisions of a file, some games at a time, which last until the next.

    ``replayed``: every game is played again, even where its lines hold the states.
    """
    rows = GameRows()
    for game in read_games(path):
        _add(path, game, rows, replayed)
        if len(rows) >= _ROWS_AT_ONCE:
            yield rows.rows()
            rows.clear()
    if len(rows):
        yield rows.rows()


def _add(path: Path, game: WrittenGame, rows: GameRows, replayed: bool = False) -> None:
    """Checks the lines of a game, and gathers its decisions."""
    again = GameLines()
    number = game.first
    try:
        if not game.is_whole:
            raise ValueError(f"the game is cut off after {len(game.lines)} of {game.lines[0]['steps']} decisions")
        played = _game(game.lines[0])
        for step in _steps(game.lines, played, replayed):
            again.add(*step)
            rows.add(*step)
            number += 1
    except ValueError as error:
        raise BadData(sentence(f"{path}, line {number}: {error}")) from None
    rows.end(played)
    for number, (line, expected) in enumerate(zip(game.lines, again.lines(played), strict=True), game.first):
        if wrong := [name for name in expected if name not in _NOT_COMPARED and line[name] != expected[name]]:
            raise BadData(f"{path}, line {number}: {_differs(wrong[0], line[wrong[0]], expected[wrong[0]])}.")


def _game(line: Json) -> Game:
    """What the lines of a game say about it."""
    checked_seed(str(line["seed"]))
    return from_dict(Game, {attribute: line[name] for attribute, name in GAME_ATTRIBUTES.items()})


def _steps(lines: list[Json], game: Game, replayed: bool) -> Iterator[Step]:
    if not replayed and all(OBS_RAW in line for line in lines):
        yield from _told(lines, game)
        return
    steps = replay(game, lambda _, number: _decision(lines[number]))
    for line, step in zip(lines, steps, strict=True):
        if OBS_RAW in line and _state(line) != step[0]:
            raise ValueError("obs_raw is not what the game shows there")
        yield step


def _state(line: Json) -> PublicState:
    if not isinstance(line[OBS_RAW], dict):
        raise ValueError("obs_raw must be a public state")
    return PublicState.from_data(line[OBS_RAW])


def _told(lines: list[Json], game: Game) -> Iterator[Step]:
    """As the lines themselves say."""
    for line in lines:
        if not isinstance(line["blinds"], int) or not 0 <= line["blinds"] <= game.blinds:
            raise ValueError("blinds must be a whole number, at most blinds_total")
    beaten = [line["blinds"] for line in lines[1:]] + [game.blinds]
    for line, later in zip(lines, beaten, strict=True):
        state, decision = _state(line), _decision(line)
        if refusal := state.refusal(decision.action):
            raise ValueError(f"the action is not allowed in obs_raw: {refusal.sentence}")
        if not isinstance(line["reward"], float | int):
            raise ValueError("reward must be a number")
        yield state, decision, Outcome(float(line["reward"]), later > line["blinds"], bool(line["done"]))


def one_game(data: bytes, name: str, which: int | None = None) -> Record:
    """A game of a file that has been read already, as the record of a run: the one of this number, from 1, or the only
    one. The states that its lines hold are snapshots. BadData where there is no such game, or there are several."""
    games = _games(((number, line, 0) for number, line in enumerate(data.splitlines(), 1)), name)
    written = next(islice(games, (which or 1) - 1, None), None)
    if written is None:
        raise BadData(f"{name} has no game {which}. Choose another with --game.")
    if which is None and (other := next(games, None)):
        more = "a second game begins, and one is needed here; jimbo rollout --games 1 records one"
        raise BadData(f"{name}, line {other.first}: {more}.")
    game = _game(written.lines[0])
    header = Header(
        seed=game.seed,
        deck=game.deck,
        stake=game.stake,
        challenge=game.challenge,
        agent=game.agent,
        nonce=game.nonce,
        versions=written.lines[0]["versions"],
    )
    told = enumerate(line.get(OBS_RAW) for line in written.lines)
    snapshots = tuple(Snapshot(step, state) for step, state in told if isinstance(state, dict))
    return Record(header, tuple(map(_decision, written.lines)), snapshots)


def _decision(line: Json) -> Decision:
    candidates = line["candidates"]
    if isinstance(candidates, list):  # a value that is not a number is written as null
        candidates = [
            other | {"value": math.nan} if isinstance(other, dict) and other.get("value", 0) is None else other
            for other in candidates
        ]
    return read_decision({**line, "candidates": candidates, "seconds": 0.0})


# --- Games played again -----------------------------------------------------------------------------------------------

Step = tuple[PublicState, Decision, Outcome]
"""What was seen, what was decided, and its outcome."""


def replay(game: Game, decide: Callable[[PublicState, int], Decision]) -> Iterator[Step]:
    """The decisions of a game from 0 on, as ``decide`` tells them.

    ValueError says what is not allowed, or how the game ends in another way.
    """
    run = Run(deck=game.deck, stake=game.stake, seed=game.seed, challenge=game.challenge)
    state, beaten = run.public_state(), 0
    for number in range(game.steps):
        decision = decide(state, number)
        if refusal := run.refusal(decision.action):
            raise ValueError(f"the action is not allowed where the game is then: {refusal.sentence}")
        run.step(decision.action)
        before, state = state, run.public_state()
        outcome = outcome_of(before, state)
        beaten += outcome.beaten
        if number + 1 == game.steps:
            _check_end(game, state, beaten)
        yield before, decision, outcome


def _check_end(game: Game, state: PublicState, beaten: int) -> None:
    found = {"result": result_of(state), "final_ante": state.ante, "final_round": state.round, "blinds_total": beaten}
    said = {"result": game.result, "final_ante": game.ante, "final_round": game.round, "blinds_total": game.blinds}
    for name, value in found.items():
        if value != said[name]:
            raise ValueError(_differs(name, said[name], value))


def _differs(name: str, said: object, found: object) -> str:
    return f"{name} is {short_repr(said)}, but the game has {short_repr(found)}"
