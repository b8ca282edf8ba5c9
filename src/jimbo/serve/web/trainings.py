"""Trainings, loops, rollouts and evaluations below a folder: what they are, and their numbers row by row.

Files are read as they are found, with limits, and never trusted: what cannot be read is left out, with a sentence.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from jimbo.data.config_file import parts_folder
from jimbo.eval.rows import Episode
from jimbo.eval.statistics import wilson
from jimbo.eval.store import ROWS, read_rows
from jimbo.files import json_object, loads, read_bytes, read_text
from jimbo.run_folder import CONFIG, is_held
from jimbo.text import counted, number_text, percent_text
from jimbo.train.core.curves import numbers_of

Json = dict[str, Any]
Kind = Literal["training", "self-play", "evaluation", "rollout"]
STATS = "stats.json"
_ROLLOUT = ".config.json"
_DEEPEST, _MOST_FOLDERS, _MOST_RUNS = 6, 4000, 500
_LEFT_OUT = frozenset({"node_modules", "site-packages", "tensorboard", "objects", "models", "logs", "__pycache__"})
_LARGEST = 32 << 20
_FRESH = 120.0
"""Seconds for which a run counts as running where the system does not tell who writes."""
_MOST_TEXT = 200


@dataclass(slots=True)
class FoundRun:
    """A run that was found."""

    id: str
    """Its path below the folder."""
    kind: Kind
    path: Path
    """A folder, or the file of a rollout."""
    source: Path
    """The file that changes."""


@dataclass(slots=True)
class Reading:
    """What a run says at the moment."""

    rows: list[Json] = field(default_factory=list)
    """Numbers by name; ``x`` is where they stand."""
    x: str = "step"
    facts: list[Json] = field(default_factory=list)
    done: float | None = None
    """The share of the work that is done, where it is known."""
    result: str = ""
    title: str = ""
    trouble: str = ""


# --- Finding ----------------------------------------------------------------------------------------------------------


def find_runs(folder: Path) -> list[FoundRun]:
    """Return the runs below a folder, the one that changed last first. Links are not followed."""
    found: list[FoundRun] = []
    for place, names in _folders(folder):
        found += _runs_in(folder, place, names)
        if len(found) >= _MOST_RUNS:
            break
    return sorted(found, key=lambda run: -changed(run))


def changed(run: FoundRun) -> float:
    """Return when a run last changed, in seconds since 1970."""
    try:
        return run.source.stat().st_mtime
    except OSError:
        return 0.0


def _folders(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    top = len(folder.parts)
    for seen, (place, folders, names) in enumerate(os.walk(folder)):
        here = Path(place)
        deep = len(here.parts) - top
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _LEFT_OUT)
        if deep >= _DEEPEST:
            folders.clear()
        yield here, names
        if seen >= _MOST_FOLDERS:
            return


def _runs_in(top: Path, place: Path, names: Sequence[str]) -> Iterator[FoundRun]:
    id = place.relative_to(top).as_posix()
    known = set(names)
    if STATS in known:
        yield FoundRun(id, "self-play", place, place / STATS)
    elif ROWS in known and CONFIG in known:
        yield FoundRun(id, "evaluation", place, place / ROWS)
    elif metrics := sorted(name for name in known if name.endswith(("_metrics.json", "train_summary.json"))):
        best = next((name for name in metrics if name.startswith("train_")), metrics[0])
        yield FoundRun(id, "training", place, place / best)
    elif CONFIG in known and (place / CONFIG).is_file() and "training" in _schema(place / CONFIG):
        yield FoundRun(id, "training", place, place / CONFIG)  # its first step is not over
    for name in sorted(known):
        if name.endswith(_ROLLOUT):
            made = place / name.removesuffix(_ROLLOUT)
            parts = parts_folder(made)
            source = parts if parts.is_dir() else made if made.is_file() else place / name
            yield FoundRun(made.relative_to(top).as_posix(), "rollout", made, source)


def _schema(path: Path) -> str:
    try:
        return str(json_object(read_bytes(path, 1 << 20)).get("schema"))
    except (OSError, ValueError):
        return ""


# --- Reading ----------------------------------------------------------------------------------------------------------


def is_running(run: FoundRun) -> bool:
    """Whether somebody writes to a run."""
    held = is_held(run.path) if run.path.is_dir() else None
    return time.time() - changed(run) < _FRESH if held is None else held


def read_run(run: FoundRun) -> Reading:
    """Read all that a run says; trouble where its files cannot be read."""
    reading = Reading()
    try:
        _READERS[run.kind](run, reading)
    except FileNotFoundError:
        reading.trouble = "It is no longer there."
    except (OSError, UnicodeError):
        reading.trouble = f"{run.source.name} cannot be read."
    except (ValueError, TypeError, KeyError, AttributeError):
        reading.trouble = f"{run.source.name} is not what such a run writes."
    return reading


def about(run: FoundRun, reading: Reading) -> Json:
    """Return what a list says of a run."""
    return {
        "id": run.id,
        "kind": run.kind,
        "title": reading.title,
        "running": is_running(run) and not (run.kind == "rollout" and reading.done == 1.0),
        "changed": changed(run),
        "done": reading.done,
        "result": reading.result,
        "facts": reading.facts,
        "x": reading.x,
        "rows": len(reading.rows),
        "trouble": reading.trouble,
    }


def _fact(name: str, value: Any) -> Json:
    if isinstance(value, float):
        value = f"{value:.4g}"
    return {"name": name, "value": str(value)[:_MOST_TEXT]}


def _object(path: Path) -> Json:
    return json_object(read_bytes(path, _LARGEST))


def _settings(run: FoundRun) -> Json:
    try:
        return _object(run.path / CONFIG)
    except (OSError, ValueError):
        return {}


def _training(run: FoundRun, reading: Reading) -> None:
    config = _settings(run)
    settings = config.get("settings", config)
    reading.title = str(settings.get("method") or settings.get("algorithm") or "training")[:_MOST_TEXT]
    shown = ("size", "lr", "learning_rate", "batch_size", "epochs", "updates", "generations", "total_timesteps", "seed")
    reading.facts = [_fact(name, settings[name]) for name in shown if settings.get(name) is not None]
    if run.source.name == CONFIG:
        return
    data = _object(run.source)
    name, rows = _history(data)
    reading.x = name.removesuffix("s") or "step"
    reading.rows = [_row(row, reading.x, number) for number, row in enumerate(rows, 1)]
    total = settings.get(name)
    if isinstance(total, int) and total > 0 and reading.rows:
        reading.done = min(1.0, reading.rows[-1]["x"] / total)
    plain = {key: value for key, value in data.items() if isinstance(value, int | float | str)}
    reading.facts += [_fact(key, value) for key, value in plain.items()]
    best = data.get(f"best_{reading.x}")
    reading.result = f"best {reading.x} {best}" if isinstance(best, int) else ""


def _history(data: Mapping[str, Any]) -> tuple[str, list[Json]]:
    """Return the longest list of rows in a file, with its name."""
    lists = [
        (name, value)
        for name, value in data.items()
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value)
    ]
    return max(lists, key=lambda one: len(one[1]), default=("", []))


def _row(row: Mapping[str, Any], x: str, number: int) -> Json:
    numbers = {name: value for name, value in numbers_of(row) if not isinstance(value, bool) and name != x}
    return {"x": row[x] if isinstance(row.get(x), int | float) else number, **numbers}


def _self_play(run: FoundRun, reading: Reading) -> None:
    data = _object(run.source)
    reading.title = str(data.get("env_id") or "self-play")[:_MOST_TEXT]
    rows: dict[float, Json] = {}
    for row in data.get("history", []):
        rows.setdefault(row["step"], {"x": row["step"]}).update(_row(row, "step", 0))
    for row in data.get("eval_history", []):
        prefix = f"against {row['opponent']}"[:40]
        found = {f"{prefix}/{name}": row[name] for name in ("win_rate", "optimal_moves") if row.get(name) is not None}
        rows.setdefault(row["step"], {"x": row["step"]}).update(found)
    reading.rows = [rows[step] for step in sorted(rows)]
    iterations = data.get("iterations", [])
    seconds = sum(row["seconds"] for row in iterations)
    games = sum(row["episodes"] for row in iterations)
    total = data.get("total_steps")
    if total:
        reading.done = min(1.0, data["step"] / total)
    pairs = [("step", f"{data['step']:,} of {total:,}" if total else data["step"])]
    pairs += [(name, f"{data[key]:,}") for name, key in _COUNTS if data.get(key)]
    if seconds:
        pairs += [("games per hour", number_text(round(3600 * games / seconds)))]
    if iterations:
        pairs += [("iterations", len(iterations)), ("promoted", sum(bool(row["promoted"]) for row in iterations))]
    reading.facts = [_fact(name, value) for name, value in pairs]
    best = data.get("best_model")
    if best:
        reading.result = f"best: iteration {best['iteration']}, step {best['step']:,}"


_COUNTS = (("moves learnt from", "samples_seen"), ("moves in the store", "replay_buffer_size"))


def _evaluation(run: FoundRun, reading: Reading) -> None:
    config = _settings(run)
    episodes = read_rows(run.source)
    reading.title, reading.x = str(config.get("agent", ""))[:_MOST_TEXT], "game"
    planned = config.get("seeds")
    total = len(planned) if isinstance(planned, list) else len(episodes)
    reading.done = min(1.0, len(episodes) / total) if total else None
    reading.rows = list(_so_far(episodes))
    if not episodes:
        return
    won = sum(one.result == "win" for one in episodes)
    low, high = wilson(won, len(episodes))
    share = f"{percent_text(won / len(episodes))} ({100 * low:.1f} to {100 * high:.1f})"
    reading.result = f"won {share}"
    seconds = sum(one.seconds for one in episodes)
    reading.facts = [
        _fact("games", f"{len(episodes):,} of {total:,}"),
        _fact("won", share),
        _fact("mean ante", f"{sum(one.ante_reached for one in episodes) / len(episodes):.2f}"),
        _fact("deck", config.get("deck", "")),
        _fact("stake", config.get("stake", "")),
        _fact("seeds", config.get("seed_set", "")),
        *([_fact("games per hour and process", number_text(round(3600 * len(episodes) / seconds)))] if seconds else []),
    ]


def _so_far(episodes: Sequence[Episode]) -> Iterator[Json]:
    won, antes = 0, 0
    for number, one in enumerate(episodes, 1):
        won, antes = won + (one.result == "win"), antes + one.ante_reached
        low, high = wilson(won, number)
        yield {"x": number, "won": won / number, "won/low": low, "won/high": high, "mean ante": antes / number}


def _rollout(run: FoundRun, reading: Reading) -> None:
    config = loads(read_text(run.path.with_name(run.path.name + _ROLLOUT), 1 << 20))
    reading.title = str(config.get("agent", "rollout"))[:_MOST_TEXT]
    parts = parts_folder(run.path)
    size = sum(one.stat().st_size for one in parts.glob("*.parquet")) if parts.is_dir() else 0
    size = size or (run.path.stat().st_size if run.path.is_file() else 0)
    reading.done = 1.0 if run.path.is_file() and not parts.is_dir() else None
    reading.result = f"{size / 1e6:.1f} MB"
    shown = ("games", "deck", "stake", "seed_prefix", "backend")
    reading.facts = [_fact(name, config[name]) for name in shown if config.get(name) is not None]
    if parts.is_dir():
        reading.facts.append(_fact("parts", counted(len(list(parts.glob("*.parquet"))), "file")))


_READERS = {"training": _training, "self-play": _self_play, "evaluation": _evaluation, "rollout": _rollout}
