"""Networks at play: ONNX Runtime, without torch."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from jimbo.engine import LAST_ANTE
from jimbo.extras import require
from jimbo.files import LARGEST_MODEL, loads, read_bytes, reason
from jimbo.models.checkpoint import BadModel, check_card, check_finite
from jimbo.models.inputs import input_names, network_inputs
from jimbo.models.onnx_weights import weights_are_finite
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
    """Whatever judges candidates; a network, or several."""

    def evaluate(self, observations: Array, candidate_ids: Array, candidate_rows: Array, mask: Array) -> Outputs:
        """``[B]`` observations and ``[B, K, ...]`` candidates, of which ``mask`` says which there are."""


class OnnxPolicy:
    """A network in an ONNX file."""

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        runtime = require("onnxruntime", "models")
        self.path = path
        try:
            data = read_bytes(path, LARGEST_MODEL)
        except OSError as error:
            raise BadModel(f"{path} cannot be read: {reason(error)}.") from None
        self.hash = hashlib.sha256(data).hexdigest()[:16]
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
            card = loads(self._session.get_modelmeta().custom_metadata_map.get(CARD_KEY, "{}"))
            finite = weights_are_finite(data)
        except Exception:  # the runtime has a type of its own for each trouble
            raise BadModel(f"{path} is not a network that ONNX Runtime can read.") from None
        self.config = check_card(card, path)
        check_finite(finite, path)
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
    """The network in a file or in the folder of a training; without a path the one that the package brings."""
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
