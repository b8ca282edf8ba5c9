"""Models of self-play: their files, models at play (without torch), and the watch for a newer one.

``model_step_000100.onnx`` is a checkpoint, ``latest.onnx`` and ``model.onnx`` are the newest. Each is written to a
temporary name and renamed, so that nobody reads half a file.
"""

from __future__ import annotations

import os
import re
import threading
import time
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from jimbo.az.settings import BALATRO, VALUE, check_has_value
from jimbo.engine.az import GameSpec, Position, Searches, SearchSettings, TreeSearch
from jimbo.engine.az.balatro import network_arrays, value_of
from jimbo.engine.az.games import Array
from jimbo.files import write_bytes
from jimbo.models.checkpoint import BadModel
from jimbo.models.runtime import OnnxPolicy, model_file, onnx_session
from jimbo.models.value_file import load_value
from jimbo.run_folder import check_empty_or_ours

LATEST, MODEL, BEST = "latest.onnx", "model.onnx", "best.onnx"
NAMES = (LATEST, MODEL)
"""The newest model, under either name; the first counts."""
RESUME = "latest.pt"
"""What a trainer needs to resume."""
DEFAULT = "default"
"""Stands for the network that the package brings."""
VALUE_SUFFIX = ".safetensors"
_OURS = re.compile(r"((model_step|best_iteration)_\d+|latest|model|best)\.onnx(\.data)?")
_NAME = re.compile(r"model_step_(\d+)\.onnx$")
_ILLEGAL = np.float32(-1e9)


def check_models(folder: Path) -> None:
    """ValueError for a folder with files that no training has written, or with a damaged file to resume from."""
    check_empty_or_ours(folder, RESUME, _OURS)
    path = folder / RESUME
    if path.is_file() and not _is_whole(path):
        raise ValueError(f"{path} is damaged, so the training cannot be resumed. Choose another --model-dir.")


def _is_whole(path: Path) -> bool:
    """Compare every part with its checksum; torch itself would not notice."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError):
        return False


def publish(folder: Path, step: int, keep: int) -> None:
    """Make a checkpoint the newest model, and remove the oldest ones; ``keep`` 0: none."""
    data = checkpoint_path(folder, step).read_bytes()
    for name in (LATEST, MODEL):
        write_bytes(folder / name, data)
    for _, path in checkpoints(folder)[: -keep or None] if keep else []:
        path.unlink(missing_ok=True)
    for orphan in folder.glob("model_step_*.onnx.data"):
        orphan.unlink(missing_ok=True)  # written by exporters that keep weights in a file of their own


def checkpoint_path(folder: Path, step: int) -> Path:
    return folder / f"model_step_{step:06d}.onnx"


def checkpoints(folder: Path) -> list[tuple[int, Path]]:
    """Return the checkpoints by their steps, oldest first."""
    found = ((_NAME.search(path.name), path) for path in folder.glob("model_step_*.onnx"))
    return sorted((int(match[1]), path) for match, path in found if match)


# --- Models at play ---------------------------------------------------------------------------------------------------


class Model(Protocol):
    """Evaluates positions: a network (``RowModel``) or a learnt value (``BalatroValue``)."""

    name: str
    """Its name in reports."""

    def policy(self, positions: Sequence[Position]) -> Array:
        """Return float32[n, num_actions]: probabilities of the moves, without any search."""

    def evaluate_waiting(self, searches: Searches) -> bool:
        """Evaluate the positions that wait in searches; return whether there were any."""


class RowModel(ABC):
    """A model that evaluates positions by their observations."""

    name = "Network"

    @abstractmethod
    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""

    def policy(self, positions: Sequence[Position]) -> Array:
        logits, _ = self.evaluate(np.stack([position.observation() for position in positions]))
        logits = np.where(np.stack([position.legal() for position in positions]), logits, -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        policy: Array = shares / shares.sum(axis=1, keepdims=True)
        return policy

    def evaluate_waiting(self, searches: Searches) -> bool:
        rows = searches.leaves()
        if len(rows):
            searches.evaluated(*self.evaluate(rows))
        return len(rows) > 0


class BalatroValue:
    """The learnt value that the expert plays by: it evaluates searches of Balatro in the engine.

    Without a path it is the package's value; BadModel says why a file cannot be used.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._net, _ = load_value(path)
        self.name = f"Value({path.name})" if path else "Value"

    def policy(self, positions: Sequence[Position]) -> Array:
        """Return the policy of the root: a search of one simulation, whose value changes nothing."""
        settings = SearchSettings(simulations=1, search="gumbel", gumbel_value_scale=0.0).quiet()
        search = TreeSearch(positions, settings, seed=0)
        while self.evaluate_waiting(search):
            pass
        return search.results().policy

    def evaluate_waiting(self, searches: Searches) -> bool:
        if not searches.waiting():
            return False
        searches.evaluate_by(self._net)
        return True


