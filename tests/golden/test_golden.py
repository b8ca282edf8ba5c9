"""Golden runs: a change of rules shows in them, and is reviewed in the diff."""

import json
from pathlib import Path
from typing import Any

import pytest

from golden.player import HelpedPlayer
from golden.story import HASHED, Help, Start, fingerprint, recorded, spoken, story
from jimbo.engine import Action, ActionKind, Run
from jimbo.engine.catalog import CHALLENGES, DECKS, STAKES

FOLDER = Path(__file__).parent / "runs"
PLAYABLE = [key for key in DECKS if key != "b_challenge"]
WON, ENDLESS = 9, 13


def golden_runs() -> dict[str, tuple[Start, int]]:
    """Name to the start of a run and the ante with which its story ends: every deck, every stake, some challenges."""
    runs = {}
    for place, deck in enumerate(PLAYABLE):
        level = place % len(STAKES)
        seed = f"{deck.removeprefix('b_').upper()[:7]}{level + 1}"
        runs[seed] = (Start(seed, deck, list(STAKES)[level]), ENDLESS if place % 4 == 0 else WON)
    for challenge in list(CHALLENGES)[::4]:
        seed = challenge.removeprefix("c_").replace("_", "").upper()[:8]
        runs[seed] = (Start(seed, "b_challenge", "stake_white", challenge), WON)
    return runs


RUNS = golden_runs()


@pytest.mark.parametrize("name", RUNS)
def test_golden_run(name: str, request: pytest.FixtureRequest) -> None:
    path, (start, until_ante) = FOLDER / f"{name}.txt", RUNS[name]
    if request.config.getoption("--golden-update"):
        moves = recorded(path.read_text(encoding="utf-8"))[1] if path.exists() else []
        path.write_text(story(start, moves, HelpedPlayer(name, until_ante)), encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    assert recorded(text)[0] == start
    assert story(*recorded(text)) == text, "if the new story is right: pytest tests/golden --golden-update"


def test_every_deck_and_stake_is_there() -> None:
    assert {start.deck for start, _ in RUNS.values()} == {*PLAYABLE, "b_challenge"}
    assert {start.stake for start, _ in RUNS.values()} == set(STAKES)


def test_the_runs_go_far_and_do_everything() -> None:
    stories = [(FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in RUNS]
    antes = sorted(int(text.splitlines()[-1].split("ante ")[1].split(",")[0]) for text in stories)
    assert sum(ante >= WON for ante in antes) >= 0.9 * len(antes)
    assert sum(ante >= ENDLESS for ante in antes) >= 3
    moves = [move for text in stories for move in recorded(text)[1]]
    assert {move.kind for move in moves if isinstance(move, Action)} == set(ActionKind)
    assert sum(isinstance(move, Help) for move in moves) < 0.05 * len(moves)


def test_no_run_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(RUNS)


# --- What a story is made of ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["play 0,2,3", "buy #1", "use #0 4", "move_joker #2>0", "leave_shop", "pick #0 1,2"])
@pytest.mark.parametrize("help_line", ["help: 3 levels for Full House", "help: 500 chips"])
def test_moves_are_read_as_they_are_told(line: str, help_line: str) -> None:
    start, moves = recorded(f"SEED b_red stake_white\n{line} | shop\nstate 0\n{help_line}\nend: ante 1\n")
    assert start == Start("SEED", "b_red", "stake_white")
    assert list(map(spoken, moves)) == [line, help_line]


def test_a_story_goes_on_where_a_recorded_move_is_refused() -> None:
    start = Start("SEED", "b_red", "stake_white")
    moves = [Action("select_blind"), Action("cash_out"), Action("discard", cards=[0])]
    assert [line.split(" | ")[0] for line in story(start, moves).splitlines()[1:-1]] == ["select_blind"]
    player = iter([Action("play", cards=[0]), None])
    told = story(start, moves, lambda _: next(player)).splitlines()[1:-1]
    assert [line.split(" | ")[0] for line in told] == ["select_blind", "play 0"]


BY_NAME = ("hands", "streams")
"""Objects whose names are poker hands and streams, not fields."""


def grown(data: Any, name: str = "") -> Any:
    """With another field in every object."""
    if isinstance(data, dict):
        return {key: grown(value, key) for key, value in data.items()} | ({} if name in BY_NAME else {"new": 1})
    return [grown(value) for value in data] if isinstance(data, list) else data


def played() -> dict[str, Any]:
    run = Run(seed="FINGER")
    run.debug_add_joker("j_joker")
    run.debug_add_consumable("c_fool")
    run.step(Action("select_blind"))
    run.step(Action("play", cards=[0]))
    data: dict[str, Any] = json.loads(run.to_json())
    return data


def test_a_new_field_of_the_state_changes_no_fingerprint() -> None:
    assert fingerprint(grown(played())) == fingerprint(played())


def test_a_named_field_changes_the_fingerprint() -> None:
    for path, names in HASHED.items():
        for name in names:
            state = played()
            part: Any = state
            for step in path.split("."):
                part = part["Pair"] if step == "*" else part[step]
            part = part[0] if isinstance(part, list) else part
            part[name] = "other"
            assert fingerprint(state) != fingerprint(played()), f"{path}: {name}"
