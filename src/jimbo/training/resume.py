"""Where a training stands between two rollouts, on disk: enough to go on as if it had never stopped.

One file holds all of it, so that its parts always belong together: the model with its optimizer, the statistics of
normalization, the games as they stand, the generators of chance, the episodes so far and, for DQN, what it remembers.
Nothing in it is pickled.
"""

from __future__ import annotations

import json
import random
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.off_policy_algorithm import OffPolicyAlgorithm
from stable_baselines3.common.vec_env import VecEnv

from jimbo.engine.batch import BatchSnapshot
from jimbo.env.rows import EnvSnapshot, RowsSnapshot
from jimbo.env.sb3 import RunVecEnv
from jimbo.files import reason, replacing
from jimbo.training.environments import CurriculumVecEnv, NormalizedVecEnv, find_wrapper, native_options, raw_env
from jimbo.training.model_files import read_plain, set_statistics, statistics_of, write_plain

if TYPE_CHECKING:
    from jimbo.training.sb3_trainer import SB3Trainer

RESUME = "resume.npz"
_NORMALIZED = ("returns", "old_obs", "old_reward")
FORMAT = "jimbo_sb3_resume_v3"
_PROGRESS = (
    "num_timesteps", "_total_timesteps", "_num_timesteps_at_start", "_episode_num", "_n_updates", "_n_calls",
    "_current_progress_remaining", "exploration_rate", "_last_obs", "_last_original_obs", "_last_episode_starts",
    "ep_info_buffer", "ep_success_buffer",
)  # fmt: skip
"""What changes in a model while it learns, besides its weights; all else follows from the settings."""
_MAY_DIFFER = ("save_dir", "run_name", "total_timesteps", "threads", "torch_threads", "verbose", "use_wandb")
"""Settings that do not decide how a training goes on."""


def save_state(trainer: SB3Trainer, more: dict[str, Any]) -> None:
    """``more``: what callbacks want to keep."""
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
        "memory": _memory_of(model),
        "more": more,
    }
    with replacing(trainer.save_path / RESUME) as beside, beside.open("wb") as out:
        write_plain(out, state)


def read_state(folder: Path) -> dict[str, Any]:
    path = folder / RESUME
    try:
        state = read_plain(path)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {reason(error)}") from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be resumed: {error}. Choose another folder") from None
    if not isinstance(state, dict) or state.get("format") != FORMAT or "settings" not in state:
        raise ValueError(f"{path} does not hold the state of a training: choose another folder")
    return state


def check_same(trainer: SB3Trainer, state: dict[str, Any]) -> None:
    """ValueError where another training was kept: with another config, or on other games."""
    known, wanted = state["settings"], _settings(trainer)
    names = [name for name in {**wanted, **known} if known.get(name) != wanted.get(name)]
    if names:
        raise ValueError(
            f"{trainer.save_path} holds a training with other settings ({', '.join(names)}): choose another folder, "
            "repeat the settings, or start over (--no-resume)"
        )


def _settings(trainer: SB3Trainer) -> dict[str, Any]:
    """Of environments that are not ours nothing is known."""
    env = trainer.env
    options = env.get_attr("options", [0])[0] if isinstance(env, RunVecEnv) else None
    if isinstance(env, gymnasium.Env):
        options = native_options(env, trainer.config)
    played = {} if options is None else {entry.name: getattr(options, entry.name) for entry in fields(options)}
    if "custom_rewards" in played:
        played["custom_rewards"] = sorted(played["custom_rewards"])  # functions cannot be compared
    told = {name: value for name, value in {**trainer.config.to_dict(), **played}.items() if name not in _MAY_DIFFER}
    settings: dict[str, Any] = json.loads(json.dumps(told, default=str))  # as they are read again
    return settings


def restore_state(trainer: SB3Trainer, state: dict[str, Any]) -> None:
    """Sets a new trainer with the same config to where the old one stood; ValueError for a damaged state."""
    try:
        _restore(trainer, state)
    except (AttributeError, KeyError, TypeError, ValueError, RuntimeError) as error:
        path = trainer.save_path / RESUME
        raise ValueError(f"{path} cannot be resumed ({type(error).__name__}). Choose another folder") from error


