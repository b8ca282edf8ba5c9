"""Models of self-play: their files, how ONNX Runtime runs them (without torch), and the watch for a newer one.

``model_step_000100.onnx`` is a checkpoint, ``latest.onnx`` and ``model.onnx`` are the newest. Each is written beside
its place and renamed into it, so that nobody reads half a file.
"""

from __future__ import annotations

import os
import re
import threading
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from jimbo.az.games import BALATRO
from jimbo.az.schema import GameMetadata
from jimbo.engine.az.balatro import network_arrays, value_of
from jimbo.extras import require
from jimbo.files import LARGEST_MODEL, read_bytes, reason, write_bytes
from jimbo.models.checkpoint import BadModel, check_finite
from jimbo.models.runtime import OnnxPolicy, model_file, weights_are_finite
from jimbo.run_folder import check_empty_or_ours

LATEST, MODEL, BEST = "latest.onnx", "model.onnx", "best.onnx"
NAMES = (LATEST, MODEL)
"""The newest model, under either name; the first counts."""
RESUME = "latest.pt"
"""What a trainer needs to go on."""
_OURS = re.compile(r"((model_step|best_iteration)_\d+|latest|model|best)\.onnx(\.data)?")
_NAME = re.compile(r"model_step_(\d+)\.onnx$")
Array = NDArray[Any]
_ILLEGAL = np.float32(-1e9)


def check_models(folder: Path) -> None:
    """ValueError for a folder with files that no training has written, or with a damaged file to resume from."""
    check_empty_or_ours(folder, RESUME, _OURS)
    path = folder / RESUME
    if path.is_file() and not _is_whole(path):
        raise ValueError(f"{path} is damaged, so the training cannot go on from it. Choose another --model-dir.")


def _is_whole(path: Path) -> bool:
    """Every part is as its checksum says; torch itself would not notice."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError):
        return False


def publish(folder: Path, step: int, keep: int) -> None:
    """Makes a checkpoint the newest model, and removes the oldest ones; ``keep`` 0: none."""
    data = checkpoint_path(folder, step).read_bytes()
    for name in (LATEST, MODEL):
        write_bytes(folder / name, data)
    for _, path in checkpoints(folder)[: -keep or None] if keep else []:
        path.unlink(missing_ok=True)
    for orphan in folder.glob("model_step_*.onnx.data"):
        orphan.unlink(missing_ok=True)  # of exporters that write weights beside the model


def checkpoint_path(folder: Path, step: int) -> Path:
    return folder / f"model_step_{step:06d}.onnx"


def checkpoints(folder: Path) -> list[tuple[int, Path]]:
    """By their steps, oldest first."""
    found = ((_NAME.search(path.name), path) for path in folder.glob("model_step_*.onnx"))
    return sorted((int(match[1]), path) for match, path in found if match)


class BalatroModel:
    """A network in a file; BadModel says why it cannot be used."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self.path = path
        self._policy = OnnxPolicy(path, threads=threads)

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""
        arrays = network_arrays(observations)
        found = self._policy.evaluate(*arrays)
        return np.where(arrays.mask, found.logits, _ILLEGAL).astype(np.float32), value_of(found.win, found.ante)


def start_file() -> Path:
    """The network that the package brings: where self-play begins."""
    return model_file(None)


class Model(Protocol):
    path: Path

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""


def open_model(path: Path, game: GameMetadata, *, threads: int = 1) -> Model:
    """A network in a file, of the kind that suits the game; BadModel says why it cannot be used."""
    return BalatroModel(path, threads=threads) if game.env_id == BALATRO else OnnxModel(path, game, threads=threads)


def first_file(env_id: str) -> Path | None:
    """The model with which self-play begins; None: nothing but search."""
    return start_file() if env_id == BALATRO else None


def first_model(game: GameMetadata, *, threads: int = 1) -> Model | None:
    path = first_file(game.env_id)
    return open_model(path, game, threads=threads) if path else None


class OnnxModel:
    """A network for a board game in a file; BadModel says why it cannot be used."""

    def __init__(self, path: Path, game: GameMetadata, *, threads: int = 1) -> None:
        self.path = path
        try:
            data = read_bytes(path, LARGEST_MODEL)
        except OSError as error:
            raise BadModel(f"{path} cannot be read: {reason(error)}.") from None
        self._session = _session(path, data, threads)
        try:
            logits, values = self.evaluate(np.zeros((2, game.obs_size), np.float32))
        except Exception:
            raise BadModel(f"{path} is not a model for {game.env_id}.") from None
        if logits.shape != (2, game.num_actions) or values.shape != (2,):
            raise BadModel(f"{path} is not a model for {game.env_id}: it gives {logits.shape[1:]} logits.")
        if not (np.isfinite(logits).all() and np.isfinite(values).all()):
            raise BadModel(f"{path} says what is not a number.")

    def evaluate(self, observations: Array) -> tuple[Array, Array]:
        """float32[B, obs_size] -> logits float32[B, num_actions], values float32[B]"""
        logits, value = self._session.run(["policy_logits", "value"], {"observation": observations})
        return logits, value.reshape(len(value))


def _session(path: Path, data: bytes, threads: int) -> Any:
    runtime = require("onnxruntime", "models")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        finite = weights_are_finite(data)
    except Exception:  # the runtime has a type of its own for each trouble
        raise BadModel(f"{path} is not a model that ONNX Runtime can read, or only half of one.") from None
    check_finite(finite, path)
    return session


class ModelWatch:
    """Looks for a new model when the folder changes and, where such news do not come, every so many seconds."""

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
        """A model that was not there at the last call, or had another content."""
        if not self._news.is_set() and time.monotonic() < self._next:
            return None
        self._news.clear()
        self._next = time.monotonic() + self._interval
        for name in NAMES:
            path = self._folder / name
            signature = _signature(path)
            if signature is not None:
                if signature == self._seen:
                    return None
                self._seen = signature
                return path
        return None


def _signature(path: Path) -> tuple[Any, ...] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return str(path), found.st_mtime_ns, found.st_size, found.st_ino


def _observer(folder: Path, news: threading.Event) -> Any:
    """None without the package watchdog: then looking every so often is all."""
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
