"""Models and trainings on disk, without pickles.

A model file holds the statistics of its normalization, too. The state of a training between two rollouts is one file,
so that its parts always belong together: the model with its optimizer, the statistics, the games as they stand, the
random generators, the episodes so far and, for DQN, the replay buffer.
"""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.running_mean_std import RunningMeanStd
from stable_baselines3.common.vec_env import VecEnv, VecNormalize

from jimbo.engine.batch import BatchSnapshot
from jimbo.env.rows import EnvSnapshot, RowsSnapshot
from jimbo.env.sb3 import RunVecEnv
from jimbo.files import reading, replacing
from jimbo.run_folder import differences
from jimbo.training.environments import CurriculumVecEnv, NormalizedVecEnv, find_wrapper, native_options, raw_env

if TYPE_CHECKING:
    from jimbo.training.sb3_trainer import SB3Trainer

RESUME = "resume.npz"
STATISTICS = "jimbo_normalization.npz"
FORMAT = "jimbo_sb3_resume_v3"
_OLD_STATISTICS = "jimbo_normalization.pkl"
_MEANS = ("obs_rms", "ret_rms")
"""Attributes of a normalization that hold means and spreads."""
_PARTS = ("mean", "var", "count")
_NORMALIZED = ("returns", "old_obs", "old_reward")
_PROGRESS = (
    "num_timesteps", "_total_timesteps", "_num_timesteps_at_start", "_episode_num", "_n_updates", "_n_calls",
    "_current_progress_remaining", "exploration_rate", "_last_obs", "_last_original_obs", "_last_episode_starts",
    "ep_info_buffer", "ep_success_buffer",
)  # fmt: skip
"""What changes in a model while it learns, besides its weights; all else follows from the settings."""
_REPLAY = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")
_MAY_DIFFER = ("save_dir", "run_name", "total_timesteps", "threads", "torch_threads", "verbose", "use_wandb")
"""Settings that do not change how a training continues."""

# --- Plain values -----------------------------------------------------------------------------------------------------

_TREE = "tree"


def write_plain(file: IO[bytes], value: Any) -> None:
    """Write dicts, lists, tuples, deques, texts, bytes, numbers, arrays and tensors; TypeError for anything else."""
    arrays: dict[str, NDArray[Any]] = {}
    tree = json.dumps(_tree_of(value, arrays)).encode()
    np.savez(file, **{_TREE: np.frombuffer(tree, np.uint8)}, **arrays)  # type: ignore[arg-type]


def read_plain(file: Path | IO[bytes]) -> Any:
    """Return what was written; ValueError for a file of another kind."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return _value_of(json.loads(arrays[_TREE].tobytes()), arrays)
    except OSError:
        raise
    except (ValueError, KeyError, TypeError, IndexError, EOFError, AttributeError, zipfile.BadZipFile) as error:
        raise ValueError(f"it is cut off or of another kind ({type(error).__name__})") from None


def _tree_of(value: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """Return a value as JSON takes it: ``{kind: name}`` in place of an array, ``{kind: parts}`` of a collection."""

    def many(values: Any) -> list[Any]:
        return [_tree_of(one, arrays) for one in values]

    def array(values: NDArray[Any]) -> str:
        arrays[name := str(len(arrays))] = values
        return name

    match value:
        case None | bool() | int() | float() | str() if not isinstance(value, np.generic):
            return value
        case list():
            return many(value)
        case dict():
            return {"dict": [many(pair) for pair in value.items()]}
        case tuple() if type(value) is tuple:
            return {"tuple": many(value)}
        case deque():
            return {"deque": [many(value), value.maxlen]}
        case bytes():
            return {"bytes": array(np.frombuffer(value, np.uint8))}
        case torch.Tensor():
            return {"tensor": array(value.detach().cpu().numpy())}
        case np.generic():
            return {"scalar": array(np.asarray(value))}
        case np.ndarray() if value.dtype != np.object_:
            return {"array": array(value)}
        case np.ndarray() if value.ndim == 1:
            return {"objects": many(value)}
    raise TypeError(f"{type(value).__name__} is not a plain value")


def _value_of(tree: Any, arrays: Any) -> Any:
    if isinstance(tree, list):
        return [_value_of(one, arrays) for one in tree]
    if not isinstance(tree, dict):
        return tree
    ((kind, held),) = tree.items()
    if kind in _FROM_ARRAY:
        return _FROM_ARRAY[kind](arrays[held])
    return _FROM_PARTS[kind]([_value_of(one, arrays) for one in held])


def _objects(parts: list[Any]) -> NDArray[np.object_]:
    made = np.empty(len(parts), np.object_)
    made[:] = parts
    return made


_FROM_ARRAY: Mapping[str, Callable[[Any], Any]] = {
    "array": lambda array: array,
    "bytes": lambda array: array.tobytes(),
    "tensor": torch.from_numpy,
    "scalar": lambda array: array[()],
}
_FROM_PARTS: Mapping[str, Callable[[Any], Any]] = {
    "dict": dict,
    "tuple": tuple,
    "deque": lambda parts: deque(*parts),
    "objects": _objects,
}


# --- Models -----------------------------------------------------------------------------------------------------------


def write_model(model: BaseAlgorithm, path: str) -> None:
    """Write weights and statistics to one file, so that they always belong together. SB3's ``load`` reads it, too."""
    with open(path, "wb") as file:
        model.save(file)
    normalize = model.get_vec_normalize_env()
    if normalize is not None:
        kept = io.BytesIO()
        write_plain(kept, _statistics_of(normalize))
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(STATISTICS, kept.getvalue())


