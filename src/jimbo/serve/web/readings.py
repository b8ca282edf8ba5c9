"""What runs say: their numbers row by row, how strong they are by judged games, how fast they are.

Files are read as they are found, with limits, and never trusted: what cannot be read is left out, with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jimbo.data.config_file import config_path, parts_folder
from jimbo.eval.rows import Episode
from jimbo.eval.statistics import wilson
from jimbo.eval.store import read_rows
from jimbo.files import json_object, loads, read_bytes, read_text
from jimbo.pace import PaceRead, rate_name, read_pace
from jimbo.run_folder import CONFIG
from jimbo.serve.web.trainings import FoundRun, changed, is_running
from jimbo.text import counted, number_text, percent_text
from jimbo.train.core.curves import numbers_of
from jimbo.train.core.log import EVALUATION, LOG

Json = dict[str, Any]
_LARGEST = 32 << 20
_MOST_TEXT = 200
_NOT_STEPS = frozenset({"iteration", "timesteps", "timesteps_total", "time_elapsed", "seconds", "episodes_total"})
"""Numbers that only say how far a training is."""
_NOW = 60.0
"""Seconds that count for how fast a run is now."""


@dataclass(slots=True)
class Reading:
    """What a run says at the moment."""

    rows: list[Json] = field(default_factory=list)
    """Numbers by name; ``x`` is where they stand."""
    x: str = "step"
    facts: list[Json] = field(default_factory=list)
    strength: list[Json] = field(default_factory=list)
    """Shares of judged games that were won, the newest of each kind."""
    played: Json | None = None
    """Who played what deck at what stake in an evaluation, and how many games were won."""
    pace: PaceRead = field(default_factory=PaceRead)
    done: float | None = None
    """The share of the work that is done, where it is known."""
    result: str = ""
    title: str = ""
    trouble: str = ""


def read_run(run: FoundRun) -> Reading:
    """Read all that a run says; trouble where its files cannot be read."""
    reading = Reading()
    with suppress(OSError, ValueError):
        reading.pace = read_pace(read_text(run.pace, _LARGEST))
    try:
        _READERS[run.kind](run, reading)
    except FileNotFoundError:
        reading.trouble = "It is no longer there."
    except (OSError, UnicodeError):
        reading.trouble = f"{run.source.name} cannot be read."
    except (ValueError, TypeError, KeyError, AttributeError):
        reading.trouble = f"{run.source.name} is not what such a run writes."
    reading.facts += _pace_facts(reading.pace)
    return reading


def about(run: FoundRun, reading: Reading) -> Json:
    """Return what a list says of a run."""
    running = is_running(run) and not (run.kind == "rollout" and reading.done == 1.0)
    return {
        "id": run.id,
        "kind": run.kind,
        "title": reading.title,
        "running": running,
        "changed": changed(run),
        "done": reading.done,
        "result": reading.result,
        "speed": _speed(reading.pace, running),
        "memory": _memory(reading.pace, running),
        "facts": reading.facts,
        "strength": reading.strength,
        "x": reading.x,
        "rows": len(reading.rows),
        "trouble": reading.trouble,
    }


def _fact(name: str, value: Any) -> Json:
    if isinstance(value, float):
        value = f"{value:.4g}"
    return {"name": name, "value": _without_place(str(value))[:_MOST_TEXT]}


def _without_place(text: str) -> str:
    """A text as it is, of a path only its name."""
    return text.rstrip("/\\").replace("\\", "/").rpartition("/")[2] if re.search(r"[/\\]", text) else text


def _object(path: Path) -> Json:
    return json_object(read_bytes(path, _LARGEST))


def _settings(run: FoundRun) -> Json:
    try:
        return _object(run.path / CONFIG)
    except (OSError, ValueError):
        return {}


# --- Pace -------------------------------------------------------------------------------------------------------------

_MEMORY = "memory (MB)"
_SHOWN_FIRST = ("games", "decisions", "steps", "samples")


def _rates(pace: PaceRead, now: bool) -> list[tuple[str, float]]:
    """How fast a run is now, or was from start to end."""
    if now and pace.rows:
        rows = [row for row in pace.rows if row["x"] >= pace.rows[-1]["x"] - _NOW / 60]
        sums = {unit: [row[rate_name(unit)] for row in rows if rate_name(unit) in row] for unit in _SHOWN_FIRST}
        return [(unit, sum(found) / len(found)) for unit, found in sums.items() if found]
    seconds = pace.done.get("seconds", 0.0)
    units = [unit for unit in _SHOWN_FIRST if pace.done.get(unit)]
    return [(unit, pace.done[unit] / seconds * (3600 if unit == "games" else 1)) for unit in units if seconds > 0]


def _speed(pace: PaceRead, now: bool) -> str:
    found = [f"{number_text(float(f'{rate:.3g}'))} {rate_name(unit)}" for unit, rate in _rates(pace, now) if rate > 0]
    return ", ".join(found[:2])


def _memory(pace: PaceRead, now: bool) -> str:
    """What it takes now, or took at most."""
    found = [row[_MEMORY] for row in pace.rows if _MEMORY in row]
    return f"{(found[-1] if now else max(found)):,.0f} MB" if found else ""


def _pace_facts(pace: PaceRead) -> list[Json]:
    facts = [
        _fact(f"{rate_name(unit)}, in all", number_text(float(f"{rate:.3g}"))) for unit, rate in _rates(pace, now=False)
    ]
    found = [row[_MEMORY] for row in pace.rows if _MEMORY in row]
    return [*facts, *([_fact("most memory", f"{max(found):,.0f} MB")] if found else [])]


# --- Trainings --------------------------------------------------------------------------------------------------------


def _training(run: FoundRun, reading: Reading) -> None:
    config = _settings(run)
    settings = config.get("settings", config)
    reading.title = str(settings.get("method") or settings.get("algorithm") or "training")[:_MOST_TEXT]
    shown = ("size", "lr", "learning_rate", "batch_size", "epochs", "updates", "generations", "total_timesteps", "seed")
    reading.facts = [_fact(name, settings[name]) for name in shown if settings.get(name) is not None]
    if run.source.name == CONFIG:
        return
    if run.source.name == LOG:
        _logged(run, reading, settings)
        return
    data = _object(run.source)
    name, rows = _history(data)
    if name == "history":
        rows = [_evaluated(row, settings) for row in rows]
    reading.x = name.removesuffix("s") if rows and name.removesuffix("s") in rows[0] else _x_of(rows)
    reading.rows = [_row(row, reading.x, number) for number, row in enumerate(rows, 1)]
    reading.strength = _judged(rows, reading.x)
    total = settings.get(f"{reading.x}s", settings.get("total_timesteps"))
    if isinstance(total, int) and total > 0 and reading.rows:
        reading.done = min(1.0, reading.rows[-1]["x"] / total)
    plain = {key: value for key, value in data.items() if isinstance(value, int | float | str)}
    reading.facts += [_fact(key, value) for key, value in plain.items()]
    best = data.get(f"best_{reading.x}")
    reading.result = f"best {reading.x} {best}" if isinstance(best, int) else ""


def _logged(run: FoundRun, reading: Reading, settings: Mapping[str, Any]) -> None:
    """A training of another framework: lines of JSON, some about judged games."""
    rows: dict[float, Json] = {}
    judged: list[Json] = []
    for line in read_text(run.source, _LARGEST).splitlines():
        with suppress(ValueError):
            row = json_object(line)
            place = row.get("timesteps_total", row.get("timesteps"))
            if isinstance(place, int | float):
                is_judged = row.get("kind", EVALUATION) == EVALUATION
                told = _evaluated(row, settings) if is_judged else _but(row, _NOT_STEPS)
                rows.setdefault(place, {}).update({**_row(told, "timesteps", 0), "x": place})
                judged += [{**told, "timesteps": place}] if is_judged else []
    reading.x = "timesteps"
    reading.rows = [rows[place] for place in sorted(rows)]
    reading.strength = _judged(judged, "timesteps")
    total = settings.get("total_timesteps")
    if isinstance(total, int) and total > 0 and rows:
        reading.done = min(1.0, max(rows) / total)


def _evaluated(row: Mapping[str, Any], settings: Mapping[str, Any]) -> Json:
    """The row of a training of another framework about judged games."""
    place = {"timesteps": row["timesteps"]} if "timesteps" in row else {}
    games = row.get("episodes", settings.get("eval_episodes"))
    judged = {**_but(row, _NOT_STEPS), **({"games": games} if isinstance(games, int) else {})}
    judged.pop("episodes", None)
    return {**place, "judged": judged}


def _but(row: Mapping[str, Any], names: Container[str]) -> Json:
    return {name: value for name, value in row.items() if name not in names}


def _history(data: Mapping[str, Any]) -> tuple[str, list[Json]]:
    """Return the longest list of rows in a file, with its name."""
    lists = [
        (name, value)
        for name, value in data.items()
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value)
    ]
    return max(lists, key=lambda one: len(one[1]), default=("", []))


def _x_of(rows: Sequence[Mapping[str, Any]]) -> str:
    return next((name for name in ("update", "timesteps", "step", "iteration") if rows and name in rows[0]), "step")


def _row(row: Mapping[str, Any], x: str, number: int) -> Json:
    numbers = {name: value for name, value in numbers_of(row) if not isinstance(value, bool) and name != x}
    for name in [name for name in numbers if name.endswith("win_rate")]:
        games = numbers.get(f"{name.removesuffix('win_rate')}games")
        if games and 0 <= numbers[name] <= 1:
            low, high = wilson(round(numbers[name] * games), round(games))
            numbers |= {f"{name}/low": low, f"{name}/high": high}
    return {"x": row[x] if isinstance(row.get(x), int | float) else number, **numbers}


def _judged(rows: Sequence[Mapping[str, Any]], x: str) -> list[Json]:
    """How many of the judged games the newest network won, and the best one."""
    found = [
        (row[x], judged)
        for row in rows
        if isinstance(judged := row.get("judged"), dict) and isinstance(judged.get("win_rate"), int | float)
    ]
    if not found:
        return []
    best = max(found, key=lambda one: (one[1]["win_rate"], one[1].get("mean_ante") or 0))
    chosen = [found[-1]] if best is found[-1] else [found[-1], best]
    return [
        _won(
            f"{name}: {x.removesuffix('s')} {at:,}",
            judged["win_rate"],
            judged.get("games"),
            judged,
        )
        for name, (at, judged) in zip(("newest", "best"), chosen, strict=False)
    ]


def _won(what: str, share: float, games: Any, more: Mapping[str, Any]) -> Json:
    count = round(games) if isinstance(games, int | float) and games > 0 else 0
    ends = wilson(round(share * count), count) if count else None
    ante = more.get("mean_ante")
    return {
        "what": what[:_MOST_TEXT],
        "won": share,
        "low": ends[0] if ends else None,
        "high": ends[1] if ends else None,
        "games": count,
        "text": percent_text(share) + (f" ({100 * ends[0]:.1f} to {100 * ends[1]:.1f})" if ends else ""),
        "ante": f"{ante:.2f}" if isinstance(ante, int | float) else "",
    }


# --- Self-play --------------------------------------------------------------------------------------------------------


def _self_play(run: FoundRun, reading: Reading) -> None:
    data = _object(run.source)
    reading.title = str(data.get("env_id") or "self-play")[:_MOST_TEXT]
    rows: dict[float, Json] = {}
    for row in data.get("history", []):
        rows.setdefault(row["step"], {"x": row["step"]}).update(_row(row, "step", 0))
    newest: dict[str, Json] = {}
    for row in data.get("eval_history", []):
        prefix = f"against {row['opponent']}"[:40]
        games = {"win_rate": row["win_rate"], "games": row["games_played"]}
        found = {
            name: value for name, value in _row({prefix: games}, "", 0).items() if name.startswith(f"{prefix}/win")
        }
        if row.get("optimal_moves") is not None:
            found[f"{prefix}/optimal_moves"] = row["optimal_moves"]
        rows.setdefault(row["step"], {"x": row["step"]}).update(found)
        newest[prefix] = _won(f"{prefix}: step {row['step']:,}", row["win_rate"], row["games_played"], {})
    reading.rows = [rows[step] for step in sorted(rows)]
    reading.strength = list(newest.values())
    iterations = data.get("iterations", [])
    seconds = iterations[-1]["seconds"] if iterations else 0  # since the loop began
    games_played = sum(row["episodes"] for row in iterations)
    total = data.get("total_steps")
    if total:
        reading.done = min(1.0, data["step"] / total)
    pairs = [("step", f"{data['step']:,} of {total:,}" if total else data["step"])]
    pairs += [(name, f"{data[key]:,}") for name, key in _COUNTS if data.get(key)]
    if seconds and not reading.pace.done.get("games"):
        pairs += [("games per hour", number_text(round(3600 * games_played / seconds)))]
    if iterations:
        pairs += [("iterations", len(iterations)), ("promoted", sum(bool(row["promoted"]) for row in iterations))]
    reading.facts = [_fact(name, value) for name, value in pairs]
    best = data.get("best_model")
    if best:
        reading.result = f"best: iteration {best['iteration']}, step {best['step']:,}"


_COUNTS = (("moves learnt from", "samples_seen"), ("moves in the store", "replay_buffer_size"))


# --- Games ------------------------------------------------------------------------------------------------------------


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
    won = sum(one.won for one in episodes)
    ante = sum(one.ante_reached for one in episodes) / len(episodes)
    strength = _won(
        f"{reading.title}, {counted(len(episodes), 'game')}", won / len(episodes), len(episodes), {"mean_ante": ante}
    )
    reading.strength = [strength]
    settings = {name: config.get(name) for name in ("agent", "options", "deck", "stake", "challenge", "seed_set")}
    reading.played = {**settings, "wins": won, "games": len(episodes)}
    reading.result = f"won {strength['text']}"
    seconds = sum(one.seconds for one in episodes)
    reading.facts = [
        _fact("games", f"{len(episodes):,} of {total:,}"),
        _fact("won", strength["text"]),
        _fact("mean ante", f"{ante:.2f}"),
        _fact("deck", config.get("deck", "")),
        _fact("stake", config.get("stake", "")),
        _fact("seeds", config.get("seed_set", "")),
        *([_fact("games per hour and process", number_text(round(3600 * len(episodes) / seconds)))] if seconds else []),
    ]


def _so_far(episodes: Sequence[Episode]) -> Iterator[Json]:
    won, antes = 0, 0
    for number, one in enumerate(episodes, 1):
        won, antes = won + one.won, antes + one.ante_reached
        low, high = wilson(won, number)
        yield {"x": number, "won": won / number, "won/low": low, "won/high": high, "mean ante": antes / number}


def _rollout(run: FoundRun, reading: Reading) -> None:
    config = loads(read_text(config_path(run.path), 1 << 20))
    reading.title = str(config.get("agent", "rollout"))[:_MOST_TEXT]
    parts = parts_folder(run.path)
    size = sum(one.stat().st_size for one in parts.glob("*.parquet")) if parts.is_dir() else 0
    size = size or (run.path.stat().st_size if run.path.is_file() else 0)
    played, games = reading.pace.done.get("games"), config.get("games")
    if played and isinstance(games, int) and games > 0:
        reading.done = min(1.0, played / games)
    elif run.path.is_file() and not parts.is_dir():
        reading.done = 1.0
    reading.result = f"{size / 1e6:.1f} MB"
    shown = ("games", "deck", "stake", "seed_prefix", "backend")
    reading.facts = [_fact(name, config[name]) for name in shown if config.get(name) is not None]
    if parts.is_dir():
        reading.facts.append(_fact("parts", counted(len(list(parts.glob("*.parquet"))), "file")))


_READERS = {"training": _training, "self-play": _self_play, "evaluation": _evaluation, "rollout": _rollout}
