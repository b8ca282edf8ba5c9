"""Files of RecordV1, read by playing their games again: every line must be as the game goes.

Where lines hold the public state (``obs_raw``), that is taken in place of playing, and the outcome of each decision is
taken from the lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jimbo.data.decision import Decision
from jimbo.data.game_rows import GameRows, Rows
from jimbo.data.record_lines import read_decision
from jimbo.data.record_v1 import OBS_RAW, GameRecords
from jimbo.data.record_v1_lines import GameLines, read_games
from jimbo.data.replay import Step, differs, replay
from jimbo.data.results import Outcome
from jimbo.data.samples import BadData, Game, Samples
from jimbo.declared import from_dict
from jimbo.engine import PublicState
from jimbo.files import sentence
from jimbo.seeds import checked_seed

_NOT_COMPARED = ("timestamp", "instance_id", "base_url", "versions", OBS_RAW)
"""Where, when and by what version a game was played."""

Json = dict[str, Any]
ROWS_AT_ONCE = 4096


def read_records(path: Path) -> Samples:
    """The decisions of a file; BadData names the line that is not as the game goes."""
    rows = GameRows()
    for game in read_games(path):
        _add(path, game, rows)
    return rows.rows().samples


def iter_records(path: Path, *, replayed: bool = False) -> Iterator[Rows]:
    """The same with everything that is told, some games at a time, which last until the next.

    ``replayed``: every game is played again, even where its lines hold the states.
    """
    rows = GameRows()
    for game in read_games(path):
        _add(path, game, rows, replayed)
        if len(rows) >= ROWS_AT_ONCE:
            yield rows.rows()
            rows.clear()
    if len(rows):
        yield rows.rows()


def _add(path: Path, game: GameLines, rows: GameRows, replayed: bool = False) -> None:
    """Checks the lines of a game, and gathers its decisions."""
    records = GameRecords()
    number = game.first
    try:
        game.check_whole()
        played = _game(game.lines[0])
        for state, decision, outcome in _steps(game.lines, played, replayed):
            records.add(state, decision, outcome)
            rows.add(state, decision, outcome)
            number += 1
    except ValueError as error:
        raise BadData(sentence(f"{path}, line {number}: {error}")) from None
    rows.end(played)
    for number, (line, expected) in enumerate(zip(game.lines, records.ended(played), strict=True), game.first):
        if wrong := [name for name in expected if name not in _NOT_COMPARED and line[name] != expected[name]]:
            raise BadData(f"{path}, line {number}: {differs(wrong[0], line[wrong[0]], expected[wrong[0]])}.")


def _game(line: Json) -> Game:
    """What the lines of a game say about it."""
    same = ("seed", "deck", "stake", "challenge", "nonce", "result", "steps")
    named = {"agent": "policy", "ante": "final_ante", "round": "final_round", "blinds": "blinds_total"}
    named["number"] = "episode_id"
    checked_seed(str(line["seed"]))
    return from_dict(Game, {name: line[name] for name in same} | {name: line[told] for name, told in named.items()})


def _steps(lines: list[Json], game: Game, replayed: bool) -> Iterator[Step]:
    if all(OBS_RAW in line for line in lines):
        return _compared(lines, game) if replayed else _told(lines, game)
    return replay(game, lambda _, number: _decision(lines[number]))


def _compared(lines: list[Json], game: Game) -> Iterator[Step]:
    """Played again, and every state that a line holds compared."""
    for number, step in enumerate(replay(game, lambda _, number: _decision(lines[number]))):
        if _state(lines[number]) != step[0]:
            raise ValueError("obs_raw is not what the game shows there")
        yield step


def _state(line: Json) -> PublicState:
    if not isinstance(line[OBS_RAW], dict):
        raise ValueError("obs_raw must be a public state")
    return PublicState.from_data(line[OBS_RAW])


def _told(lines: list[Json], game: Game) -> Iterator[Step]:
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


def _decision(line: Json) -> Decision:
    candidates = line["candidates"]
    if isinstance(candidates, list):  # a value that is not a number is written as null
        candidates = [
            other | {"value": math.nan} if isinstance(other, dict) and other.get("value", 0) is None else other
            for other in candidates
        ]
    return read_decision({**line, "candidates": candidates, "seconds": 0.0})
