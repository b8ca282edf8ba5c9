"""``real_runs/initial_*``: the first recorded states of the real game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jimbo.engine.catalog import BLINDS, TAGS
from jimbo.engine.verify.corpus import CorpusFile
from jimbo.engine.verify.report import Case, each
from jimbo.engine.verify.run_start import RunStart

NOT_STATE = {"note", "effect"}
"""Remarks of the transcriber and descriptions on the cards."""


def check_initial(file: CorpusFile) -> Iterator[Case]:
    for recording in file.records():
        start = RunStart(recording["seed"], recording["deck"], recording["stake"])
        for i, step in enumerate(recording["steps"]):
            found = _state_after(step["action"]["type"], start)
            yield from _compare(f"steps[{i}].after", step["after"], found)


def _state_after(action: str, start: RunStart) -> dict[str, Any]:
    if action == "start":
        return _at_blind_choice(start)
    if action == "select_blind":
        return _after_first_deal(start)
    raise ValueError(f'an initial state cannot follow the action "{action}"')


def _at_blind_choice(start: RunStart) -> dict[str, Any]:
    small_tag, big_tag = start.tags
    return _numbers(start) | {
        "phase": "BLIND_SELECT",
        "round": 0,
        "blinds": {
            "small": {"score": start.score("bl_small"), "tag": _tag_name(small_tag), "status": "SELECT"},
            "big": {"score": start.score("bl_big"), "tag": _tag_name(big_tag), "status": "UPCOMING"},
            "boss": {"name": BLINDS[start.boss].name, "score": start.score(start.boss), "status": "UPCOMING"},
        },
        "hand": [],
        "deck_order": start.draw_pile,
    }


def _after_first_deal(start: RunStart) -> dict[str, Any]:
    hand, pile = start.first_deal()
    return _numbers(start) | {
        "phase": "SELECTING_HAND",
        "round": 1,
        "blind": "small",
        "blinds": {"small": "CURRENT"},
        "hand": hand,
        "deck_order": pile,
    }


def _numbers(start: RunStart) -> dict[str, Any]:
    return {
        "ante": 1,
        "money": start.dollars,
        "chips": 0,
        "hands_left": start.hands,
        "discards_left": start.discards,
        "reroll_cost": 5,
        "ancient_suit": start.ancient_suit,
        "jokers": [],
        "consumables": [],
    }


def _tag_name(key: str) -> str:
    """The wire still has the Speed Tag under its old name."""
    return "Skip Tag" if key == "tag_skip" else TAGS[key].name


def _compare(path: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Case]:
    """Every field that the recording has; what was not read is absent there."""
    for name, value in expected.items():
        if name in NOT_STATE:
            continue
        here = found.get(name)
        if isinstance(value, dict) and isinstance(here, dict):
            yield from _compare(f"{path}.{name}", value, here)
        elif isinstance(value, list) and isinstance(here, list) and value and here:
            yield from each(f"{path}.{name}", value, here)
        else:
            yield Case(f"{path}.{name}", value, here)
