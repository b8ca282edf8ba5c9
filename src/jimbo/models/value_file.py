"""Learnt values on disk: weights as safetensors, read with numpy alone, and a card as JSON beside them.

The format is plain: eight bytes that tell the length of a JSON header, the header with the type, shape and place of
each tensor, and the numbers. Nothing that is read can run code.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.value import VALUE_BLINDS, ValueNet, input_count, value_net, value_schema_hash
from jimbo.files import read_bytes, reading, write_bytes, write_text
from jimbo.models.checkpoint import BadModel, check_finite, read_card

OWN_FILE = Path(__file__).with_name("value.safetensors")
FORMAT = "jimbo_value_v1"
LAYERS = ("first", "second", "third")
POLICY = "policy."
"""What the names of the weights of a policy begin with, which a file may hold besides those of the value."""
_SECONDS = ("second.weight", f"{POLICY}second.weight")
_TYPES: dict[str, np.dtype[Any]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}
_MAX_BYTES = 1 << 28
_LENGTH_BYTES = 8

Weights = dict[str, NDArray[Any]]
"""``LAYER.weight`` [inputs, outputs] and ``LAYER.bias`` [outputs] of the three layers, and the same of a policy with
``policy.`` before the names. On disk the second weight of networks that stand side by side is [networks, inputs,
outputs]: what would join them is zero."""
_MOST_SIDE_BY_SIDE = 16


def load_value(path: Path | None = None) -> tuple[ValueNet, dict[str, Any]]:
    """Return the value that plays and its card, the package's own by default; BadModel says what is wrong."""
    weights, card = read_value(path or OWN_FILE)
    try:
        return net_of(weights), card
    except ValueError as error:
        raise BadModel(f"{path or OWN_FILE} cannot be used: {error}.") from None


def net_of(weights: Weights) -> ValueNet:
    """Return the net that plays: outputs beyond the chances are there to be learnt from, not to play by."""
    return value_net(layers_of(weights), _layers(weights, POLICY) if has_policy(weights) else ())


def has_policy(weights: Mapping[str, NDArray[Any]]) -> bool:
    return any(name.startswith(POLICY) for name in weights)


def layers_of(weights: Weights) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Return the weights and biases of the value's layers that play."""
    layers = _layers(weights)
    layers[-1] = (layers[-1][0][:, :VALUE_BLINDS], layers[-1][1][:VALUE_BLINDS])
    return layers


def _layers(weights: Weights, prefix: str = "") -> list[tuple[NDArray[Any], NDArray[Any]]]:
    return [(weights[f"{prefix}{name}.weight"], weights[f"{prefix}{name}.bias"]) for name in LAYERS]


def read_value(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Read weights as float32, and the card beside them."""
    weights = _tensors(path)  # first: where both are missing, this is the one named
    card = _card(path.with_suffix(".json"))
    for name in _SECONDS:
        if name in weights and weights[name].ndim == 3:
            weights[name] = joined(weights[name])
    for prefix in ("", POLICY) if has_policy(weights) else ("",):
        for name in LAYERS:
            weight, bias = weights.get(f"{prefix}{name}.weight"), weights.get(f"{prefix}{name}.bias")
            if weight is None or bias is None or weight.ndim != 2 or bias.shape != weight.shape[1:]:
                raise BadModel(f"{path} does not hold the weights of a value.")
        if weights[f"{prefix}first.weight"].shape[0] != input_count():
            raise BadModel(f"{path} has another number of inputs than its card says.")
    check_finite(all(np.isfinite(weight).all() for weight in weights.values()), path)
    return weights, card


def write_value(path: Path, weights: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write the weights as float16, and the card beside them."""
    write_bytes(path, tensors_bytes({n: side_by_side(w) if n in _SECONDS else w for n, w in weights.items()}))
    card = {"format": FORMAT, "schema_hash": value_schema_hash(), **about}
    write_text(path.with_suffix(".json"), json.dumps(card, indent=2) + "\n")


def tensors_bytes(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """Return a file of weights in the format safetensors, as float16."""
    header, parts, end = {}, [], 0
    for name, tensor in tensors.items():
        part = np.ascontiguousarray(tensor, _TYPES["F16"]).tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [end, end + len(part)]}
        parts.append(part)
        end += len(part)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % _LENGTH_BYTES)
    return len(text).to_bytes(_LENGTH_BYTES, "little") + text + b"".join(parts)


def side_by_side(second: NDArray[Any]) -> NDArray[Any]:
    """Return the second weight as [networks, inputs, outputs]: as many of one size as stand side by side in it."""
    inputs, outputs = second.shape
    for count in range(_MOST_SIDE_BY_SIDE, 1, -1):
        if inputs % count == outputs % count == 0:
            blocks = second.reshape(count, inputs // count, count, outputs // count)
            parts = np.stack([blocks[i, :, i] for i in range(count)])
            if np.count_nonzero(parts) == np.count_nonzero(second):
                return parts
    return second[None]


def joined(parts: NDArray[Any]) -> NDArray[Any]:
    """Return second weights side by side as one."""
    count, inputs, outputs = parts.shape
    second = np.zeros((count, inputs, count, outputs), parts.dtype)
    second[range(count), :, range(count)] = parts
    return second.reshape(count * inputs, count * outputs)


def _card(path: Path) -> dict[str, Any]:
    card = read_card(path)
    if card.get("format") != FORMAT:
        raise BadModel(f"{path} is not the card of a value of the format {FORMAT}.")
    if card.get("schema_hash") != value_schema_hash():
        raise BadModel(
            f"{path} is a value for other inputs (schema_hash {card.get('schema_hash')}, "
            f"here {value_schema_hash()}). Train it again with this version, or use the version that made it."
        )
    return card


def _tensors(path: Path) -> Weights:
    with reading(path, BadModel):
        data = read_bytes(path, _MAX_BYTES)
    return read_tensors(data, path)


def read_tensors(data: bytes, path: Path | str) -> Weights:
    """Return the tensors of a file of weights in the format safetensors; BadModel names the file."""
    try:
        start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
        header = json.loads(data[_LENGTH_BYTES:start])
        header.pop("__metadata__", None)
        if start + max(entry["data_offsets"][1] for entry in header.values()) != len(data):
            raise ValueError("more bytes than tensors, or fewer")
        return {name: _tensor(data[start:], **entry) for name, entry in header.items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadModel(f"{path} is not a file of weights, or was cut or added to.") from None


def _tensor(data: bytes, dtype: str, shape: list[int], data_offsets: list[int]) -> NDArray[Any]:
    first, last = data_offsets
    numbers: NDArray[Any] = np.frombuffer(data[first:last], _TYPES[dtype])
    return numbers.reshape(shape).astype(np.float32)
