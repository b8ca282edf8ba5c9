"""The differences between a recorded state and the engine's, with the conventions of the traces mapped away.

The model behind the traces does some things at a different moment from the game, or counts them differently. Those
values are compared only where both sides mean the same by them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import Any

from conformance.report import Case
from conformance.trace_format import State

Json = dict[str, Any]

IN_ROUND = {"selecting_hand", "round_eval", "game_over"}
RESET_APART = {"chips", "hands", "discards"}
"""Reset when a blind is selected there, at cash-out in the game: they mean the same from the blind to the payout."""
NEXT_ANTE = {"choices", "next_voucher"}
"""Drawn when the boss is beaten there, at cash-out in the game."""
NEXT_ANTE_STREAMS = ("boss", "Tag", "Voucher")
OTHER_STREAMS = {"orbital", "to_do"}
"""The order of the poker hands that they choose from is an open question."""
NO_PAYOUT = dict.fromkeys(("blind", "hands", "discards", "jokers", "interest", "total"), 0)


def differences(
    recorded: State, found: Json, *, forgotten: Collection[str] = (), art_is_seeded: bool = True
) -> list[Case]:
    """All of them, with paths inside the state.

    ``forgotten`` are streams of antes so long past that the engine no longer keeps them. The art of a run's first pack
    is drawn from no stream; it counts only with ``art_is_seeded``.
    """
    apart = _left_out(recorded)
    cases: list[Case] = []
    for name, there in recorded.items():
        here = found.get(name)
        if name in apart or there == here:
            continue
        if name == "rng":
            cases.extend(_streams(recorded, found["rng"], forgotten))
            continue
        if name == "earn" and there is None:
            there = NO_PAYOUT
        if name == "boosters" and not art_is_seeded:
            there, here = _without_art(there), _without_art(here or [])
        cases.extend(_values(name, there, here))
    return cases


def _left_out(recorded: State) -> set[str]:
    apart = set()
    if recorded["phase"] not in IN_ROUND:
        apart |= RESET_APART
    if _next_ante_is_drawn(recorded):
        apart |= NEXT_ANTE
    return apart


def comparable_stream(key: str, recorded: State) -> bool:
    return key not in OTHER_STREAMS and not (_next_ante_is_drawn(recorded) and key.startswith(NEXT_ANTE_STREAMS))


def _next_ante_is_drawn(recorded: State) -> bool:
    return bool(recorded["phase"] == "round_eval" and recorded["on_deck"] == "Small")


def _streams(recorded: State, here: Json, forgotten: Collection[str]) -> Iterator[Case]:
    there = recorded["rng"]
    unequal = {key for key, _ in there.items() ^ here.items()}
    for key in sorted(unequal):
        case = Case(f"rng.{key}", there.get(key), here.get(key))
        if not case.passed and comparable_stream(key, recorded) and not (case.found is None and key in forgotten):
            yield case


def _without_art(boosters: list[Json]) -> list[Json]:
    return [booster | {"k": booster["k"].rpartition("_")[0]} for booster in boosters[:1]] + boosters[1:]


def _values(path: str, there: Any, here: Any) -> Iterator[Case]:
    if there == here:
        return
    if path.endswith(".ab"):  # absent where no number differs from a fresh joker's
        there, here = there or {}, here or {}
    if isinstance(there, dict) and isinstance(here, dict):
        for name in {**there, **here}:
            yield from _values(f"{path}.{name}", there.get(name), here.get(name))
    elif isinstance(there, list) and isinstance(here, list):
        for i, (left, right) in enumerate(zip_longest(there, here)):
            yield from _values(f"{path}[{i}]", left, right)
    else:
        yield Case(path, there, here)