def read_model(model: BaseAlgorithm, path: Path) -> None:
    """Set weights and statistics of ``model``; ValueError for a file that does not fit."""
    try:
        with reading(path):
            model.set_parameters(str(path), device=model.device)
            statistics = _read_statistics(path)
    except (ValueError, RuntimeError, KeyError, zipfile.BadZipFile) as error:
        detail = str(error).splitlines()[0]
        raise ValueError(f"{path} is not a model of this algorithm and size: {detail}") from None
    normalize = model.get_vec_normalize_env()
    if normalize is not None and statistics:
        _set_statistics(normalize, statistics)


def _read_statistics(path: Path) -> dict[str, Any] | None:
    with zipfile.ZipFile(path) as archive:
        if _OLD_STATISTICS in archive.namelist():
            raise ValueError("an older version pickled its statistics, and a pickle can run code. Train it again")
        if STATISTICS not in archive.namelist():
            return None
        kept: dict[str, Any] = read_plain(io.BytesIO(archive.read(STATISTICS)))
        return kept


def _statistics_of(normalize: VecNormalize) -> dict[str, Any]:
    return {
        kind: {key: {part: getattr(one, part) for part in _PARTS} for key, one in _named(normalize, kind).items()}
        for kind in _MEANS
    }


def _set_statistics(normalize: VecNormalize, statistics: dict[str, Any]) -> None:
    for kind in _MEANS:
        for key, one in _named(normalize, kind).items():
            _set(one, statistics[kind][key], _PARTS)


def _named(normalize: VecNormalize, kind: str) -> dict[str, RunningMeanStd]:
    """Return the statistics by entry of the observations; one without a name if there are no entries."""
    found = getattr(normalize, kind, None)
    return found if isinstance(found, dict) else {} if found is None else {"": found}


def _set(thing: Any, values: dict[str, Any], names: tuple[str, ...]) -> None:
    """Set those of these attributes that a file has, and no others."""
    for name in names:
        if name in values:
            setattr(thing, name, values[name])


# --- Trainings --------------------------------------------------------------------------------------------------------


def save_state(trainer: SB3Trainer, more: dict[str, Any]) -> None:
    """Write the state of a training; ``more`` is what callbacks want to keep."""
    model = trainer.model
    state = {
        "format": FORMAT,
        "settings": _settings(trainer),
        "model": {
            "parameters": model.get_parameters(),
            "progress": {name: getattr(model, name) for name in _PROGRESS if hasattr(model, name)},
        },
        "env": _env_state(trainer.vec_env),
        "chance": _chance(),
        "metrics": vars(trainer.metrics),
        "memory": _replay_of(model),
        "more": more,
    }
    with replacing(trainer.save_path / RESUME) as beside, beside.open("wb") as out:
        write_plain(out, state)


def read_state(folder: Path) -> dict[str, Any]:
    path = folder / RESUME
    with reading(path):
        try:
            state = read_plain(path)
        except ValueError as error:
            raise ValueError(f"{path} cannot be resumed: {error}. Choose another folder") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT or "settings" not in state:
        raise ValueError(f"{path} does not hold the state of a training: choose another folder")
    return state


def check_same(trainer: SB3Trainer, state: dict[str, Any]) -> None:
    """ValueError if the state is of a training with another config, or on other games."""
    if names := differences(state["settings"], _settings(trainer)):
        raise ValueError(
            f"{trainer.save_path} holds a training with other settings ({', '.join(names)}): choose another folder, "
            "repeat the settings, or start over (--no-resume)"
        )


def _settings(trainer: SB3Trainer) -> dict[str, Any]:
    """Return what must be the same for a training to be resumed; nothing is known of environments of others."""
    options = native_options(trainer.env, trainer.config)
    played = {} if options is None else dict(vars(options))
    if "custom_rewards" in played:
        played["custom_rewards"] = sorted(played["custom_rewards"])  # functions cannot be compared
    told = {name: value for name, value in {**trainer.config.to_dict(), **played}.items() if name not in _MAY_DIFFER}
    settings: dict[str, Any] = json.loads(json.dumps(told, default=str))  # as they are read again
    return settings


