"""Normalization, curriculum, cloning, export and logs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from jimbo.engine import observation_dtype
from jimbo.env import create_balatro_env
from jimbo.models.runtime import load_policy
from jimbo.training.behavioral_cloning import BehavioralCloning, TrajectoryCollector
from jimbo.training.environments import (
    ColumnStatistics,
    CurriculumVecEnv,
    NormalizedVecEnv,
    find_wrapper,
    raw_env,
    run_vec_env,
    training_env,
)
from jimbo.training.performance_analysis import measure_throughput
from jimbo.training.policies import export_policy
from jimbo.training.sb3_trainer import SB3Trainer
from models.games import recorded


class TestNormalization:
    def test_columns_are_known_over_all_rows_that_hold_something(self) -> None:
        statistics = ColumnStatistics(shape=(2,))
        table = np.array([[[1.0, 10.0], [3.0, 30.0], [0.0, 0.0]]])
        statistics.update(table)
        assert statistics.mean == pytest.approx([2.0, 20.0], rel=1e-3)
        statistics.update(np.zeros((1, 3, 2)))
        assert statistics.mean == pytest.approx([2.0, 20.0], rel=1e-3)

    def test_only_numbers_with_fractions_are_touched(self, config_of: Any) -> None:
        env = training_env(create_balatro_env(seed=1), config_of(normalize_reward=False))
        assert isinstance(env, NormalizedVecEnv)
        env.reset()
        shown: Any = env.step(np.zeros(4, np.int64))[0]  # into the first blind, where hands are listed
        original: Any = env.get_original_obs()
        for name in ("observation", "candidate_ids", "action_mask"):
            assert np.array_equal(shown[name], original[name])
        assert not np.array_equal(shown["candidate_rows"], original["candidate_rows"])

    def test_it_can_be_left_out(self, config_of: Any) -> None:
        env = training_env(create_balatro_env(), config_of(normalize_obs=False, normalize_reward=False))
        assert find_wrapper(env, NormalizedVecEnv) is None


class TestCurriculum:
    @staticmethod
    def played(env: CurriculumVecEnv, steps: int) -> list[dict[str, Any]]:
        env.seed(1)
        observation: Any = env.reset()
        random = np.random.default_rng(1)
        ended = []
        for _ in range(steps):
            draws = np.where(observation["action_mask"] > 0, random.random(observation["action_mask"].shape), -1)
            observation, _, dones, infos = env.step(draws.argmax(axis=1))
            now = raw_env(env).get_attr("unwrapped", [0])[0]._rows.observations()
            assert all(np.array_equal(now[name], observation[name]) for name in now)  # also when the limit rises
            ended += [info for info, done in zip(infos, dones, strict=True) if done]
        return ended

    def test_the_limit_rises_by_episodes_and_cuts_off(self) -> None:
        base = create_balatro_env(actions="candidates", candidates=24, observation="packed").unwrapped.options  # type: ignore[attr-defined]
        from dataclasses import replace

        # Clearing the small blind of ante 1 is hard enough for chance; so every loss counts as a success here.
        env = CurriculumVecEnv(
            lambda limit: run_vec_env(8, replace(base, max_ante=limit)), initial_max_ante=1, eval_interval=20
        )
        env._count = lambda success, count=env._count: count(True)  # type: ignore[method-assign]
        ended = self.played(env, 120)
        limits = [info["curriculum_max_ante"] for info in ended]
        assert limits == sorted(limits)
        assert limits[0] == 1
        assert env.limit.max_ante == 1 + env.limit.total_episodes // 20
        for info in ended:
            assert info["TimeLimit.truncated"] == info["curriculum_limited"]

    def test_it_stops_at_the_last_ante_and_needs_success(self) -> None:
        made = []
        env = CurriculumVecEnv(lambda limit: made.append(limit) or run_vec_env(1, OPTIONS), eval_interval=2)  # type: ignore[func-returns-value]
        env.reset()
        for success in (True, False, True, True) * 10:
            env._count(success)
        assert (env.limit.max_ante, made) == (8, [2, 3, 4, 5, 6, 7, 8])

    @pytest.mark.parametrize("wrong", [{"initial_max_ante": 9}, {"eval_interval": 0}, {"success_threshold": 0.0}])
    def test_bad_numbers_are_refused(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            CurriculumVecEnv(lambda limit: run_vec_env(1, OPTIONS), **wrong)


OPTIONS = create_balatro_env().unwrapped.options  # type: ignore[attr-defined]


class TestCloning:
    def test_a_clone_learns_to_choose_as_recorded(self, config_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("jimbo.training.behavioral_cloning.read_samples", lambda _: recorded(games=3))
        trainer = SB3Trainer(create_balatro_env(), config_of())
        losses = BehavioralCloning(trainer, batch_size=16).pretrain(TrajectoryCollector(["x.parquet"]), epochs=3)
        assert losses[-1] < 0.9 * losses[0]
        assert trainer.vec_env.obs_rms["candidate_rows"].count > 100  # type: ignore[attr-defined]
        assert trainer.train(128).summary["illegal_actions"] == 0

    def test_a_config_can_ask_for_it(self, config_of: Any, tmp_path: Path) -> None:
        config = config_of(use_behavioral_cloning=True, bc_data=[str(tmp_path / "nothing.parquet")])
        with pytest.raises(ValueError, match=r"nothing\.parquet"):
            SB3Trainer(create_balatro_env(), config).create_model()

    def test_where_it_cannot_be_it_says_so(self, config_of: Any) -> None:
        with pytest.raises(ValueError, match="clone with PPO or A2C"):
            BehavioralCloning(SB3Trainer(create_balatro_env(), config_of("DQN")))
        with pytest.raises(ValueError, match="cloning needs candidates"):
            BehavioralCloning(SB3Trainer(create_balatro_env(actions="steps"), config_of()))


class TestExport:
    @pytest.mark.parametrize("algorithm", ["PPO", "DQN"])
    def test_the_exported_network_chooses_as_the_model_does(
        self, tmp_path: Path, config_of: Any, algorithm: str
    ) -> None:
        trainer = SB3Trainer(create_balatro_env(), config_of(algorithm))
        trainer.train(128)
        export_policy(trainer.model, trainer.config.algorithm, tmp_path / "best.onnx", {"seed": 1})
        policy = load_policy(tmp_path)
        assert (policy.card["method"], policy.card["algorithm"], policy.card["candidates"]) == ("sb3", algorithm, 24)
        env = trainer.vec_env
        agreed = []
        shown: Any = env.reset()
        for _ in range(20):
            original: Any = env.get_original_obs()  # type: ignore[attr-defined]
            seen = original["observation"].view(observation_dtype()).reshape(-1)
            mask = original["action_mask"] > 0
            found = policy.evaluate(seen, original["candidate_ids"], original["candidate_rows"], mask)
            actions, _ = trainer.model.predict(shown, deterministic=True)
            agreed += (found.logits.argmax(axis=1) == actions).tolist()
            shown, *_ = env.step(actions)
        assert np.mean(agreed) > 0.97  # scores that differ by less than the tolerance may change places

    def test_what_plays_no_candidates_cannot_be_exported(self, tmp_path: Path, config_of: Any) -> None:
        trainer = SB3Trainer(create_balatro_env(actions="steps"), config_of())
        trainer.create_model()
        with pytest.raises(ValueError, match="only policies over candidates"):
            export_policy(trainer.model, trainer.config.algorithm, tmp_path / "x.onnx", {})


def test_logs_go_to_wandb(config_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    run = SimpleNamespace(log=lambda data, **_: told.append(data), finish=lambda: told.append("finished"))
    fake = SimpleNamespace(init=lambda **given: told.append(given) or run, __spec__=SimpleNamespace(name="wandb"))
    monkeypatch.setitem(sys.modules, "wandb", fake)  # type: ignore[arg-type]
    config = config_of(use_wandb=True, wandb_tags=["t"], wandb_mode="offline", eval_freq=64, eval_episodes=2)
    result = SB3Trainer(create_balatro_env(), config).train(128)
    assert (told[0]["project"], told[0]["tags"], told[0]["mode"]) == ("balatro-rl", ["t"], "offline")
    json.dumps(told[0]["config"])
    assert "train/recent_mean_ante" in told[1]
    evaluated = [row["eval/timesteps"] for row in told[1:-1] if "eval/mean_ante" in row]
    assert evaluated == [row["timesteps"] for row in result.history], "the last one comes after the training"
    assert told[-1] == "finished"


def test_a_trainer_shows_how_it_goes_and_where_its_files_are(
    config_of: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    trainer = SB3Trainer(create_balatro_env(seed=3), config_of())
    trainer.train(64)
    first, last = capsys.readouterr().err.strip().splitlines()
    assert first == "run"
    assert last.startswith(f"Kept in {trainer.save_path}: ")
    assert "model.zip" in last
    SB3Trainer(create_balatro_env(seed=3), config_of(run_name="quiet", verbose=0)).train(64)
    assert capsys.readouterr().err == ""


def test_throughput_tells_where_the_time_goes(config_of: Any) -> None:
    found = measure_throughput(config_of(), 8, 64)
    assert found.n_envs == 8
    assert found.steps == 64
    assert found.steps_per_second > 0
    assert 0 < found.env_share < 1
    assert 0 < found.learner_share < 1
    assert found.memory_mb > 50


def test_throughput_of_dqn_counts_its_learning(config_of: Any) -> None:
    found = measure_throughput(config_of("DQN", {"learning_starts": 100_000}), 4, 64)
    assert found.learner_share > 0


_WATCHES = """
import os, sys
class Watch:
    def find_spec(self, name, *_):
        if name == "torch":
            print(os.environ.get("OMP_WAIT_POLICY"))
sys.meta_path.insert(0, Watch())
"""


@pytest.mark.parametrize("module", ["sb3_trainer", "behavioral_cloning", "framework"])
def test_torch_is_told_to_rest_before_it_is_imported(module: str) -> None:
    code = f"{_WATCHES}\nimport jimbo.training.{module}\nimport torch"
    surroundings = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=surroundings, check=True)
    assert found.stdout.split() == ["PASSIVE"]
