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
from typing import Any, TypeVar

from jimbo.az.match import Match
from jimbo.declared import from_dict
from jimbo.files import loads, read_text, reading, reason, write_text
from jimbo.report import svg
from jimbo.report.svg import Axis, Point

_MAX_EVALUATIONS = 50
log = logging.getLogger(__name__)
T = TypeVar("T")
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
    """Results of a model against an opponent."""

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

    @classmethod
    def of(cls, match: Match, step: int, opponent: str, **about: Any) -> MatchRecord:
        return cls(
            step=step,
            win_rate=match.rate("wins"),
            draw_rate=match.rate("draws"),
            loss_rate=match.rate("losses"),
            games_played=match.games,
            avg_game_length=match.mean_length,
            timestamp=int(time.time()),
            opponent=opponent,
            **about,
        )


@dataclass
class Best:
    iteration: int
    step: int
    win_rate_when_promoted: float
    timestamp: int


@dataclass
class LearntStep:
    """Losses and learning rate of a step."""

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
    """Rows of ``LearntStep``: many of the newest steps, few of the old ones."""
    last_eval: MatchRecord | None = None
    eval_history: list[MatchRecord] = field(default_factory=list)
    best_model: Best | None = None
    iteration: int = 0
    iterations: list[Mapping[str, Any]] = field(default_factory=list)
    """The history of a loop, a row for each iteration."""

    def learnt(self, step: int, losses: Mapping[str, float], learning_rate: float) -> None:
        row = {"step": step, **losses, "learning_rate": learning_rate}
        for name, value in row.items():
            setattr(self, name, value)
        self.history = thinned([*(old for old in self.history if old["step"] < step), row])

    def evaluated(self, found: MatchRecord) -> None:
        self.last_eval = found
        self.eval_history = [*self.eval_history, found][-_MAX_EVALUATIONS:]

    def write(self, path: Path) -> None:
        self.timestamp = int(time.time())
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(asdict(self), indent=1, allow_nan=False) + "\n")


def read_stats(path: Path, env_id: str) -> Stats:
    """Return the statistics in a file, or new ones; ValueError for a file of another kind or game."""

    def check(stats: Stats) -> None:
        for row in stats.history:
            from_dict(LearntStep, row, "history")
        if stats.env_id not in ("", env_id):
            raise ValueError(f"it is about {stats.env_id}")

    return read_record(Stats, path, "Remove it, or name another file with --stats", check) or Stats()


def read_record(kind: type[T], path: Path, advice: str, check: Callable[[T], None] = lambda _: None) -> T | None:
    """Return what a JSON file says, if there is one; ValueError says what is wrong with it, and what to do."""
    try:
        found = from_dict(kind, loads(read_text(path), finite=True))
        check(found)
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError):
        with reading(path, advice=advice):
            raise
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. {advice}") from None
    return found


def thinned(history: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Keep all of the newest thousand steps, every 100th of the newest ten thousand, every 500th beyond."""
    newest = history[-1]["step"]

    def every(age: int) -> int:
        return 1 if age < 1_000 else 100 if age < 10_000 else 500

    return [row for row in history if row["step"] % every(newest - row["step"]) == 0 or row is history[-1]]


@contextmanager
def served(port: int, numbers: Callable[[], Mapping[str, float]]) -> Iterator[int]:
    """Answer ``GET /metrics`` with ``numbers()`` on a port of this machine; yield the port, or 0 where it is taken."""
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
    """Return the numbers as Prometheus reads them; a name that ends in ``_total`` is a counter."""
    lines = []
    for name, value in numbers.items():
        kind = "counter" if name.endswith("_total") else "gauge"
        shown = f"{value:g}" if value != int(value) else f"{int(value)}"
        lines += [f"# TYPE {_PREFIX}{name} {kind}", f"{_PREFIX}{name} {shown}"]
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
