"""Several experiments, judged on the same games."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jimbo.env import create_balatro_env
from jimbo.training.experiment import (
    ExperimentConfig,
    ExperimentResult,
    MultiAlgorithmBenchmark,
    create_standard_comparison,
)

TINY = {"features_dim": 16, "policy_net_arch": [16], "value_net_arch": [16]}
QUIET = {"eval_freq": 0, "checkpoint_freq": 0, "tensorboard": False, "device": "cpu"}


def experiment(name: str, algorithm: str, folder: Path, **override: Any) -> ExperimentConfig:
    return ExperimentConfig(
        name=name,
        algorithm=algorithm,
        total_timesteps=64,
        n_envs=4,
        save_dir=str(folder),
        hyperparams_override={**TINY, **override},
        trainer_override=QUIET,
    )


def test_one_that_fails_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    benchmark = MultiAlgorithmBenchmark(create_balatro_env, "try", folder=tmp_path / "b", judged_by=5)
    with pytest.raises(ValueError, match="no experiment to run"):
        benchmark.run_all()
    benchmark.add_experiment(experiment("bad", "PPO", tmp_path, n_steps=8, batch_size=1000))
    benchmark.add_experiments(
        [
            experiment("p", "PPO", tmp_path, n_steps=8, batch_size=16, n_epochs=1),
            experiment("a", "A2C", tmp_path),
        ]
    )
    results = benchmark.run_all()
    assert [result.name for result in results] == ["p", "a"]
    assert [(failure.name, failure.algorithm) for failure in benchmark.failures] == [("bad", "PPO")]
    assert "larger than a rollout" in benchmark.failures[0].reason
    kept = json.loads((benchmark.save_path / "results.json").read_text())
    assert [row["name"] for row in kept["results"]] == ["p", "a"]
    wanted = {"algorithm", "name", "total_timesteps", "mean_reward", "std_reward", "mean_antes", "mean_scores"}
    assert wanted | {"training_duration", "save_path"} <= set(kept["results"][0])
    assert kept["results"][0]["illegal_actions"] == 0
    assert "bad failed" in (benchmark.save_path / "results.txt").read_text()
    assert set(benchmark.compare_algorithms()) == {"PPO", "A2C"}
    benchmark.print_summary()
    assert "bad failed" in capsys.readouterr().out


def test_failures_are_told_one_by_one_and_without_a_traceback(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    benchmark = MultiAlgorithmBenchmark(create_balatro_env, "try", folder=tmp_path, judged_by=1)
    for algorithm in ("PPO", "DQN"):
        benchmark.add_experiment(experiment("same", algorithm, tmp_path, batch_size=0))
    assert benchmark.run_all() == []
    assert [failure.algorithm for failure in benchmark.failures] == ["PPO", "DQN"]
    kept = json.loads((benchmark.save_path / "results.json").read_text())
    assert [failure["name"] for failure in kept["failures"]] == ["same", "same_2"]
    assert "batch_size must be" in caplog.text
    assert "Traceback" not in caplog.text


def test_mistakes_of_a_maker_are_not_hidden(tmp_path: Path) -> None:
    def make(seed: int) -> Any:
        raise TypeError(f"no game {seed}")

    def unseeded() -> Any:
        raise TypeError("no game at all")

    for maker, told in ((make, "no game 42"), (unseeded, "no game at all")):
        benchmark = MultiAlgorithmBenchmark(maker, "try", folder=tmp_path, judged_by=1)
        benchmark.add_experiment(experiment("one", "PPO", tmp_path))
        benchmark.run_all()
        assert told in benchmark.failures[0].reason


def test_the_best_is_found_by_any_of_three_numbers() -> None:
    benchmark = MultiAlgorithmBenchmark(create_balatro_env)
    assert benchmark.get_best_result() is None
    for name, numbers in (("a", (1.0, 2.0, 9.0)), ("b", (2.0, 1.0, 5.0))):
        given = dict(zip(("mean_reward", "mean_antes", "mean_scores"), numbers, strict=True))
        rest = {"std_reward": 0.0, "win_rate": 0.0, "illegal_actions": 0, "training_duration": 1.0}
        rest |= {"asked_timesteps": 1, "updates": 1, "warnings": ()}
        benchmark.results.append(
            ExperimentResult(
                algorithm="PPO",
                name=name,
                total_timesteps=1,
                save_path="",
                metrics={},
                **given,
                **rest,  # type: ignore[arg-type]
            )
        )
    best = [benchmark.get_best_result(metric) for metric in ("mean_reward", "mean_antes", "mean_scores")]  # type: ignore[arg-type]
    assert [result and result.name for result in best] == ["b", "a", "a"]
    with pytest.raises(ValueError, match='no metric "wins"'):
        benchmark.get_best_result("wins")  # type: ignore[arg-type]


def test_the_standard_comparison_is_that_of_the_document() -> None:
    rows = [(e.algorithm, e.n_envs, e.total_timesteps, e.seed) for e in create_standard_comparison()]
    assert rows == [("PPO", 4, 100_000, 42), ("A2C", 4, 100_000, 42), ("DQN", 1, 100_000, 42)]


def test_steps_and_updates_that_were_made_are_told_and_who_learnt_nothing_is_not_the_best(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark = MultiAlgorithmBenchmark(create_balatro_env, "try", folder=tmp_path, judged_by=2)
    benchmark.add_experiment(experiment("long", "PPO", tmp_path, n_steps=32, batch_size=16, n_epochs=2))
    benchmark.add_experiment(experiment("idle", "DQN", tmp_path, learning_starts=1000, buffer_size=200))
    long, idle = benchmark.run_all()
    assert (long.asked_timesteps, long.total_timesteps, long.updates) == (64, 128, 2)
    assert (idle.asked_timesteps, idle.total_timesteps, idle.updates) == (64, 64, 0)
    assert "128 steps, not 64: a rollout of n_steps x n_envs = 128 steps is always played whole" in long.warnings[0]
    assert "learns nothing in 64 steps: learning_starts is 1,000" in idle.warnings[0]
    shown = capsys.readouterr().err
    assert all(text in " ".join(shown.split()) for text in (*long.warnings, *idle.warnings))
    assert "the best so far" not in shown
    benchmark.results = [long, replace(idle, mean_reward=9.0, mean_antes=9.0)]
    best = benchmark.get_best_result("mean_antes")
    assert best is not None
    assert best.name == "long"
    benchmark.print_summary()
    table = capsys.readouterr().out
    assert table.index("long") < table.index("idle")
    assert "128 of 64" in table
    assert "learning_starts is 1,000" in table


def test_experiments_without_a_name_are_told_apart() -> None:
    benchmark = MultiAlgorithmBenchmark(create_balatro_env)
    benchmark.add_experiments([ExperimentConfig(algorithm=name) for name in ("PPO", "A2C", "PPO")])
    benchmark.add_experiments([ExperimentConfig(name="mine"), ExperimentConfig(name="mine")])
    assert [one.name for one in benchmark.experiments] == ["PPO", "A2C", "PPO_2", "mine", "mine_2"]


def test_a_benchmark_shows_how_it_goes_and_where_its_files_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for verbose, shown in ((1, True), (0, False)):
        benchmark = MultiAlgorithmBenchmark(create_balatro_env, "try", folder=tmp_path, judged_by=1, verbose=verbose)
        benchmark.add_experiment(experiment("a", "A2C", tmp_path))
        (result,) = benchmark.run_all()
        told = capsys.readouterr().err
        assert ("a (1 of 1): A2C, 64 steps" in told) is shown
        assert (f"Kept in {result.save_path}" in told) is shown
        assert (f"Kept in {benchmark.save_path}: results.json, results.txt, training.png." in told) is shown
        if not shown:
            assert not told
