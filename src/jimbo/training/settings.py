"""Configs from files and command lines: a preset, over it what the file says, over it what was typed."""

from __future__ import annotations

import json
from collections.abc import Container, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from jimbo.declared import check_values, named_texts, short_repr
from jimbo.training.config import (
    HyperparameterConfig,
    TrainerConfig,
    check_names,
    get_default_config,
    tuned_config,
)
from jimbo.training.experiment import DEFAULT_NAME, ExperimentConfig, check_folder_name
from jimbo.training.framework import check_algorithm
from jimbo.yaml_files import read_yaml

PRESETS = {"tuned": tuned_config, "reference": get_default_config}
_OLD_PRESETS = {"document": "reference"}
_TRAINER = {entry.name for entry in fields(TrainerConfig)}
_HYPER = {entry.name for entry in fields(HyperparameterConfig)}


def read_trainer_config(path: Path | None, preset: str | None, named: Mapping[str, Any]) -> TrainerConfig:
    """``named``: fields of TrainerConfig or HyperparameterConfig, or arguments of the algorithm. ValueError in words.

    A file is a mapping with fields of TrainerConfig, ``hyperparams`` of which only some need be named, and ``preset``.
    """
    told = _read_mapping(path) if path else {}
    chosen = preset or told.pop("preset", "tuned")
    told.pop("preset", None)
    chosen = _OLD_PRESETS.get(chosen, chosen) if isinstance(chosen, str) else chosen
    if not isinstance(chosen, str) or chosen not in PRESETS:
        raise ValueError(f'there is no preset "{chosen}": choose from {", ".join(PRESETS)}')
    algorithm = named.get("algorithm", told.get("algorithm", "PPO"))
    check_algorithm(algorithm)
    data = PRESETS[chosen](algorithm).to_dict()
    _merge(data, told)
    for name, value in named.items():
        _set(data, name, value)
    return TrainerConfig.from_dict(data)


def read_experiments(path: Path) -> list[ExperimentConfig]:
    """A YAML list with the fields of one experiment each, or a mapping with ``experiments`` and ``defaults``."""
    data = read_yaml(path)
    defaults: Mapping[str, Any] = {}
    if isinstance(data, Mapping):
        unknown = [name for name in data if name not in ("defaults", "experiments")]
        if unknown:
            raise ValueError(f"config {path}: {unknown[0]} unknown; expected a list, or experiments and defaults")
        defaults, data = data.get("defaults") or {}, data.get("experiments")
    if not isinstance(data, list) or not data or not isinstance(defaults, Mapping):
        raise ValueError(f"config {path} must be a list of experiments, such as '- algorithm: PPO'")
    found = []
    for place, entry in enumerate(data, 1):
        if not isinstance(entry, Mapping):
            raise ValueError(f"config {path}, experiment {place}: expected named values")
        try:
            experiment = ExperimentConfig.from_dict({**defaults, **entry})
            check_algorithm(experiment.algorithm)
            check_folder_name(experiment.name)
            experiment.to_trainer_config()
        except ValueError as error:
            raise ValueError(f"config {path}, experiment {place}: {error}") from None
        found.append(experiment)
    names = [experiment.name for experiment in found if experiment.name != DEFAULT_NAME]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"config {path}: two experiments are called {twice}; give each a name of its own")
    return found


def named_values(texts: Sequence[str], known: Container[str] = ()) -> dict[str, Any]:
    """``NAME=VALUE`` as typed: numbers, true, false and lists as JSON has them, everything else as text.

    ``known``: names that have been given already.
    """
    found: dict[str, Any] = {}
    texts = [text.removeprefix("hyperparams.") for text in texts]
    for name, value in named_texts(texts, "--set", known).items():
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def _read_mapping(path: Path) -> dict[str, Any]:
    data = read_yaml(path)
    if not isinstance(data, Mapping):
        raise ValueError(f"config {path} must have named values, such as 'algorithm: PPO'")
    check_names(TrainerConfig, {name: value for name, value in data.items() if name != "preset"}, f"config {path}: ")
    hyper = data.get("hyperparams", {})
    if not isinstance(hyper, Mapping):
        raise ValueError(f"config {path}: hyperparams must be named values, not {short_repr(hyper)}")
    check_names(HyperparameterConfig, hyper, f"config {path}: ")
    check_values(HyperparameterConfig, hyper, f"config {path}: hyperparams")
    try:
        check_algorithm(data.get("algorithm", "PPO"))
    except ValueError as error:
        raise ValueError(f"config {path}: {error}") from None
    check_values(TrainerConfig, {**data, "hyperparams": None}, f"config {path}")
    return dict(data)


def _merge(data: dict[str, Any], told: Mapping[str, Any]) -> None:
    """Hyperparameters that a file does not name stay those of the preset."""
    hyper = told.get("hyperparams", {})
    specific = hyper.get("algorithm_specific", {}) if isinstance(hyper, Mapping) else {}
    for name, value in (("hyperparams", hyper), ("algorithm_specific", specific)):
        if not isinstance(value, Mapping):
            raise ValueError(f"{name} must be named values, not {value!r}")
    merged = {**data["hyperparams"]["algorithm_specific"], **specific}
    data |= {**told, "hyperparams": {**data["hyperparams"], **hyper, "algorithm_specific": merged}}


def _set(data: dict[str, Any], name: str, value: Any) -> None:
    if name in _TRAINER:
        data[name] = value
    elif name in _HYPER:
        data["hyperparams"][name] = value
    else:
        data["hyperparams"]["algorithm_specific"][name] = value
