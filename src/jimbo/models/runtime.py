"""Networks at play and their speed: ONNX Runtime, without torch."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import MAX_CANDIDATES
from jimbo.engine import LAST_ANTE, Batch, BatchArrays
from jimbo.extras import require
from jimbo.files import LARGEST_MODEL, loads, read_bytes, reading
from jimbo.models.checkpoint import BadModel, check_card, check_finite
from jimbo.models.inputs import input_names, network_inputs
from jimbo.models.outputs import BLINDS_AHEAD, OUTPUT_NAMES, Outputs, outputs_of

Array = NDArray[Any]

CARD_KEY = "jimbo"
"""Under which an ONNX file keeps its card."""
BEST = "best.onnx"
_ANSWERS: Mapping[str, tuple[int | None, ...]] = dict(
    zip(OUTPUT_NAMES, [(None, None), (None,), (None, BLINDS_AHEAD), (None, LAST_ANTE)], strict=True)
)
"""The sizes of the outputs, where they are always the same."""
BLIND_METHODS = ("bc", "sb3", "rllib")
"""Trainings that teach to choose, and nothing of how games end."""


class Policy(Protocol):
    """Whatever rates candidates; a network, or several."""

    def evaluate(self, observations: Array, candidate_ids: Array, candidate_rows: Array, mask: Array) -> Outputs:
        """Answer ``[B]`` observations with ``[B, K, ...]`` candidates; ``mask`` says which there are."""


def onnx_session(path: Path, threads: int) -> tuple[Any, str, Any]:
    """Open a file with ONNX Runtime; return the session, a hash of the file, and the card in it.

    BadModel says why it cannot be used.
    """
    runtime = require("onnxruntime", "models")
    with reading(path, BadModel):
        data = read_bytes(path, LARGEST_MODEL)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        card = loads(session.get_modelmeta().custom_metadata_map.get(CARD_KEY, "{}"))
        finite = weights_are_finite(data)
    except Exception:  # the runtime has a type of its own for each trouble
        raise BadModel(f"{path} is not a network that ONNX Runtime can read, or only half of one.") from None
    check_finite(finite, path)
    return session, hashlib.sha256(data).hexdigest()[:16], card


class OnnxPolicy:
    """A network in an ONNX file."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self.path = path
        self._session, self.hash, card = onnx_session(path, threads)
        self.config = check_card(card, path)
        self.card: dict[str, Any] = card
        self.foresees = card.get("method") not in BLIND_METHODS
        """Whether it was taught how games end."""
        self._wanted = [entry.name for entry in self._session.get_inputs()]
        shapes = {entry.name: entry.shape for entry in self._session.get_outputs()}
        if not set(self._wanted) <= set(input_names()) or not _are_answers(shapes):
            raise BadModel(
                f"{path} cannot be used: its inputs ({', '.join(self._wanted)}) or outputs ({', '.join(shapes)}) are "
                "not those of a network of this version, or have other sizes."
            )

    def __repr__(self) -> str:
        return f"<OnnxPolicy {self.path}>"

    def evaluate(self, observations: Array, candidate_ids: Array, candidate_rows: Array, mask: Array) -> Outputs:
        inputs = network_inputs(observations, candidate_ids, candidate_rows, mask)
        logits, win, clear, ante = self._session.run(list(OUTPUT_NAMES), {name: inputs[name] for name in self._wanted})
        return outputs_of(logits, win, clear, ante, mask)


def _are_answers(shapes: Mapping[str, Sequence[int | str | None]]) -> bool:
    """Whether outputs are those of our networks, and have the right sizes where they say their sizes."""
    return shapes.keys() == _ANSWERS.keys() and all(
        len(shapes[name]) == len(sizes) and all(map(_fits, shapes[name], sizes)) for name, sizes in _ANSWERS.items()
    )


def _fits(said: int | str | None, size: int | None) -> bool:
    return size is None or not isinstance(said, int) or said == size


def load_policy(path: Path | None = None, *, threads: int = 1) -> OnnxPolicy:
    """Load the network in a file or in the folder of a training; without a path the one that the package brings."""
    return OnnxPolicy(model_file(path), threads=threads)


def model_file(path: Path | None) -> Path:
    """Return the .onnx file of a network: of a folder its best epoch, of ``last.pt`` or ``last`` the file last.onnx."""
    if path is None:
        return Path(str(files("jimbo.models").joinpath("default.onnx")))
    if path.is_dir():
        if not (path / BEST).is_file():
            raise BadModel(f"{path} holds no {BEST}: name the folder of a finished training, or an .onnx file.")
        return path / BEST
    beside = path.with_suffix(".onnx")
    if path.suffix in (".safetensors", ".json", ".pt") or (not path.exists() and beside.is_file()):
        if not beside.is_file():
            raise BadModel(f"There is no {beside.name} beside {path}: networks play as .onnx files.")
        return beside
    return path


