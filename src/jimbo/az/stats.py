"""``stats.json``, numbers for Prometheus, and the picture of a loop."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from jimbo.declared import from_dict
from jimbo.files import loads, read_text, reason, write_text
from jimbo.report import svg
from jimbo.report.svg import Axis, Point

_TIERS = ((1_000, 1), (10_000, 100))
"""Within so many of the newest steps, every so many are kept."""
_BEYOND = 500
_MAX_EVALUATIONS = 50
log = logging.getLogger(__name__)
_PREFIX = "jimbo_az_"
_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_CURVES = (
    ("optimal_moves", "optimal choices: new"),
    ("best_optimal", "optimal choices: best"),
    ("random_win_rate", "beats random play"),
)
_MOST_TICKS = 10


@dataclass
class MatchRecord:
    """How a model did."""

    step: int
    win_rate: float
    draw_rate: float
    loss_rate: float
    games_played: int
    avg_game_length: float
    timestamp: int
    opponent: str
    """random, best, or another that it met."""
    opponent_iteration: int | None = None
    became_new_best: bool = False
    current_iteration: int | None = None
    optimal_moves: float | None = None
    """Share of positions in which its first choice is one of the best moves."""


@dataclass
class Best:
    iteration: int
    step: int
    win_rate_when_promoted: float
    timestamp: int


@dataclass
class Learnt:
    """What a step learnt."""

    step: int
    total_loss: float
    policy_loss: float
    value_loss: float
    learning_rate: float


@dataclass
class Stats:
    env_id: str = ""
    step: int = 0
    total_steps: int = 0
    total_loss: float = 0.0
    policy_loss: float = 0.0
    value_loss: float = 0.0
    learning_rate: float = 0.0
    samples_seen: int = 0
    replay_buffer_size: int = 0
    last_checkpoint: str = ""
    timestamp: int = 0
    history: list[Mapping[str, Any]] = field(default_factory=list)
    """Step, losses and learning rate: many of the newest steps, few of the old ones."""
    last_eval: MatchRecord | None = None
    eval_history: list[MatchRecord] = field(default_factory=list)
    best_model: Best | None = None
    iteration: int = 0
    iterations: list[Mapping[str, Any]] = field(default_factory=list)
    """What the loop tells of each of its iterations."""

    def learnt(self, step: int, losses: Mapping[str, float], learning_rate: float) -> None:
        row = {"step": step, **losses, "learning_rate": learning_rate}
        self.step, self.learning_rate = step, learning_rate
        self.total_loss, self.value_loss, self.policy_loss = (
            losses[name] for name in ("total_loss", "value_loss", "policy_loss")
        )
        before: list[Mapping[str, Any]] = [old for old in self.history if old["step"] < step]
        self.history = thinned([*before, row])

    def evaluated(self, found: MatchRecord) -> None:
        self.last_eval = found
        self.eval_history = [*self.eval_history, found][-_MAX_EVALUATIONS:]

    def write(self, path: Path) -> None:
        self.timestamp = int(time.time())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(asdict(self), indent=1, allow_nan=False) + "\n")


def read_stats(path: Path, env_id: str) -> Stats:
    """Return what is there, or nothing yet; ValueError for a file that is something else, or of another game."""
    advice = "Remove it, or name another file with --stats"
    try:
        stats = from_dict(Stats, loads(read_text(path), finite=True))
        for row in stats.history:
            from_dict(Learnt, row, "history")
        if stats.env_id not in ("", env_id):
            raise ValueError(f"it is about {stats.env_id}")
    except FileNotFoundError:
        return Stats()
    except (OSError, UnicodeError) as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}. {advice}") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. {advice}") from None
    return stats


def thinned(history: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """All of the newest thousand steps, every 100th of the newest ten thousand, every 500th beyond."""
    newest = history[-1]["step"]
    return [row for row in history if row["step"] % _every(newest - row["step"]) == 0 or row is history[-1]]


def _every(age: int) -> int:
    return next((every for within, every in _TIERS if age < within), _BEYOND)


@contextmanager
def served(port: int, numbers: Callable[[], Mapping[str, float]]) -> Iterator[int]:
    """Answers ``GET /metrics`` with what ``numbers`` says then; yields the port, or 0 where it is taken."""
    server = _server(port, numbers) if port else None
    if server is None:
        yield 0
        return
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def _server(port: int, numbers: Callable[[], Mapping[str, float]]) -> ThreadingHTTPServer | None:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path not in ("/metrics", "/"):
                self.send_error(404)
                return
            body = as_text(numbers()).encode()
            self.send_response(200)
            self.send_header("Content-Type", _TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), Answer)
    except OSError as error:
        log.warning("No metrics on port %d: %s. Choose another with --metrics-port.", port, reason(error))
        return None


def as_text(numbers: Mapping[str, float]) -> str:
    """Names that end in ``_total`` only ever rise."""
    lines = []
    for name, value in numbers.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        lines += [
            f"# TYPE {_PREFIX}{name} {kind}",
            f"{_PREFIX}{name} {value:g}" if value != int(value) else f"{_PREFIX}{name} {int(value)}",
        ]
    return "\n".join(lines) + "\n"


def draw_strength(path: Path, history: Sequence[Mapping[str, Any]]) -> None:
    """``history``: a row for each iteration of a loop."""
    step = -(-len(history) // _MOST_TICKS)
    ticks = [(number, f"{number}") for number in range(step, len(history) + 1, step)]
    across = Axis(0.5, len(history) + 0.5, ticks, "iteration")
    curves = [_points(history, name, words) for name, words in _CURVES]
    lowest = min((point.y for points in curves for point in points), default=0.0)
    plot = svg.curves(curves, across, svg.share_axis("share", lowest))
    write_text(path, svg.picture(plot, [words for _, words in _CURVES]))


def _points(history: Sequence[Mapping[str, Any]], name: str, words: str) -> list[Point]:
    found = [(row["iteration"] + 1, float(row[name])) for row in history if row.get(name) is not None]
    return [Point(number, y, y, y, f"iteration {number}: {100 * y:.1f} % {words}") for number, y in found]