def restore_state(trainer: SB3Trainer, state: dict[str, Any]) -> None:
    """Set a new trainer with the same config to where the old one stood; ValueError for a damaged state."""
    model = trainer.model
    try:
        _restore_env(trainer.vec_env, state["env"])
        model.set_parameters(state["model"]["parameters"], device=trainer.device)
        _set(model, state["model"]["progress"], _PROGRESS)
        if state["memory"] is not None:
            _set_replay(model.replay_buffer, state["memory"])
        vars(trainer.metrics).update(state["metrics"])
        trainer.total_timesteps = model.num_timesteps
        _set_chance(state["chance"])
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        path = trainer.save_path / RESUME
        raise ValueError(f"{path} cannot be resumed ({type(error).__name__}). Choose another folder") from error


def _env_state(env: VecEnv) -> dict[str, Any]:
    normalized, curriculum = find_wrapper(env, NormalizedVecEnv), find_wrapper(env, CurriculumVecEnv)
    games = raw_env(env)
    kept = [name for name in _NORMALIZED if hasattr(normalized, name)]
    return {
        "normalized": normalized and {name: getattr(normalized, name) for name in kept},
        "statistics": normalized and _statistics_of(normalized),
        "curriculum": curriculum and curriculum.get_state(),
        # Other environments can only be reset.
        "games": _games_data(games.get_attr("unwrapped", [0])[0].snapshot()) if isinstance(games, RunVecEnv) else None,
    }


def _restore_env(env: VecEnv, state: dict[str, Any]) -> None:
    if state["normalized"]:
        normalized = find_wrapper(env, NormalizedVecEnv)
        _set(normalized, state["normalized"], _NORMALIZED)
        _set_statistics(normalized, state["statistics"])
    if state["curriculum"]:
        find_wrapper(env, CurriculumVecEnv).set_state(state["curriculum"])
    if state["games"] is not None:
        games = raw_env(env).get_attr("unwrapped", [0])[0]
        games.restore(_snapshot(state["games"], games.snapshot()))


def _games_data(snapshot: EnvSnapshot) -> dict[str, Any]:
    batch, generator = snapshot.rows.batch, snapshot.random
    return {
        "rows": batch.rows.__getstate__(),
        "last": batch.last,
        "kept": snapshot.rows.kept,
        "random": generator and generator.bit_generator.state,
        "random_seed": snapshot.random_seed,
    }


def _snapshot(data: dict[str, Any], now: EnvSnapshot) -> EnvSnapshot:
    """Return the snapshot that was saved; ``now`` is one of the environment that takes it, with the same options."""
    batch = now.rows.batch
    rows = type(batch.rows).__new__(type(batch.rows))
    rows.__setstate__(data["rows"])
    generator = None
    if data["random"]:
        generator = np.random.default_rng()
        generator.bit_generator.state = data["random"]
    kept = RowsSnapshot(BatchSnapshot(rows, data["last"], batch.options), data["kept"])
    return EnvSnapshot(kept, generator, data["random_seed"])


def _chance() -> dict[str, Any]:
    return {
        "python": random.getstate(),
        "numpy": np.random.get_state(),  # noqa: NPY002 (SB3 draws from this one)
        "torch": torch.get_rng_state(),
        "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
    }


def _set_chance(state: dict[str, Any]) -> None:
    random.setstate(state["python"])
    np.random.set_state(state["numpy"])  # noqa: NPY002
    torch.set_rng_state(state["torch"])
    if state["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"])


def _replay_of(model: BaseAlgorithm) -> dict[str, Any] | None:
    """Return the part of the replay buffer that is filled; the rest is zeros."""
    if not isinstance(model, OffPolicyAlgorithm) or model.replay_buffer is None:
        return None
    buffer = model.replay_buffer
    end = buffer.buffer_size if buffer.full else buffer.pos
    tables = {name: getattr(buffer, name) for name in _REPLAY}
    filled = {
        name: {key: values[:end] for key, values in table.items()} if isinstance(table, dict) else table[:end]
        for name, table in tables.items()
    }
    return {"pos": buffer.pos, "full": buffer.full, **filled}


def _set_replay(buffer: Any, kept: dict[str, Any]) -> None:
    buffer.pos, buffer.full = kept["pos"], kept["full"]
    for name in _REPLAY:
        table, values = getattr(buffer, name), kept[name]
        pairs = [(table[key], part) for key, part in values.items()] if isinstance(table, dict) else [(table, values)]
        for place, part in pairs:
            place[: len(part)] = part
