"""Twins of rows: the same actions in the same scene, but one item is replaced by another or left out.

A row that passes with the twin of its scene says nothing about what the item does.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

from jimbo.engine._core import IllegalAction  # noqa: TID251
from jimbo.engine.catalog import BOOSTERS, CHALLENGES, CONSUMABLES, HANDS, STAKES, STICKERS
from rules.live import Live
from rules.scene import Row
from rules.situation import Scene, Spec, parse
from rules.tokens import EDITIONS

Swap = tuple[str, str]
"""A key, and the one that takes its place."""

IDLE = {
    "j_": ("j_mr_bones", "j_luchador"),
    "v_": ("v_blank", "v_grabber"),
    "tag_": ("tag_investment", "tag_juggle"),
    "bl_": ("bl_wall", "bl_goad"),
    "b_": ("b_red", "b_blue"),
}
"""By kind, an item that does next to nothing in nearly every scene, and another for its own rows."""


def fails_without(row: Row, key: str) -> bool:
    """Whether a row notices that an item is not there: an expectation is not met, or an action is not possible."""
    scene, swap = _twin(row.scene, key)
    try:
        live = TwinLive(scene, swap)
    except (ValueError, KeyError):
        return False  # there is no such scene, which proves nothing
    try:
        row.check_in(live)
    except (AssertionError, IllegalAction, LookupError, ValueError, pytest.fail.Exception):
        return True
    return False


class TwinLive(Live):
    """A twin's scene: where an action names the item, the one in its place is meant."""

    def __init__(self, scene: Scene, swap: Swap) -> None:
        super().__init__(scene)
        self._swap = swap

    def _place(self, card: str | int, among: Sequence[str]) -> int:
        return super()._place(self._swap[1] if card == self._swap[0] else card, among)


def _twin(scene: Scene, key: str) -> tuple[Scene, Swap]:
    hand = key.replace("_", " ")
    if hand in HANDS:  # what scores as this hand scores differently
        return replace(scene, levels={**scene.levels, hand: scene.levels.get(hand, 1) + 1}), (key, key)
    if key in STAKES:
        return replace(scene, stake=_other_stake(key)) if _is_stake(scene.stake, key) else scene, (key, key)
    if key in CHALLENGES:
        return replace(scene, challenge=None) if scene.challenge == key else scene, (key, key)
    if key.startswith(("m_", "e_", "seal_")) or key in STICKERS:
        return _changed(scene, lambda value: _unmarked(value, key)), (key, key)
    swap = (key, _other(key))
    return _changed(scene, lambda value: _swapped(value, swap)), swap


def _changed(scene: Scene, change: Any) -> Scene:
    """Every field but the rolls: chance stays as it is."""
    return replace(scene, **{f.name: change(getattr(scene, f.name)) for f in fields(scene) if f.name != "rolls"})


# --- Another item -----------------------------------------------------------------------------------------------------


def _other(key: str) -> str:
    for prefix, (first, second) in IDLE.items():
        if key.startswith(prefix):
            return second if key == first else first
    if key in BOOSTERS:
        fact = BOOSTERS[key]
        return next(
            k for k, f in BOOSTERS.items() if f.kind != fact.kind and (f.cards, f.picks) != (fact.cards, fact.picks)
        )
    return _other_consumable(key)


def _other_consumable(key: str) -> str:
    """That can be used on the same cards."""
    wanted = CONSUMABLES[key]
    others = [fact for fact in CONSUMABLES.values() if fact.key != key]
    others.sort(
        key=lambda fact: (
            (fact.min_targets, fact.max_targets) != (wanted.min_targets, wanted.max_targets),
            fact.kind != wanted.kind,
        )
    )
    return others[0].key


def _is_stake(name: str, key: str) -> bool:
    return name.removeprefix("stake_") == key.removeprefix("stake_")


def _other_stake(key: str) -> str:
    """The one below."""
    return list(STAKES)[max(1, list(STAKES).index(key)) - 1] if key != "stake_white" else "stake_red"


def _swapped(value: Any, swap: Swap) -> Any:
    if isinstance(value, str):
        name, colon, rest = value.partition(":")
        return swap[1] + colon + rest if name == swap[0] else value
    if isinstance(value, Mapping):
        return {name: _swapped(inner, swap) for name, inner in value.items()}
    return [_swapped(inner, swap) for inner in value] if isinstance(value, list | tuple) else value


# --- Without a mark ---------------------------------------------------------------------------------------------------


def _unmarked(value: Any, mark: str) -> Any:
    if isinstance(value, str):
        return re.sub(_in_token(mark), "", value)
    return [_plain(spec, mark) for spec in value] if isinstance(value, list | tuple) else value


def _in_token(mark: str) -> str:
    """As cards write it."""
    kind, _, name = mark.partition("_")
    names = {key: short for short, key in EDITIONS.items()}
    signs = {"m": "/" + name, "seal": "#" + name.capitalize(), "e": r"\*" + names.get(mark, "none")}
    return signs.get(kind, "(?!)") + r"(?![a-z])"


def _plain(spec: Spec, mark: str) -> Spec:
    key, marks = parse(spec)
    bare = {name: value for name, value in marks.items() if name != mark and value != mark}
    plain = re.sub(_in_token(mark), "", key)
    return spec if (plain, bare) == (key, marks) else {"key": plain, **bare}
