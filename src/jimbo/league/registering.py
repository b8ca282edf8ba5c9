"""Trainings, datasets, evaluations and players, registered with what they were made of.

What an entry was made from is found by content: the settings beside a training, a dataset or an evaluation hold the
hashes of their data and weights, and the newest entries that keep such files are its parents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jimbo.agents.registry import agent_source, option_files
from jimbo.data import hash_of
from jimbo.data.config_file import config_path, read_config
from jimbo.eval.store import COMPARISON, OFFLINE, ROWS, SUMMARY
from jimbo.files import file_hash, named_file, read_json
from jimbo.league.entry import Entry
from jimbo.league.players import MODEL
from jimbo.league.registry import Registry
from jimbo.run_folder import CONFIG, names_in

DATASETS, NETWORKS, VALUES = (".jsonl", ".parquet"), (".onnx",), (".safetensors",)
_BEST = ("best.onnx", "best.safetensors")
"""What plays of a training: a network, or a value."""
_PASSING = ("last", "start", "resume")
"""Stems of files that are for the training itself."""
_KEPT = (".csv", ".json", ".onnx", ".png", ".safetensors", ".yaml")
_RESULT = ("games", "wins", "win_rate", "mean_ante")
_HASH = re.compile(r"[0-9a-f]{16,64}")
_HASH_SIGNS = 16
"""Of a hash, as settings have it."""
_MADE_FROM = ("model", "agent", "dataset")


class Made(NamedTuple):
    """Something that can be registered."""

    kind: str
    spec: Mapping[str, Any]
    files: Mapping[str, Path]
    about: Mapping[str, Any]


def register(
    made: Made, name: str, *, registry: Registry | None = None, command: str = "", parents: Sequence[Entry | str] = ()
) -> Entry:
    """Register something with its parents; what is there already, as the newest of its name, is not added again."""
    registry = registry or Registry()
    newest = next((entry for entry in reversed(registry.entries(made.kind)) if entry.name == name), None)
    if newest and newest.spec == json.loads(json.dumps(made.spec)) and _holds(newest, made.files):
        return newest
    found = [registry.resolve(parent) if isinstance(parent, str) else parent for parent in parents]
    found += _parents(registry, [made.spec, made.about])
    about = {**made.about, **({"command": command} if command else {})}
    return registry.add(name, kind=made.kind, spec=made.spec, files=made.files, parents=found, about=about)


def _holds(entry: Entry, files: Mapping[str, Path]) -> bool:
    """Whether these are exactly the files of an entry."""
    return entry.files.keys() == files.keys() and all(
        file_hash(path) == entry.files[name].hash for name, path in files.items()
    )


def name_for(path: Path) -> str:
    """The name of a file or folder, as a registry allows it."""
    text = path.resolve().name if path.is_dir() else path.name.partition(".")[0]
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", text).lstrip(".-")[:100] or "unnamed"


# --- What it is -------------------------------------------------------------------------------------------------------


def made_of(path: Path) -> Made:
    """What a file or a folder holds: a dataset, a network, a value, a training or an evaluation; ValueError if none."""
    if path.is_dir():
        if best := next((name for name in _BEST if (path / name).is_file()), None):
            return _training(path, best)
        if (path / OFFLINE).is_file() or next(path.rglob(ROWS), None):
            return _evaluation(path)
        raise ValueError(f"{path} holds neither a training that is finished nor an evaluation.")
    if not path.exists():
        raise ValueError(f"There is no {path}.")
    if path.suffix in DATASETS:
        return _dataset(path)
    if path.suffix in (*NETWORKS, *VALUES):
        return played_by("network" if path.suffix in NETWORKS else "expert", {MODEL: str(path)}, "model")
    raise ValueError(
        f"{path} is none of what can be registered: the folder of a training or of an evaluation, records of games "
        f"({', '.join(DATASETS)}), a network (.onnx) or a value (.safetensors)."
    )


def played_by(agent: str, options: Mapping[str, Any], kind: str = "agent") -> Made:
    """An agent with its options; files that they name are kept, with the cards that stand beside them."""
    files: dict[str, Path] = {}
    named: dict[str, str] = {}
    for option, value in options.items():
        path = named_file(value) if isinstance(value, str) else None
        if path:
            named[option] = f"{option}/{path.name}"
            files |= {f"{option}/{one.name}": one for one in (path, path.with_suffix(".json")) if one.is_file()}
    spec = {
        "agent": agent,
        "options": {option: value for option, value in options.items() if option not in named},
        "files": named,
    }
    source = agent_source(agent)
    about = {"option_files": option_files(options), **({"agent_source": source} if source else {})}
    return Made(kind, spec, files, about)


def _training(folder: Path, best: str) -> Made:
    config = _json(folder / CONFIG)
    names = [name for name in names_in(folder) if Path(name).suffix in _KEPT and Path(name).stem not in _PASSING]
    spec = {"agent": "network" if best == _BEST[0] else "expert", "options": {}, "files": {MODEL: best}}
    files = {name: folder / name for name in names if (folder / name).is_file()}
    return Made("model", {**spec, "training": config}, files, {"config_hash": hash_of(config)})


def _dataset(path: Path) -> Made:
    config = read_config(path)
    beside = config_path(path)
    files = {path.name: path} | ({beside.name: beside} if config else {})
    return Made("dataset", {"settings": config}, files, {"config_hash": hash_of(config)})


def _evaluation(folder: Path) -> Made:
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    files = {path.relative_to(folder).as_posix(): path for path in paths}
    configs = {name: _json(path) for name, path in files.items() if path.name == CONFIG}
    plans = {name: {key: value for key, value in config.items() if key != "seeds"} for name, config in configs.items()}
    if OFFLINE in files:
        data = _json(files[OFFLINE])
        plans[OFFLINE] = {key: data[key] for key in ("model", "dataset") if key in data}
    results = {
        name: {key: data[key] for key in _RESULT if key in data}
        for name, path in files.items()
        if path.name in (SUMMARY, COMPARISON) and (data := _json(path))
    }
    about = {"config_hash": hash_of(configs), "results": _only(results)}
    return Made("evaluation", {"settings": _only(plans)}, files, about)


def _only(found: Mapping[str, Any]) -> Any:
    """The value, where there is only one."""
    return found if len(found) != 1 else next(iter(found.values()))


def _json(path: Path) -> dict[str, Any]:
    """The object in a file of ours; nothing where there is none."""
    try:
        data = read_json(path)
    except FileNotFoundError:
        return {}
    return data if isinstance(data, dict) else {}


# --- Where it comes from ----------------------------------------------------------------------------------------------


def _parents(registry: Registry, said: object) -> list[Entry]:
    """The newest entry of each file whose hash is named."""
    named = {text[:_HASH_SIGNS] for text in _texts(said) if _HASH.fullmatch(text)}
    newest: dict[str, Entry] = {}
    for entry in registry.entries():
        if entry.kind in _MADE_FROM:
            newest |= {stored.hash[:_HASH_SIGNS]: entry for stored in entry.files.values()}
    found = (newest[hash] for hash in sorted(named & newest.keys()))
    return list({entry.id: entry for entry in found}.values())


def _texts(value: object) -> Iterator[str]:
    """All texts within, as values or as names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _texts(name)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
