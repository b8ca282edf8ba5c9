"""``traces/``: whole runs of a second implementation, replayed and compared in every value of every step.

A step that differs does not spoil the next ones: the run is brought into the recorded state and goes on from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.corpus import CorpusFile
from conformance.names import deck_key, stake_key
from conformance.report import Apart, Case, Group
from conformance.trace_actions import act, inject
from conformance.trace_cards import Tokens
from conformance.trace_compare import differences
from conformance.trace_format import State, Step, decode
from conformance.trace_resync import resynchronise, take_hand_order
from conformance.trace_rules import explain
from conformance.trace_taken import Taken
from conformance.trace_view import view
from jimbo.engine import IllegalAction, Run

Json = dict[str, Any]

PRICE = re.compile(r".*\.(sell|cost)")
"""The engine has no prices to set: they follow from the card and the vouchers."""
DISCOUNTS = {"v_clearance_sale", "v_liquidation"}


def check(file: CorpusFile) -> Iterator[Group | Apart]:
    """One case for the start and one for each step."""
    for trace in file.records():
        yield from Replay(trace).check()


class Replay:
    def __init__(self, trace: Json) -> None:
        self._trace = trace
        deck = deck_key(trace["deck"])
        self._tokens = Tokens(trace["seed"], deck)
        self._run = inject(Run(deck=deck, stake=stake_key(trace["stake"]), seed=trace["seed"]), trace["setup"])
        self._look()
        self._streams_held: set[str] = set()
        self._first_pack_shows = True
        self._crc_agrees = True
        self._discounted = _injects_discount(trace["setup"])

    def check(self) -> Iterator[Group | Apart]:
        before: State = {}
        steps = decode(self._trace)
        for step in steps:
            created = self._state["memory"]["next_id"]
            found = [*self._take(step), *self._crc(step)]
            yield Apart.SKIPPED if step.suspect else self._judged(step, before, found)
            before = step.state
            if found and not self._resynchronise(step.state, created):
                yield from (Apart.NOT_REACHED for _ in steps)

    def _judged(self, step: Step, before: State, found: list[Case]) -> Group:
        if found:
            taken = Taken(step.action, before or step.state, step.state, self._found, self._without_discount())
            found = [_placed(step.path, explain(taken, case)) for case in found]
        return Group(tuple(found))

    def _take(self, step: Step) -> list[Case]:
        """Makes the run go a step; the differences that it then has."""
        action = step.action
        self._first_pack_shows &= action["t"] != "leave" and (action["t"], action.get("n")) != ("open", 0)
        try:
            self._run = act(self._run, action)
        except IllegalAction as error:
            return [Case("action", "allowed", str(error))]
        self._look()
        if action["t"] == "sort":  # the other way round there
            self._run = take_hand_order(self._state, step.state, self._tokens)
            self._look()
        self._discounted |= _injects_discount(action.get("ops", []))
        return self._differences(step.state)

    def _look(self) -> None:
        self._state: Json = json.loads(self._run.to_json())
        self._found = view(self._run, self._state, self._tokens)

    def _without_discount(self) -> Json | None:
        """What the run would look like without its price vouchers, in a trace that injects one."""
        if not self._discounted:
            return None
        state = self._state | {"vouchers": [key for key in self._state["vouchers"] if key not in DISCOUNTS]}
        return view(Run.from_json(json.dumps(state)), state, self._tokens)

    def _forgotten(self) -> set[str]:
        """Streams that the run once held and has dropped since, as it does with those of antes long past."""
        held: set[str] = set(self._found["rng"])
        self._streams_held |= held
        return self._streams_held - held

    def _differences(self, recorded: State) -> list[Case]:
        forgotten = self._forgotten()
        return differences(recorded, self._found, forgotten=forgotten, art_is_seeded=not self._first_pack_shows)

    def _crc(self, step: Step) -> list[Case]:
        """Once in a trace: a state that was decoded wrongly spoils all checksums after it."""
        if not self._crc_agrees or step.crc[0] == step.crc[1]:
            return []
        self._crc_agrees = False
        return [Case("crc", *step.crc)]

    def _resynchronise(self, recorded: State, created: int) -> bool:
        try:
            self._run = resynchronise(
                self._state, self._found, recorded, self._tokens, created=created, forgotten=self._forgotten()
            )
        except ValueError:
            return False
        self._look()
        return all(PRICE.fullmatch(case.path) for case in self._differences(recorded))


def _injects_discount(ops: list[Json]) -> bool:
    return any(op["op"] == "voucher" and op["k"] in DISCOUNTS for op in ops)


def _placed(path: str, case: Case) -> Case:
    return case._replace(path=f"{path}.{case.path}")