# --- Weights of an ONNX file, read without the package onnx -----------------------------------------------------------

_GRAPH, _INITIALIZER = 7, 5
"""Numbers of fields: the graph of a model, the weights of a graph."""
_DATA_TYPE, _FLOATS, _DOUBLES, _RAW = 2, 4, 10, 9
"""Numbers of the fields of a tensor: what its numbers are, and where they stand."""
_RAW_TYPES = {1: "<f4", 10: "<f2", 11: "<f8"}
_FIXED_BYTES = {1: 8, 5: 4}


def weights_are_finite(model: bytes) -> bool:
    """Whether all weights are finite numbers; ValueError for what is not an ONNX file."""
    return all(
        bool(np.isfinite(numbers).all())
        for graph in _parts(memoryview(model), _GRAPH)
        for tensor in _parts(graph, _INITIALIZER)
        for numbers in _numbers(tensor)
    )


_NODE, _ATTRIBUTE = 1, 5
_TENSORS, _GRAPHS = (5, 10), (6, 11)
"""Fields of an attribute: one or many tensors, one or many graphs."""
_OUTSIDE, _PLACE = 13, 14
"""Fields of a tensor whose numbers stand in another file."""


def has_outside_weights(model: bytes) -> bool:
    """Whether a network keeps numbers in other files; ValueError for what is not an ONNX file."""
    graphs = list(_parts(memoryview(model), _GRAPH))
    if not graphs:
        raise ValueError("no graph")
    return any(map(_reaches_outside, graphs))


def _reaches_outside(graph: memoryview) -> bool:
    attributes = [each for node in _parts(graph, _NODE) for each in _parts(node, _ATTRIBUTE)]
    tensors = [*_parts(graph, _INITIALIZER), *(one for each in attributes for f in _TENSORS for one in _parts(each, f))]
    inner = (one for each in attributes for field in _GRAPHS for one in _parts(each, field))
    return any(field in (_OUTSIDE, _PLACE) for tensor in tensors for field, value in _fields(tensor) if value) or any(
        map(_reaches_outside, inner)
    )


def _numbers(tensor: memoryview) -> Iterator[NDArray[Any]]:
    raw_type = next((_RAW_TYPES.get(value) for field, value in _fields(tensor) if field == _DATA_TYPE), None)
    for kind, field in (("<f4", _FLOATS), ("<f8", _DOUBLES), (raw_type, _RAW)):
        yield from (np.frombuffer(part, kind) for part in _parts(tensor, field) if kind)


def _parts(message: memoryview, number: int) -> Iterator[memoryview]:
    return (value for field, value in _fields(message) if field == number and not isinstance(value, int))


def _fields(message: memoryview) -> Iterator[tuple[int, Any]]:
    """Yield number and value of each field of a protocol buffer: a whole number, or bytes."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        field, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield field, value
            continue
        size, at = (_FIXED_BYTES[kind], at) if kind in _FIXED_BYTES else _varint(message, at)
        if kind not in (1, 2, 5) or at + size > len(message):
            raise ValueError("not a protocol buffer")
        yield field, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(message) and shift < 64:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
    raise ValueError("not a protocol buffer")


# --- Speed ------------------------------------------------------------------------------------------------------------

ROWS = 256
"""Games side by side."""
REPEATS = 7
_WARM_UP = 24
_STEPS = 20


@dataclass(frozen=True, slots=True)
class Speed:
    """Processor time, with the game and the listing of candidates; medians of ``REPEATS``."""

    one_ms: float
    """A decision in a single game."""
    batch_per_s: float
    """Decisions in ``ROWS`` games at once."""


def measure_policy(policy: Policy, on_progress: Callable[[], None] = lambda: None) -> Speed:
    one, many = _Games(policy, 1), _Games(policy, ROWS)
    single, batch = [], []
    for _ in range(REPEATS):
        single.append(one.seconds(_STEPS * 4) / (_STEPS * 4))
        batch.append(many.seconds(_STEPS) / (_STEPS * ROWS))
        on_progress()
    return Speed(1000 * median(single), 1 / median(batch))


class _Games:
    """Games, each followed by a new one."""

    def __init__(self, policy: Policy, rows: int) -> None:
        self._policy = policy
        self._batch = Batch(rows, encoding="candidates", candidates=MAX_CANDIDATES, autoreset="same_step")
        self._seen = BatchArrays.for_batch(self._batch)
        self._batch.bind(**self._seen.as_arguments())
        self._batch.reset()
        self.seconds(_WARM_UP)  # rows come apart, and the runtime gets ready

    def seconds(self, steps: int) -> float:
        began = time.process_time()
        for _ in range(steps):
            seen = self._seen
            found = self._policy.evaluate(seen.observations, seen.candidate_ids, seen.candidate_rows, seen.masks)
            self._batch.step(found.logits.argmax(axis=1).astype(np.int32))
        return time.process_time() - began
