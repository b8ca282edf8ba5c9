"""Names that RLlib and this project once used: what they mean now, and how that is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jimbo.declared import short_repr

OLD_NAMES = {
    "num_workers": "num_env_runners",
    "num_rollout_workers": "num_env_runners",
    "num_envs_per_worker": "num_envs_per_env_runner",
    "num_cpus_per_worker": "num_cpus_per_env_runner",
    "num_gpus_per_worker": "num_gpus_per_env_runner",
    "train_batch_size": "train_batch_size_per_learner",
    "sgd_minibatch_size": "minibatch_size",
    "num_sgd_iter": "num_epochs",
    "lambda": "lambda_",
}
OLD_MODEL_NAMES = {"memgraph_embedding_dim": "graph_embedding_dim", "use_lstm": "lstm"}
_NETWORK = "BalatroNet"


def translated(data: Any, where: str = "") -> tuple[dict[str, Any], list[str]]:
    """The same values by their present names, and a notice for each old one; ValueError for a name given twice."""
    place = f"{where}: " if where else ""
    if not isinstance(data, Mapping):
        raise ValueError(f"{place}expected named values such as lr: 0.0001, not {short_repr(data)}")
    notices: list[str] = []
    found = _renamed(data, OLD_NAMES, place, notices)
    if isinstance(model := found.get("model"), Mapping):
        found["model"] = _model(model, place, notices)
    return found, notices


def _model(model: Mapping[Any, Any], place: str, notices: list[str]) -> dict[str, Any]:
    values = dict(model)
    network = values.pop("custom_model", _NETWORK)
    if network != _NETWORK:
        raise ValueError(f"{place}model.custom_model must be {_NETWORK}, not {short_repr(network)}")
    inner = values.pop("custom_model_config", {})
    if not isinstance(inner, Mapping):
        raise ValueError(f"{place}model.custom_model_config must be named values, not {short_repr(inner)}")
    if twice := [name for name in inner if name in values]:
        raise ValueError(f"{place}model.{twice[0]} is given twice")
    return _renamed({**values, **inner}, OLD_MODEL_NAMES, f"{place}model.", notices)


def _renamed(data: Mapping[Any, Any], names: Mapping[str, str], place: str, notices: list[str]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for name, value in data.items():
        new = names.get(name, name) if isinstance(name, str) else name
        if new in found or (new != name and new in data):
            raise ValueError(f"{place}{new} is given twice, once by an old name: leave one of them out")
        if new != name:
            notices.append(f"{place}{name} is the old name of {new}.")
        found[new] = value
    return found
