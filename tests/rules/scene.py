"""Situations of the game in a few words, and rows that act in them.

    scene = Live(Scene(jokers=["j_greedy_joker"], hand="KD KS 7H"))
    scene.play("KD KS")
    assert (scene.chips, scene.mult) == (30, 5)

A :class:`Scene` says what the situation is, a :class:`Live` builds it on a fresh run of the engine, acts in it and
shows what came of it. A :class:`Row` is one line of a table: scene, actions, expected values. Chance is fixed by
``rolls`` (see rolls.py), which must be used up exactly.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jimbo.engine import IllegalAction
from rules.live import Cards, Live
from rules.rolls import ANY, Pick
from rules.situation import OUT_OF_REACH, OWN, Scene

# fmt: off
__all__ = [
    "ANY",
    "OUT_OF_REACH",
    "OWN",
    "Do",
    "Live",
    "Pick",
    "Row",
    "Scene",
    "all_rows",
    "buy",
    "cash_out",
    "covered",
    "discard",
    "leave_shop",
    "move_joker",
    "open_booster",
    "pick",
    "play",
    "redeem",
    "reroll",
    "reroll_boss",
    "row",
    "rows_test",
    "scores",
    "select_blind",
    "sell",
    "skip_blind",
    "skip_pack",
    "use",
]
# fmt: on

Do = Callable[[Live], object]


def play(cards: Cards) -> Do:
    return lambda live: live.play(cards)


def discard(cards: Cards) -> Do:
    return lambda live: live.discard(cards)


def use(consumable: str | int, cards: Cards = ()) -> Do:
    return lambda live: live.use(consumable, cards)


def sell(card: str | int) -> Do:
    return lambda live: live.sell(card)


def buy(card: str | int, *, and_use: bool = False, cards: Cards = ()) -> Do:
    return lambda live: live.buy(card, and_use=and_use, cards=cards)


def redeem(voucher: str | int = 0) -> Do:
    return lambda live: live.redeem(voucher)


def open_booster(booster: str | int = 0) -> Do:
    return lambda live: live.open(booster)


def pick(card: str | int, cards: Cards = ()) -> Do:
    return lambda live: live.pick(card, cards)


def move_joker(joker: str | int, to: int) -> Do:
    return lambda live: live.move_joker(joker, to)


def _plain(kind: str) -> Do:
    return lambda live: live.act(kind)


select_blind = _plain("select_blind")
skip_blind = _plain("skip_blind")
reroll_boss = _plain("reroll_boss")
cash_out = _plain("cash_out")
reroll = _plain("reroll")
leave_shop = _plain("leave_shop")
skip_pack = _plain("skip_pack")


@dataclass(frozen=True)
class Row:
    """One line of a table.

    `expect` names properties of Live, or paths of the state ("round.hands_played"). A dict is compared member by member
    as far as given; that a card was played this ante (&) is compared only where the row writes it. `refused` says that
    the last action is not allowed, for a reason that contains this text, and changes nothing.
    """

    id: str
    covers: str
    """Keys that the row is a test of, and `pitfall:<slug>`, in one text."""
    scene: Scene
    do: Sequence[Do]
    expect: Mapping[str, Any]
    refused: str | None = None

    def check(self) -> None:
        self.check_in(Live(self.scene))

    def check_in(self, live: Live) -> None:
        *first, last = self.do or (lambda live: None,)
        for act in first:
            act(live)
        if self.refused is None:
            last(live)
        else:
            self._check_refusal(live, last)
        seen = {name: _seen(live, name, wanted) for name, wanted in self.expect.items()}
        assert seen == dict(self.expect)
        live.check_rolls()

    def _check_refusal(self, live: Live, act: Do) -> None:
        before = live.run.to_json()
        with pytest.raises(IllegalAction, match=self.refused):
            act(live)
        assert live.run.to_json() == before


def _seen(live: Live, name: str, wanted: Any) -> Any:
    value = getattr(live, name) if hasattr(Live, name) else live.at(name)
    if isinstance(wanted, Mapping):
        return {key: value[key] for key in wanted}
    if isinstance(wanted, str) and "&" not in wanted:
        return value.replace("&", "")
    return list(value) if isinstance(wanted, list) else value


def row(id: str, covers: str, scene: Scene, *do: Do, refused: str | None = None, **expect: Any) -> Row:
    """A Row with its expectations as keywords; `at={"round.hands_played": 1}` gives paths of the state."""
    paths = expect.pop("at", {})
    return Row(id, covers, scene, do, expect | paths, refused)


def scores(jokers: str, cards: str, chips: float, mult: float, *, covers: str | None = None, **more: Any) -> Row:
    """A row for one played hand: "KS KH | 2D" plays the first two and holds the third.

    `more` holds what Scene takes (except jokers and hand), and what else a Row expects under `expect`.
    """
    expect = more.pop("expect", {})
    played, _, held = cards.partition("|")
    scene = Scene(jokers=jokers.split(), hand=f"{played} {held}", **more)
    keys = " ".join(joker.partition(":")[0] for joker in scene.jokers)
    do = play(range(len(played.split())))
    wanted = {"chips": chips, "mult": mult} | expect
    return Row(f"{jokers} plays {cards}", keys if covers is None else covers, scene, [do], wanted)


def rows_test(rows: Sequence[Row]) -> Callable[[Row], None]:
    """The one test function of a table: ``test_rows = rows_test(ROWS)``."""

    @pytest.mark.parametrize("row", rows, ids=lambda row: row.id)
    def test(row: Row) -> None:
        row.check()

    return test


def all_rows() -> Iterator[Row]:
    """The rows of every table ROWS in this folder."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        yield from getattr(importlib.import_module(f"rules.{path.stem}"), "ROWS", ())


def covered() -> set[str]:
    """Every key and `pitfall:` slug that some row is a test of."""
    return {word for row in all_rows() for word in row.covers.split()}
