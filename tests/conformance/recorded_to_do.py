"""What To Do List asks for, which no seed decides: a run takes it over from its recording."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.recorded_items import LEVELS
from jimbo.engine import Run
from jimbo.engine.catalog import HANDS

Record = Mapping[str, Any]

KEY = "j_todo_list"
CONSTANT = "High Card"
"""What the game's table of constants says of it, asked for or not."""
BY_LENGTH = sorted(HANDS, key=len, reverse=True)
"""The name of one hand can be part of another's: Flush, Flush House."""


class ToDoList:
    """Knows from all of a recording whether its field ``poker_hand`` is the hand asked for or the constant."""

    def __init__(self, steps: Sequence[Record]) -> None:
        stated = [fields.get("poker_hand") for step in steps for _, fields in _lists(step.get("after") or {})]
        self._told = any(hand not in (None, CONSTANT) for hand in stated)

    def taken_over(self, run: Run, after: Record) -> Run:
        """The run with the recorded hands, as far as they show in its list of hands."""
        lists = list(_lists(after))
        if not lists:
            return run
        shown = {seen.hand for seen in run.public_state().hands if seen.visible}
        state = json.loads(run.to_json())
        changed = False
        for place, fields in lists:
            hand = self._hand(fields)
            if hand in shown and place < len(state["jokers"]) and state["jokers"][place]["joker_id"] == KEY:
                changed |= state["jokers"][place]["count"] != HANDS[hand].order
                state["jokers"][place]["count"] = HANDS[hand].order
        return Run.from_json(json.dumps(state)) if changed else run

    def _hand(self, fields: Record) -> str:
        text = str(fields.get("effect", ""))
        named = next((hand for hand in BY_LENGTH if hand in text), None)
        return str(fields.get("to_do_poker_hand") or named or (fields.get("poker_hand") if self._told else None))


def _lists(after: Record) -> Iterator[tuple[int, Record]]:
    """Each To Do List among the recorded jokers with its place and its fields, whatever groups them."""
    jokers = after.get("jokers") or []
    for place, joker in enumerate(jokers.get("cards", []) if isinstance(jokers, dict) else jokers):
        if isinstance(joker, dict) and joker.get("key") == KEY:
            yield place, _flat(joker)


def _flat(fields: Record) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        flat |= _flat(value) if name in (*LEVELS, "extra") and isinstance(value, dict) else {name: value}
    return flat
