"""Processes that die, tasks that change, settings that are looked for."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="make rllib-test runs these in an environment of their own")

from jimbo.train.rllib.algorithm import ppo_config
from jimbo.train.rllib.config import load_config, read_config
from jimbo.train.rllib.job import tune_settings
from jimbo.train.rllib.log import whole
from rllib.small import TINY, WITH_RUNNER, jimbo

pytestmark = pytest.mark.usefixtures("ray")


def process_of(runner: Any) -> int:
    return os.getpid()


def limit_of(runner: Any) -> int:
    found: int = runner.env.unwrapped.options.max_ante
    return found


def test_a_killed_env_runner_does_not_stop_the_training_and_plays_the_task_of_the_others() -> None:
    games = {"candidates": 16, "difficulty_schedule": {0: "easy", 200: "medium"}}
    config, _ = read_config({**WITH_RUNNER, "env_config": games})
    algorithm = ppo_config(config).build_algo()
    try:
        group = algorithm.env_runner_group
        assert group.foreach_env_runner(limit_of, local_env_runner=False) == [2]
        algorithm.train()
        assert group.foreach_env_runner(limit_of, local_env_runner=False) == [4]
        (process,) = group.foreach_env_runner(process_of, local_env_runner=False)
        os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + 120
        while whole(algorithm.train()["env_runners"].get("num_env_steps_sampled")) < 256:
            assert time.monotonic() < deadline
            time.sleep(1)
        (another,) = group.foreach_env_runner(process_of, local_env_runner=False)
        assert another != process
        assert group.foreach_env_runner(limit_of, local_env_runner=False) == [4]
    finally:
        algorithm.stop()


def test_a_training_that_goes_on_plays_the_task_of_its_timestep() -> None:
    games = {"candidates": 16, "difficulty_schedule": {0: "easy", 500: "medium"}}
    config, _ = read_config({**TINY, "env_config": games})
    algorithm = ppo_config(config, timesteps=300).build_algo()
    try:
        group = algorithm.env_runner_group
        assert group.foreach_env_runner(limit_of) == [2]
        algorithm.train()
        assert group.foreach_env_runner(limit_of) == [4], "300 decisions before, and 256 more"
    finally:
        algorithm.stop()
    later = ppo_config(config, timesteps=600).build_algo()
    try:
        assert later.env_runner_group.foreach_env_runner(limit_of) == [4]
    finally:
        later.stop()


def test_two_learners_learn_beside_an_env_runner(tmp_path: Path) -> None:
    """There are two cores, so that nothing would be left for the env runner; and nobody fills the graph embedding."""
    config = tmp_path / "learners.json"
    config.write_text(json.dumps({**WITH_RUNNER, "num_learners": 2, "model": {"graph_embedding_dim": 128}}))
    result = jimbo("train", "rllib", "--config", config, "--iterations", 1, "--out-dir", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "out" / "best.onnx").is_file()


def test_the_whole_training_survives_it(with_runner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import jimbo.train.rllib.job as job

    made: list[Any] = []
    build = job.ppo_config

    class Watched:
        def __init__(self, config: Any, timesteps: int) -> None:
            self._config = build(config, timesteps)

        def build_algo(self) -> Any:
            made.append(self._config.build_algo())
            return made[0]

    def kill_after_the_first(cluster: str) -> int:
        if len(made) == 1:
            (process,) = made[0].env_runner_group.foreach_env_runner(process_of, local_env_runner=False)
            os.kill(process, signal.SIGKILL)
            made.append(process)
        return 1

    monkeypatch.setattr(job, "ppo_config", Watched)
    monkeypatch.setattr(job, "memory_in_use", kill_after_the_first)
    result = jimbo("train", "rllib", "--config", with_runner, "--iterations", 3, "--out-dir", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert len(made) == 2
    lines = (tmp_path / "out" / "train_log.jsonl").read_text().splitlines()
    played = [row["timesteps_total"] for row in map(json.loads, lines) if row["kind"] == "iteration"]
    assert len(played) == 3
    assert played[2] - played[1] >= 256
    assert played[1] - played[0] >= 256


def test_settings_are_looked_for(tmp_path: Path) -> None:
    config, _ = read_config({**TINY, "num_learners": 2, "num_gpus_per_learner": 1})
    told: list[tuple[int, float | None]] = []
    trials = tune_settings(config, tmp_path / "out", 0, 2, lambda *ended: told.append(ended))
    assert len(trials) == 2
    assert [count for count, _ in told] == [1, 2]
    assert {reward for _, reward in told} == {trial["reward"] for trial in trials}
    assert trials[0]["reward"] >= trials[1]["reward"]
    assert json.loads((tmp_path / "out" / "tune.json").read_text()) == trials
    best, notices = load_config(str(tmp_path / "out" / "best_config.yaml"))
    assert (best.lr, notices) == (trials[0]["values"]["lr"], [])


def test_the_start_can_be_kept(tmp_path: Path) -> None:
    """The same config has the same weights at first, so a training can be compared with its start."""
    config = tmp_path / "tiny.json"
    config.write_text(json.dumps(TINY))
    for name in ("a", "b"):
        result = jimbo("train", "rllib", "--config", config, "--iterations", 0, "--out-dir", tmp_path / name)
        assert result.exit_code == 0, result.stderr
    first, second = ((tmp_path / name / "best.safetensors").read_bytes() for name in ("a", "b"))
    assert first == second