def _restore(trainer: SB3Trainer, state: dict[str, Any]) -> None:
    _restore_env(trainer.vec_env, state["env"])
    trainer.model.set_parameters(state["model"]["parameters"], device=trainer.device)
    _set(trainer.model, state["model"]["progress"], _PROGRESS)
    if state["memory"] is not None:
        trainer.model.replay_buffer = _remembered(trainer.model, state["memory"])
    vars(trainer.metrics).update(state["metrics"])
    trainer.total_timesteps = trainer.model.num_timesteps
    _set_chance(state["chance"])


def _set(thing: Any, values: dict[str, Any], names: tuple[str, ...]) -> None:
    """A file names no other attributes than these."""
    for name in names:
        if name in values:
            setattr(thing, name, values[name])


# --- Games ------------------------------------------------------------------------------------------------------------


def _env_state(env: VecEnv) -> dict[str, Any]:
    normalized, curriculum = find_wrapper(env, NormalizedVecEnv), find_wrapper(env, CurriculumVecEnv)
    games = raw_env(env)
    kept = [name for name in _NORMALIZED if hasattr(normalized, name)]
    return {
        "normalized": normalized and {name: getattr(normalized, name) for name in kept},
        "statistics": normalized and statistics_of(normalized),
        "curriculum": curriculum and curriculum.get_state(),
        # Of other environments nothing is known but that they can be reset.
        "games": _games_data(games.get_attr("unwrapped", [0])[0].snapshot()) if isinstance(games, RunVecEnv) else None,
    }


def _restore_env(env: VecEnv, state: dict[str, Any]) -> None:
    if state["normalized"]:
        normalized = find_wrapper(env, NormalizedVecEnv)
        _set(normalized, state["normalized"], _NORMALIZED)
        set_statistics(normalized, state["statistics"])
    if state["curriculum"]:
        find_wrapper(env, CurriculumVecEnv).set_state(state["curriculum"])
    if state["games"] is not None:
        games = raw_env(env).get_attr("unwrapped", [0])[0]
        games.restore(_snapshot(state["games"], games.snapshot()))


def _games_data(snapshot: EnvSnapshot) -> dict[str, Any]:
    batch, random = snapshot.rows.batch, snapshot.random
    return {
        "rows": batch.rows.__getstate__(),
        "last": batch.last,
        "kept": snapshot.rows.kept,
        "random": random and random.bit_generator.state,
        "random_seed": snapshot.random_seed,
    }


def _snapshot(data: dict[str, Any], now: EnvSnapshot) -> EnvSnapshot:
    """``now``: of the environment that is to go there, which has the same options."""
    batch = now.rows.batch
    rows = type(batch.rows).__new__(type(batch.rows))
    rows.__setstate__(data["rows"])
    random = None
    if data["random"]:
        random = np.random.default_rng()
        random.bit_generator.state = data["random"]
    kept = RowsSnapshot(BatchSnapshot(rows, data["last"], batch.options), data["kept"])
    return EnvSnapshot(kept, random, data["random_seed"])


# --- Chance -----------------------------------------------------------------------------------------------------------


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


# --- What DQN remembers -----------------------------------------------------------------------------------------------

_TABLES = ("observations", "next_observations", "actions", "rewards", "dones", "timeouts")


def _memory_of(model: BaseAlgorithm) -> dict[str, Any] | None:
    """The part of the buffer that is filled; the rest is zeros."""
    if not isinstance(model, OffPolicyAlgorithm) or model.replay_buffer is None:
        return None
    buffer = model.replay_buffer
    end = buffer.buffer_size if buffer.full else buffer.pos
    return {"pos": buffer.pos, "full": buffer.full} | {name: _cut(getattr(buffer, name), end) for name in _TABLES}


def _remembered(model: OffPolicyAlgorithm, memory: dict[str, Any]) -> Any:
    buffer = model.replay_buffer
    assert buffer is not None
    buffer.pos, buffer.full = memory["pos"], memory["full"]
    for name in _TABLES:
        _fill(getattr(buffer, name), memory[name])
    return buffer


def _cut(table: Any, end: int) -> Any:
    return {key: values[:end] for key, values in table.items()} if isinstance(table, dict) else table[:end]


def _fill(table: Any, values: Any) -> None:
    if isinstance(table, dict):
        for key, part in values.items():
            table[key][: len(part)] = part
    else:
        table[: len(values)] = values
