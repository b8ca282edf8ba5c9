"""Files of RecordV1, read by playing their games again: every line must be as the game goes.

Where lines hold the public state (``obs_raw``), that is taken in place of playing, and what came of each decision is
taken from the lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jimbo.data.came import Came, came_of, result_of
from jimbo.data.decision import Decision
from jimbo.data.game_rows import GameRows, Rows
from jimbo.data.record_lines import read_decision
from jimbo.data.record_v1 import OBS_RAW, GameRecords
from jimbo.data.record_v1_lines import GameLines, read_games
from jimbo.data.samples import BadData, Game
from jimbo.declared import filled, shown
from jimbo.engine import PublicState, Run
from jimbo.seeds import checked_seed

_NOT_COMPARED = ("timestamp", "instance_id", "base_url", "versions", OBS_RAW)
"""Where, when and by what version a game was played."""

Json = dict[str, Any]
Step = tuple[PublicState, Decision, Came]


def read_records(path: Path) -> Rows:
    """The decisions of a file; BadData names the line that is not as the game goes."""
    rows = GameRows()
    for game in read_games(path):
        add_game(path, game, rows)
    return rows.rows()


def add_game(path: Path, game: GameLines, rows: GameRows) -> None:
    """Checks the lines of a game, and gathers its decisions."""
    records = GameRecords()
    number = game.first
    try:
        game.check_whole()
        played = _game(game.lines[0])
        for state, decision, came in _steps(game.lines, played):
            records.add(state, decision, came)
            rows.add(state, decision, came)
            number += 1
    except ValueError as error:
        raise BadData(f"{path}, line {number}: {str(error).rstrip('.')}.") from None
    rows.end(played)
    for number, (line, expected) in enumerate(zip(game.lines, records.ended(played), strict=True), game.first):
        if wrong := [name for name in expected if name not in _NOT_COMPARED and line[name] != expected[name]]:
            raise BadData(f"{path}, line {number}: {_differs(wrong[0], line[wrong[0]], expected[wrong[0]])}.")


def _differs(name: str, said: Any, found: Any) -> str:
    return f"{name} is {shown(said)}, but the game has {shown(found)}"


def _game(line: Json) -> Game:
    """What the lines of a game say about it."""
    same = ("seed", "deck", "stake", "challenge", "nonce", "result", "steps")
    named = {"agent": "policy", "ante": "final_ante", "round": "final_round", "blinds": "blinds_total"}
    named["number"] = "episode_id"
    checked_seed(str(line["seed"]))
    return filled(Game, {name: line[name] for name in same} | {name: line[told] for name, told in named.items()})


def _steps(lines: list[Json], game: Game) -> Iterator[Step]:
    return _told(lines, game) if all(OBS_RAW in line for line in lines) else _replayed(lines, game)


def _replayed(lines: list[Json], game: Game) -> Iterator[Step]:
    run = Run(deck=game.deck, stake=game.stake, seed=game.seed, challenge=game.challenge)
    state, beaten = run.public_state(), 0
    for line in lines:
        decision = _decision(line)
        if refusal := run.refusal(decision.action):
            raise ValueError(f"the action is not allowed where the game is then: {refusal.sentence}")
        run.step(decision.action)
        before, state = state, run.public_state()
        came = came_of(before, state)
        beaten += came.beaten
        if line is lines[-1]:
            _check_end(game, state, beaten)
        yield before, decision, came


def _check_end(game: Game, state: PublicState, beaten: int) -> None:
    found = {"result": result_of(state), "final_ante": state.ante, "final_round": state.round, "blinds_total": beaten}
    said = {"result": game.result, "final_ante": game.ante, "final_round": game.round, "blinds_total": game.blinds}
    if wrong := [name for name in found if found[name] != said[name]]:
        raise ValueError(_differs(wrong[0], said[wrong[0]], found[wrong[0]]))


def _told(lines: list[Json], game: Game) -> Iterator[Step]:
    beaten = [line["blinds"] for line in lines[1:]] + [game.blinds]
    for line, later in zip(lines, beaten, strict=True):
        state, decision = PublicState.from_data(line[OBS_RAW]), _decision(line)
        if refusal := state.refusal(decision.action):
            raise ValueError(f"the action is not allowed in obs_raw: {refusal.sentence}")
        if not isinstance(line["reward"], float | int):
            raise ValueError("reward must be a number")
        yield state, decision, Came(float(line["reward"]), later > line["blinds"], bool(line["done"]))


def _decision(line: Json) -> Decision:
    candidates = line["candidates"]
    if isinstance(candidates, list):  # a value that is not a number is written as null
        candidates = [
            other | {"value": math.nan} if isinstance(other, dict) and other.get("value", 0) is None else other
            for other in candidates
        ]
    return read_decision({**line, "candidates": candidates, "seconds": 0.0})
