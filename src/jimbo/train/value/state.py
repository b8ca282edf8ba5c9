"""Where the training of a value stands between two generations, on disk: enough to go on as if it had never stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save

from jimbo.declared import from_dict
from jimbo.files import loads, reason, write_bytes
from jimbo.train.core.state import STATE
from jimbo.train.value.model import ValueModel
from jimbo.train.value.watching import ValueProgress


def save_state(folder: Path, models: Mapping[str, ValueModel], progress: ValueProgress) -> None:
    """One file, so that weights and progress always belong together.

    The optimizer begins anew with every generation, and random numbers depend on the seed and the generation alone.
    """
    tensors = {
        f"{model}.{name}": tensor.detach().cpu().contiguous()
        for model, weights in models.items()
        for name, tensor in weights.state_dict().items()
    }
    write_bytes(folder / STATE, save(tensors, metadata={"progress": json.dumps(asdict(progress))}))


def load_state(folder: Path, models: Mapping[str, ValueModel]) -> ValueProgress | None:
    """Sets the weights to where they were; None where there is nothing to go on with."""
    path = folder / STATE
    if not path.is_file():
        return None
    try:
        with safe_open(path, "pt") as file:
            progress = from_dict(ValueProgress, loads(file.metadata()["progress"]))
        tensors = load_file(path)
        for model, weights in models.items():
            own = {name: tensor for name, tensor in tensors.items() if name.startswith(f"{model}.")}
            weights.load_state_dict({name.removeprefix(f"{model}."): tensor for name, tensor in own.items()})
    except (SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another --out.") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}.") from None
    return progress
