"""``real_runs/``: recordings of the real game, replayed from their seed and compared in every field that was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from conformance.corpus import CorpusFile
from conformance.names import deck_key, stake_key
from conformance.recorded import Recorded, without_art
from conformance.recorded_items import SKIP, UNCOMPARED, meant
from conformance.recorded_to_do import ToDoList
from conformance.report import Case
from jimbo.engine import Action, IllegalAction, Run
from jimbo.wire.codec.write import Memory
from jimbo.wire.recorded_actions import UnknownAction, engine_actions

Record = Mapping[str, Any]


def check(file: CorpusFile) -> Iterator[Case]:
    for recording in file.records():
        run = Run(deck=deck_key(recording["deck"]), stake=stake_key(recording["stake"]), seed=recording["seed"])
        replay = Replay(run, recording["steps"])
        for i, step in enumerate(recording["steps"]):
            file.place = f"steps[{i}]"
            yield from replay.step(file.place, step)
            if replay.ended:
                break


class Replay:
    """A run of the engine beside its recording."""

    def __init__(self, run: Run, steps: Sequence[Record]) -> None:
        self.ended = False
        """An action was refused: what follows would compare two different runs."""
        self.run = run
        self._to_do_list = ToDoList(steps)
        self._deck_order: list[str] = []
        self._first_pack_shows = True
        self._memory = Memory()

    def step(self, path: str, step: Record) -> Iterator[Case]:
        try:
            for action in engine_actions(step["action"], self.run):
                self._take(action)
        except (IllegalAction, UnknownAction) as error:
            self.ended = True
            yield Case(f"{path}.action", "allowed", str(error))
            return
        after = self._read(step.get("after") or {})
        self.run = self._to_do_list.taken_over(self.run, after)
        view = Recorded(self.run, self._memory, first_pack_shows=self._first_pack_shows)
        yield from compare(f"{path}.after", view, after)

    def _take(self, action: Action) -> None:
        before = self.run.public_state()
        self._memory.number_goods(before)
        self.run.step(action)
        self._memory.took(action.kind, action.index, before, self.run.on_deck)
        self._first_pack_shows &= action.kind != "leave_shop" and (action.kind, action.index) != ("open_booster", 0)

    def _read(self, stated: Record) -> dict[str, Any]:
        after = dict(stated)
        # One transcription says "same order as in the shop" instead of repeating it.
        if isinstance(after.get("deck_order"), str):
            after["deck_order"] = self._deck_order
        self._deck_order = after.get("deck_order", self._deck_order)
        if self._first_pack_shows and after.get("packs"):
            after["packs"] = without_art(after["packs"])
        return after


def compare(path: str, view: Recorded, after: Record) -> Iterator[Case]:
    """A recorded state with the run's."""
    for name, stated in after.items():
        if name not in UNCOMPARED:
            yield from _values(f"{path}.{name}", stated, view.found(name, stated))


def _values(path: str, stated: Any, found: Any) -> Iterator[Case]:
    """One case for each separate value; what was not read is absent from the recording."""
    found = meant(found, stated)
    if found is SKIP:
        return
    if isinstance(stated, dict) and isinstance(found, dict):
        for name, value in stated.items():
            if name not in UNCOMPARED:
                yield from _values(f"{path}.{name}", value, found.get(name))
    elif isinstance(stated, list) and isinstance(found, list) and (stated or found):
        for i, (there, here) in enumerate(zip_longest(stated, found)):
            yield from _values(f"{path}[{i}]", there, here)
    else:
        yield Case(path, stated, found)
