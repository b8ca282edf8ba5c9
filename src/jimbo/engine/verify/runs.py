"""``real_runs/``: recordings of the real game, replayed from their seed and compared in every field that was read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from jimbo.engine._core import Action, IllegalAction, Run
from jimbo.engine.verify.corpus import CorpusFile
from jimbo.engine.verify.names import deck_key, stake_key
from jimbo.engine.verify.recorded_view import RecordedView, without_art
from jimbo.engine.verify.report import Case

Record = Mapping[str, Any]

NOT_READ = {"note", "ability"}
"""Remarks of the transcriber, and numbers that are the same for every joker of a key."""

ACTIONS: dict[str, Callable[[Record], Action]] = {
    "select_blind": lambda a: Action("select_blind"),
    "skip_blind": lambda a: Action("skip_blind"),
    "reroll_boss": lambda a: Action("reroll_boss"),
    "play_cards": lambda a: Action("play", cards=a["cards"]),
    "discard_cards": lambda a: Action("discard", cards=a["cards"]),
    "cash_out": lambda a: Action("cash_out"),
    "buy_shop_card": lambda a: Action(
        "buy_and_use" if a["mode"] == "use" else "buy", a["card"], cards=a.get("targets", [])
    ),
    "buy_voucher": lambda a: Action("redeem", a["voucher"]),
    "buy_pack": lambda a: Action("open_booster", a["pack"]),
    "choose_pack_card": lambda a: Action("pick", a["card"], cards=a.get("targets", [])),
    "skip_pack": lambda a: Action("skip_pack"),
    "reroll_shop": lambda a: Action("reroll"),
    "leave_shop": lambda a: Action("leave_shop"),
    "use_consumable": lambda a: Action("use", a["consumable"], cards=a.get("targets", [])),
    "sell_joker": lambda a: Action("sell_joker", a["joker"]),
    "sell_consumable": lambda a: Action("sell_consumable", a["consumable"]),
}


def check(file: CorpusFile) -> Iterator[Case]:
    for recording in file.records():
        run = Run(deck=deck_key(recording["deck"]), stake=stake_key(recording["stake"]), seed=recording["seed"])
        yield from _replay(run, recording["steps"])


def _replay(run: Run, steps: Sequence[Record]) -> Iterator[Case]:
    deck_order: list[str] = []
    first_pack_shows = True
    for i, step in enumerate(steps):
        action = step["action"]
        if reason := _refusal(run, action):
            yield Case(f"steps[{i}].action", "allowed", reason)
            return
        first_pack_shows &= action["type"] != "leave_shop" and action.get("pack") != 0
        after = dict(step["after"])
        # One transcription says "same order as in the shop" instead of repeating it.
        if isinstance(after.get("deck_order"), str):
            after["deck_order"] = deck_order
        deck_order = after.get("deck_order", deck_order)
        if first_pack_shows and after.get("packs"):
            after["packs"] = without_art(after["packs"])
        yield from _compare(f"steps[{i}].after", RecordedView(run, first_pack_shows=first_pack_shows), after)


def _refusal(run: Run, action: Record) -> str | None:
    """Applies a recorded action; says why if it cannot."""
    kind = action["type"]
    if kind == "start":
        return None
    if kind not in ACTIONS:
        return f'no action "{kind}" is known'
    try:
        run.step(ACTIONS[kind](action))
    except IllegalAction as error:
        return str(error)
    return None


def _compare(path: str, view: RecordedView, after: Record) -> Iterator[Case]:
    for name, stated in after.items():
        if name not in NOT_READ:
            yield from _values(f"{path}.{name}", stated, view.found(name, stated))


def _values(path: str, stated: Any, found: Any) -> Iterator[Case]:
    """One case for each value that stands by itself; what was not read is absent in the recording."""
    if isinstance(stated, dict) and isinstance(found, dict):
        for name, value in stated.items():
            # A description without a number of its own says no more than the key does.
            if name not in NOT_READ and not (name == "effect" and name not in found):
                yield from _values(f"{path}.{name}", value, found.get(name))
    elif isinstance(stated, list) and isinstance(found, list) and (stated or found):
        for i, (there, here) in enumerate(zip_longest(stated, found)):
            yield from _values(f"{path}[{i}]", there, here)
    else:
        yield Case(path, stated, found)
