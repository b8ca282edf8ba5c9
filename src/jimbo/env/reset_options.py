"""What ``reset(options=...)`` can name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jimbo.engine import Run

STARTS = ("deck", "stake", "challenge")
SINGLE = ("seed", *STARTS, "run", "save")
MANY = ("reset_mask", "seed", *STARTS, "runs")


@dataclass(frozen=True, slots=True)
class Choices:
    """What a reset's episodes start from; what is not named stays as usual."""

    game_seeds: Sequence[str] | None = None
    """One for each row."""
    start: Mapping[str, Any] = field(default_factory=dict)
    """Deck, stake, challenge."""
    runs: Sequence[Run | None] | None = None
    """For each row the run to continue; None: a game of its own."""


def choices_of_one(options: Mapping[str, Any]) -> Choices:
    """The options of a single environment."""
    _check_names(options, SINGLE, ("run", "save"))
    if "run" in options and "save" in options:
        raise ValueError('options has both "run" and "save": give one of them')
    given = [_run_from(options[name], f'options["{name}"]') for name in ("run", "save") if name in options]
    seed = options.get("seed")
    return Choices(None if seed is None else [seed], _start(options), given or None)


def choices_of_many(options: Mapping[str, Any], n: int) -> Choices:
    """The options of a vector environment of ``n`` rows, apart from ``reset_mask``."""
    _check_names(options, MANY, ("runs",))
    seeds, runs = options.get("seed"), options.get("runs")
    if seeds is not None and (isinstance(seeds, str) or len(seeds) != n):
        raise ValueError(f'options["seed"] must be a list of {n} game seeds, one for each row')
    if runs is None:
        return Choices(seeds, _start(options))
    if isinstance(runs, Run | bytes) or len(runs) != n:
        raise ValueError(f'options["runs"] must be a list of {n} runs, one for each row')
    read = [None if run is None else _run_from(run, f'options["runs"][{row}]') for row, run in enumerate(runs)]
    return Choices(seeds, _start(options), read)


def _check_names(options: Mapping[str, Any], known: Sequence[str], runs: Sequence[str]) -> None:
    for name in options:
        if name not in known:
            raise ValueError(f"reset has no option {name!r}: choose from {', '.join(known)}")
    given = next((name for name in runs if name in options), None)
    other = next((name for name in ("seed", *STARTS) if name in options), None)
    if given and other:
        raise ValueError(f"options has both {given!r} and {other!r}: a run already has its seed, deck and stake")


def _start(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in STARTS if name in options}


def _run_from(value: object, where: str) -> Run:
    if isinstance(value, Run):
        return value
    if not isinstance(value, bytes):
        raise ValueError(f"{where} must be a Run or the bytes of run.save(), not {type(value).__name__}")
    try:
        return Run.load(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