class BalatroModel(RowModel):
    """A network for Balatro in a file; BadModel says why it cannot be used."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self.path, self.name = path, _name_of(path)
        self._policy = OnnxPolicy(path, threads=threads)

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        arrays = network_arrays(observations)
        found = self._policy.evaluate(*arrays)
        return np.where(arrays.mask, found.logits, _ILLEGAL).astype(np.float32), value_of(found.win, found.ante)


class OnnxModel(RowModel):
    """A network for a board game in a file; BadModel says why it cannot be used."""

    def __init__(self, path: Path, game: GameSpec, *, threads: int = 1) -> None:
        self.path, self.name = path, _name_of(path)
        self._session, *_ = onnx_session(path, threads)
        try:
            logits, values = self.evaluate(np.zeros((2, game.obs_size), np.float32))
        except Exception:
            raise BadModel(f"{path} is not a model for {game.env_id}.") from None
        if logits.shape != (2, game.num_actions) or values.shape != (2,):
            raise BadModel(f"{path} is not a model for {game.env_id}: it gives {logits.shape[1:]} logits.")
        if not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise BadModel(f"{path} gives values that are not finite numbers.")

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        logits, value = self._session.run(["policy_logits", "value"], {"observation": observations})
        return logits, value.reshape(len(value))


def _name_of(path: Path) -> str:
    return f"ONNX({path.name})"


def open_model(name: str, game: GameSpec) -> Model:
    """Open a model by its file or, for Balatro, as ``value`` or ``default``; ValueError says why it cannot be used."""
    path = Path(name)
    if name == VALUE or path.suffix == VALUE_SUFFIX:
        check_has_value(game.env_id, "name an .onnx file")
        return BalatroValue(None if name == VALUE else path)
    first = first_file(game.env_id) if name == DEFAULT else None
    return open_network(first or path, game)


def open_network(path: Path, game: GameSpec, *, threads: int = 1) -> BalatroModel | OnnxModel:
    """Open a network in a file; BadModel says why it cannot be used."""
    return BalatroModel(path, threads=threads) if game.env_id == BALATRO else OnnxModel(path, game, threads=threads)


def first_file(env_id: str) -> Path | None:
    """Return the network with which self-play begins; None: nothing but search."""
    return start_file() if env_id == BALATRO else None


def start_file() -> Path:
    """Return the network that the package brings."""
    return model_file(None)


# --- News -------------------------------------------------------------------------------------------------------------


class ModelWatch:
    """Looks for a new model when the folder changes and, where file events do not arrive, every so many seconds."""

    def __init__(self, folder: Path, interval: float) -> None:
        self._folder, self._interval = folder, interval
        self._seen: tuple[Any, ...] | None = None
        self._next = 0.0
        self._news = threading.Event()
        self._observer = _observer(folder, self._news)

    def close(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()

    def changed(self) -> Path | None:
        """Return a model that was not there at the last call, or had another content."""
        if not self._news.is_set() and time.monotonic() < self._next:
            return None
        self._news.clear()
        self._next = time.monotonic() + self._interval
        for path in (self._folder / name for name in NAMES):
            if (signature := _signature(path)) is not None:
                known, self._seen = self._seen, signature
                return path if signature != known else None
        return None


def _signature(path: Path) -> tuple[Any, ...] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return str(path), found.st_mtime_ns, found.st_size, found.st_ino


def _observer(folder: Path, news: threading.Event) -> Any:
    """Return None without the package watchdog, or where no folder can be watched."""
    if find_spec("watchdog") is None:
        return None
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers import Observer

    class _Tell(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type in ("created", "modified", "moved", "closed"):
                news.set()

    folder.mkdir(parents=True, exist_ok=True)
    observer = Observer()
    try:
        observer.schedule(_Tell(), str(folder))
        observer.start()
    except OSError:  # no more watches on this machine
        return None
    return observer
