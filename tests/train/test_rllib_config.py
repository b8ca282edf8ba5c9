"""What a training with RLlib is told. Nothing here needs Ray."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.train.rllib.checkpoints import find_checkpoint, read_checkpoint
from jimbo.train.rllib.config import (
    RllibConfig,
    config_names,
    load_config,
    max_ante_at,
    read_config,
    read_schedule,
)
from jimbo.train.rllib.report import benchmark, read_history

DOCUMENTED = """
algorithm: PPO
env: BalatroEnv
framework: torch
num_workers: 2
num_gpus: 1
train_batch_size: 4000
sgd_minibatch_size: 128
lr: 0.00005
model:
  custom_model: BalatroNet
  custom_model_config:
    memgraph_embedding_dim: 128
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", *arguments], env={"COLUMNS": "80"})


def refusal(data: dict[str, Any]) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the sentence is the point)
        read_config(data)
    return str(caught.value)


def test_all_packaged_configs_can_be_read_without_a_notice() -> None:
    named = ["campaign", "default_ppo", "experimental_ppo", "fast_training", "lstm_variant", "stable_training"]
    assert config_names() == named
    for name in config_names():
        assert load_config(name)[1] == []


def test_the_default_is_as_documented() -> None:
    config, _ = load_config()
    assert (config.lr, config.train_batch_size_per_learner, config.minibatch_size, config.num_epochs) == (
        5e-5,
        4000,
        128,
        30,
    )
    assert (config.clip_param, config.entropy_coeff, config.gamma, config.lambda_) == (0.2, 0.01, 0.99, 0.95)
    assert (config.num_env_runners, config.num_gpus) == (2, 1)


def test_a_documented_file_is_understood_with_a_notice_for_each_old_name() -> None:
    config, notices = read_config(yaml.safe_load(DOCUMENTED))
    assert (config.num_env_runners, config.minibatch_size, config.model.graph_embedding_dim) == (2, 128, 128)
    assert config.model.exports
    assert notices == [
        "num_workers is the old name of num_env_runners.",
        "train_batch_size is the old name of train_batch_size_per_learner.",
        "sgd_minibatch_size is the old name of minibatch_size.",
        "model.memgraph_embedding_dim is the old name of graph_embedding_dim.",
    ]


def test_the_whole_table_of_the_document_is_answered_with_a_remedy() -> None:
    table = yaml.safe_load(
        "lr: 5e-5\ntrain_batch_size: 4000\nsgd_minibatch_size: 128\nnum_sgd_iter: 30\nclip_param: 0.2\n"
        "entropy_coeff: 0.01\ngamma: 0.99\nlambda: 0.95\nnum_workers: 2\nnum_envs_per_worker: 4\n"
        "rollout_fragment_length: 200\nbatch_mode: truncate_episodes\n"
    )
    told = refusal({**table, "lr": 5e-5})
    assert "rollout_fragment_length 200 x 8 games (2 env runners x 4) makes batches of 1,600, 3,200, 4,800" in told
    assert told.endswith("leave rollout_fragment_length out, or set it to 500")
    assert read_config({**table, "lr": 5e-5, "rollout_fragment_length": 500})[0].num_env_runners == 2
    del table["rollout_fragment_length"]
    assert read_config({**table, "lr": 5e-5})[0].rollout_fragment_length is None


@pytest.mark.parametrize(
    ("fragment", "runners", "games", "remedy"),
    [(1, 2, 4, 0), (175, 0, 24, 0), (166, 2, 12, 167), (551, 2, 4, 500), (550, 2, 4, 0)],
)
def test_a_fragment_that_fits_is_taken(fragment: int, runners: int, games: int, remedy: int) -> None:
    """As RLlib does: multiples of it from the batch to 10 % more."""
    given = {"rollout_fragment_length": fragment, "num_env_runners": runners, "num_envs_per_env_runner": games}
    if remedy:
        assert refusal(given).endswith(f"set it to {remedy}")
        given["rollout_fragment_length"] = remedy
    assert read_config(given)[0].train_batch_size_per_learner == 4000


@pytest.mark.parametrize("given", ["fast_training", "configs/fast_training.yaml", "fast_training.yaml"])
def test_a_packaged_config_has_several_names(given: str) -> None:
    assert load_config(given)[0] == load_config("fast_training")[0]


