"""``jimbo train sb3 | compare | throughput`` as people use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("sb3_contrib")
from jimbo.cli.main import app
from jimbo.run_folder import locked

SMALL = ("--set", "features_dim=16", "--set", "policy_net_arch=[16]", "--set", "value_net_arch=[16]")
QUICK = (
    *SMALL,
    *("--set", "n_steps=16", "--set", "batch_size=32", "--set", "n_epochs=1", "--set", "eval_episodes=3"),
    *("--n-envs", "4", "--device", "cpu", "--set", "tensorboard=false"),
)


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["train", *arguments])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.stderr.split())


def test_a_training_is_judged_and_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["train", "sb3", "--out-dir", str(out), *QUICK, "--json"]
    judged = ["--eval-games", "2", "--workers", "1"]
    first = CliRunner().invoke(app, [*command, "--timesteps", "64", *judged])
    assert first.exit_code == 0, first.output
    told = json.loads(first.stdout)
    assert (told["total_timesteps"], told["summary"]["illegal_actions"]) == (64, 0)
    assert set(told["judged"]["games"]) == {"random", "start", "trained"}
    assert set(told["judged"]["antes_more_than"]) == {"random", "start"}
    names = {path.name for path in out.iterdir()}
    assert {"best.onnx", "last.onnx", "start.onnx", "model.zip", "training.png", "sb3_train_summary.json"} <= names
    again = CliRunner().invoke(app, [*command, "--timesteps", "64", "--eval-games", "0"])
    assert json.loads(again.stdout)["history"] == told["history"]
    more = CliRunner().invoke(app, [*command, "--timesteps", "128", "--eval-games", "0"])
    assert json.loads(more.stdout)["total_timesteps"] == 128
    assert len(json.loads(more.stdout)["history"]) == 3  # the start, and the end of each
    assert "other settings (seed)" in refused("sb3", "--out-dir", str(out), *QUICK, "--timesteps", "64", "--seed", "9")
    anew = CliRunner().invoke(app, [*command, "--timesteps", "64", "--eval-games", "0", "--no-resume", "--seed", "9"])
    assert json.loads(anew.stdout)["total_timesteps"] == 64


def test_one_training_at_a_time_writes_to_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["sb3", "--out-dir", str(out), *QUICK, "--eval-games", "0", "--set", "checkpoint_freq=64"]
    done = CliRunner().invoke(app, ["train", *command, "--timesteps", "128"])
    assert done.exit_code == 0, done.output
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    assert "checkpoint_64.zip" in before
    with locked(out, "training"):
        for more in ([], ["--no-resume"]):
            assert f"Another training is writing to {out}" in refused(*command, "--timesteps", "256", *more)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    (out / "resume.npz").unlink()
    assert "holds checkpoints, but no resume.npz" in refused(*command, "--timesteps", "256")
    assert (out / "checkpoint_64.zip").is_file()


def test_bad_input_is_refused(tmp_path: Path) -> None:
    out = ("--out-dir", str(tmp_path / "run"))
    assert "Unknown algorithm" in refused("sb3", *out, "--algorithm", "SAC")
    assert "n_envs must be a whole number" in refused("sb3", *out, "--n-envs", "0")
    assert 'PPO has no argument "n_step"' in refused("sb3", *out, "--set", "n_step=4")
    assert "has no value" in refused("sb3", *out, "--set", "n_steps")
    assert "cannot be read" in refused("sb3", *out, "--config", str(tmp_path / "none.yaml"))
    assert "no preset" in refused("sb3", *out, "--preset", "best")
    assert "larger than a rollout" in refused("sb3", *out, "--set", "batch_size=99999")
    assert "nothing.parquet" in refused("sb3", *out, "--bc-data", str(tmp_path / "nothing.parquet"))
    assert 'deck "blak"' in refused("sb3", *out, "--deck", "blak")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("x")
    assert "holds other files" in refused("sb3", "--out-dir", str(tmp_path / "other"))
    assert not (tmp_path / "run" / "model.zip").exists()


@pytest.mark.parametrize(
    ("algorithm", "setting", "sentence"),
    [
        ("PPO", "clip_range=abc", "clip_range must be a number"),
        ("PPO", "clip_range=-1", "clip_range must be a number"),
        ("PPO", "target_kl=x", "target_kl must be a number"),
        ("PPO", "normalize_advantage=2", "normalize_advantage must be"),
        ("PPO", "rollout_buffer_class=abc", "can only be given from Python"),
        ("A2C", "rms_prop_eps=x", "rms_prop_eps must be a number"),
        ("DQN", "train_freq=-1", "train_freq must be a whole number of at least 1"),
        ("DQN", "train_freq=[1]", "train_freq must be a whole number of at least 1"),
        ("DQN", 'train_freq=[4, "day"]', "train_freq must be a whole number of at least 1"),
        ("DQN", 'train_freq=["step", 4]', "train_freq must be a whole number of at least 1"),
        ("DQN", 'train_freq=[1, "episode"]', "set n_envs=1"),
        ("DQN", "learning_starts=x", "learning_starts must be a whole number"),
        ("DQN", "exploration_fraction=7", "exploration_fraction must be a number from 0 to 1"),
        ("DQN", "target_update_interval=0", "target_update_interval must be a whole number of at least 1"),
        ("DQN", "optimize_memory_usage=true", "optimize_memory_usage"),
        ("DQN", "tau=2", "tau must be a number from 0 to 1"),
    ],
)
def test_arguments_of_algorithms_are_checked(tmp_path: Path, algorithm: str, setting: str, sentence: str) -> None:
    told = refused("sb3", "--out-dir", str(tmp_path / "run"), "--algorithm", algorithm, "--set", setting)
    assert sentence in told


def test_a_comparison_is_refused_or_told_how_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "e.yaml"
    file.write_text("- algorithm: PPO\n")
    assert "n_steps must be" in refused("throughput", "--set", "n_steps=x", "--n-envs", "2")
    assert "cannot be the name of a folder" in refused("compare", str(file), "--name", "../x")
    monkeypatch.setattr("jimbo.training.experiment.MultiAlgorithmBenchmark.run_all", interrupted)
    monkeypatch.setattr("jimbo.training.performance_analysis.measure_throughput", interrupted)
    for command in (["compare", str(file), "--out-dir", str(tmp_path / "b")], ["throughput"]):
        result = CliRunner().invoke(app, ["train", *command])
        assert result.exit_code == 130
        assert "goes on" not in result.stderr
        assert "Stopped." in result.stderr


def test_settings_are_listed() -> None:
    result = CliRunner().invoke(app, ["train", "sb3", "--out-dir", "x", "--set", "help"])
    assert result.exit_code == 0
    assert "total_timesteps=1000000" in result.stdout
    assert "features_dim=512" in result.stdout


def test_experiments_are_compared(tmp_path: Path) -> None:
    file = tmp_path / "e.yaml"
    file.write_text(
        "defaults: {total_timesteps: 32, n_envs: 4, trainer_override: {eval_freq: 0, tensorboard: false}}\n"
        "experiments:\n- {name: a, algorithm: A2C, hyperparams_override: {features_dim: 16}}\n"
        "- {algorithm: PPO, hyperparams_override: {n_steps: 32, batch_size: 32, n_epochs: 1, features_dim: 16}}\n"
        "- {name: b, algorithm: PPO, hyperparams_override: {n_steps: 4, batch_size: 999}}\n"
    )
    result = CliRunner().invoke(
        app, ["train", "compare", str(file), "--out-dir", str(tmp_path / "o"), "--games", "2", "--json"]
    )
    assert result.exit_code == 1, result.output
    told = json.loads(result.stdout)
    assert [row["name"] for row in told["results"]] == ["a", "PPO"]
    assert [row["total_timesteps"] for row in told["results"]] == [40, 128]
    assert "PPO: PPO makes 128 steps, not 32" in result.stderr
    assert "b failed" in result.stderr
    assert "\na\n" in f"\n{result.stderr}", "whose lines these are"
    assert f"Kept in {told['folder']}: PPO, a, results.json, results.txt, training.png." in result.stderr
    assert {"results.json", "results.txt", "training.png", "a"} <= {
        path.name for path in Path(told["folder"]).iterdir()
    }
    assert "must be a list" in refused("compare", str(_written(tmp_path, "[]")))


def test_a_comparison_of_which_nothing_came_says_so(tmp_path: Path) -> None:
    file = _written(tmp_path, "- {name: b, n_envs: 4, hyperparams_override: {n_steps: 4, batch_size: 999}}")
    result = CliRunner().invoke(app, ["train", "compare", str(file), "--out-dir", str(tmp_path / "o")])
    assert result.exit_code == 1
    assert not result.stdout, "a table of nothing"
    assert "results.json, results.txt.\n" in result.stderr
    assert "b failed: batch_size 999 is larger than a rollout" in result.stderr


@pytest.mark.slow
def test_throughput_is_a_table_and_files(tmp_path: Path) -> None:
    quick = ["train", "throughput", "--n-envs", "2", "--n-envs", "4", "--steps", "32", *SMALL]
    quick += ["--set", "n_envs=2", "--set", "n_steps=16", "--set", "batch_size=32", "--set", "n_epochs=1"]
    result = CliRunner().invoke(app, [*quick, "--out-dir", str(tmp_path), "--json"])
    assert result.exit_code == 0, result.output
    assert [row["n_envs"] for row in json.loads(result.stdout)] == [2, 4]
    assert {path.suffix for path in tmp_path.iterdir()} == {".json", ".csv", ".html", ".png"}
    assert "Unknown algorithm" in refused("throughput", "--algorithm", "SAC")


def _written(folder: Path, text: str) -> Path:
    path = folder / "bad.yaml"
    path.write_text(text)
    return path