def test_what_is_kept_is_read_again() -> None:
    config, _ = load_config("stable_training")
    assert read_config(yaml.safe_load(yaml.safe_dump(config.to_data())))[0] == config


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"num_env_runner": 1}, "num_env_runner unknown; there is num_env_runners, "),
        ({"zzz": 1}, "zzz unknown; there is algorithm, env, framework and "),
        ({"model": {"hidden": 512}}, "model: hidden unknown; there is "),
        ({"env_config": {"max_antes": 512}}, "env_config: max_antes unknown; there is max_ante"),
        ({"lr": "fast"}, 'lr must be a number from 0.0 to 10.0, not "fast"'),
        ({"num_workers": 2, "num_env_runners": 3}, "num_env_runners is given twice, once by an old name"),
        ({"model": {"size": "huge"}}, "model: size must be one of tiny, small, base, not huge"),
        ({"model": {"custom_model": "MyNet"}}, 'model.custom_model must be BalatroNet, not "MyNet"'),
        ({"minibatch_size": 9000}, "minibatch_size is 9,000, but an update has only 4,000 decisions"),
        ({"num_gpus": 1, "num_learners": 2}, "num_gpus says how many learners there are"),
        ({"algorithm": "DQN"}, 'algorithm must be one of PPO, not "DQN"'),
        (
            {"env_config": {"difficulty_schedule": {0: "easy", 9: "brutal"}}},
            'must name easy, medium, hard, not "brutal"',
        ),
        ({"env_config": {"difficulty_schedule": {5: "easy"}}}, "must say what is played first"),
        ({"env_config": {"rewards": {"win": 0}}}, "rewards pay nothing"),
    ],
)
def test_a_bad_config_is_refused_with_a_sentence(data: dict[str, Any], sentence: str) -> None:
    assert sentence in refusal(data)


def test_tasks_begin_at_their_timesteps() -> None:
    schedule = read_schedule({500_000: "medium", "0": "easy", 1_000_000: "hard"})
    assert list(schedule.values()) == ["easy", "medium", "hard"]
    assert [max_ante_at(schedule, step) for step in (0, 499_999, 500_000, 2_000_000)] == [2, 2, 4, 8]
    assert max_ante_at({}, 5) == 8


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--config", "configs/no.yaml"],
            "There is no config configs/no.yaml. Name a file, or one of campaign, default_ppo",
        ),
        (["--checkpoint", "nowhere/best_model.pt"], "There is no checkpoint at nowhere/best_model.pt."),
        (["--evaluate"], "--evaluate needs a checkpoint"),
        (["--experiment", "../up"], "--experiment must be a name"),
    ],
)
def test_the_command_refuses_with_a_sentence(arguments: list[str], sentence: str) -> None:
    result = run("rllib", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in " ".join(result.stderr.split())


def test_a_bad_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("lr: [1, 2]\n")
    result = run("rllib", "--config", str(path))
    assert result.exit_code == 2
    assert "mine.yaml: lr must be a number" in " ".join(result.stderr.split())


@pytest.mark.parametrize("module", ["run", "analyze", "export"])
def test_the_documented_modules_are_the_verbs(module: str) -> None:
    command = [sys.executable, "-m", f"jimbo.training.{module}", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "--checkpoint" in told
    assert f"train {'rllib' if module == 'run' else f'rllib-{module}'} [OPTIONS]" in told


def test_checkpoints_are_found_by_the_names_of_the_documentation(tmp_path: Path) -> None:
    best = tmp_path / "checkpoints" / "best_model"
    best.mkdir(parents=True)
    (best / "jimbo.json").write_text("{}")
    for given in ("checkpoints", "checkpoints/best_model", "checkpoints/best_model.pt"):
        assert find_checkpoint(tmp_path / given) == best
    with pytest.raises(ValueError, match=r"is not of the format jimbo_rllib_v1"):
        read_checkpoint(best)


def test_a_log_becomes_a_table(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    rows = [
        {"kind": "iteration", "iteration": 1, "timesteps_total": 10, "games_per_hour": 1234.4, "memory_gb": 3.0},
        {"kind": "evaluation", "iteration": 1, "timesteps_total": 10, "reward": 0.5},
        {"kind": "iteration", "iteration": 2, "timesteps_total": 19, "memory_gb": 9.0},
        {"kind": "evaluation", "iteration": 2, "timesteps_total": 19, "reward": 0.4},
        # It went on from the checkpoint of iteration 1.
        {"kind": "iteration", "iteration": 2, "timesteps_total": 20, "games_per_hour": 2345.4, "memory_gb": 2.0},
    ]
    log.write_text("".join(json.dumps({**row, "win_rate": None}) + "\n" for row in rows))
    history = read_history(log)
    assert history.numbers("memory_gb") == [(10, 3.0), (20, 2.0)]
    told = {name: value for name, _, value in benchmark(history)}
    assert told["games/hour"] == "2,345"
    assert told["memory (GB, the highest)"] == "3.0"
    assert [row["iteration"] for row in history.evaluations] == [1, 2]
    assert told["win rate in training"] == "not measured"
    log.write_text('{"kind": "iteration"}\n')
    with pytest.raises(ValueError, match="line 1 is neither an iteration nor an evaluation"):
        read_history(log)


def test_defaults_are_those_of_the_file() -> None:
    assert load_config("default_ppo")[0] == RllibConfig(num_gpus=1)
