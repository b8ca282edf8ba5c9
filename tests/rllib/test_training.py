"""`jimbo train rllib` from its first iteration to a network that plays without Ray."""

import json
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

pytest.importorskip("ray", reason="make rllib-test runs these in an environment of their own")

from jimbo.data.samples import Samples
from jimbo.engine import observation_dtype
from jimbo.models.inputs import padded
from jimbo.models.runtime import load_policy
from jimbo.rollout.games import GamePlayer
from jimbo.rollout.runner import RolloutPlan
from jimbo.train.rllib.balatro_net import load_module
from jimbo.train.rllib.checkpoints import read_checkpoint
from jimbo.train.rllib.config import read_config
from jimbo.train.rllib.evaluation import choose, evaluate, evaluation_seeds
from rllib.small import TINY, jimbo

pytestmark = pytest.mark.usefixtures("ray")

TENSORBOARD = (
    "episode_reward_mean", "episode_len_mean", "policy_loss", "value_loss", "entropy", "kl_divergence"
)  # fmt: skip
"""The documented keys."""


def rows(out: Path, kind: str) -> list[dict[str, Any]]:
    lines = (out / "train_log.jsonl").read_text().splitlines()
    return [row for row in map(json.loads, lines) if row["kind"] == kind]


@cache
def recorded_decisions(count: int) -> Samples:
    """Decisions of a simple player: blinds, shops and packs of several antes."""
    player = GamePlayer([RolloutPlan(agent="greedy", games=count, format="parquet", seed_prefix="rllib-export")])
    parts: list[Samples] = []
    while sum(map(len, parts)) < count:
        _, gathered = player((0, len(parts)))
        parts.append(gathered.samples.take(np.arange(len(gathered))))  # a copy: the next game takes its place
    return Samples.joined(parts).take(np.arange(count))


def decides_alike(checkpoint: Path, exported: Path) -> bool:
    """On 1,000 recorded observations."""
    observations, ids, numbers, mask = padded(recorded_decisions(1000), np.arange(1000))
    found = load_policy(exported).evaluate(observations, ids, numbers, mask)
    bytes_of = np.ascontiguousarray(observations).view(np.uint8).reshape(1000, observation_dtype().itemsize)
    shown = {
        "observation": bytes_of,
        "candidate_ids": ids,
        "candidate_rows": numbers,
        "action_mask": mask.view(np.int8),
    }
    chosen, _ = choose(load_module(read_checkpoint(checkpoint)), shown)
    assert len(np.unique(chosen)) > 5
    return bool((chosen == found.logits.argmax(axis=1)).all())


def made_module(model: dict[str, Any], rows: int) -> tuple[Any, dict[str, torch.Tensor]]:
    """An untrained network, and what runs show after some random actions."""
    from jimbo.env import RunVectorEnv
    from jimbo.train.rllib.algorithm import module_spec, run_options

    config, _ = read_config({"model": model})
    env = RunVectorEnv(rows, **run_options(config.env_config))
    spec = module_spec(config)
    spec.observation_space, spec.action_space = env.single_observation_space, env.single_action_space
    shown, _ = env.reset(seed=1)
    for step in range(6):
        shown, *_ = env.step(env.sample_actions(step))
    return spec.build(), {name: torch.from_numpy(value) for name, value in shown.items()}


@pytest.fixture(scope="module")
def trained(ray: Any, with_runner: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rllib") / "out"
    result = jimbo("train", "rllib", "--config", with_runner, "--iterations", 2, "--out-dir", out)
    assert result.exit_code == 0, result.stderr
    assert f"2 iterations, {rows(out, 'iteration')[-1]['timesteps_total']:,} decisions" in result.stdout
    return out


def test_everything_is_told(trained: Path) -> None:
    first, second = rows(trained, "iteration")
    assert (first["iteration"], second["iteration"]) == (1, 2)
    assert second["timesteps_total"] >= 2 * 256
    assert second["episodes_total"] > 0
    assert second["illegal_actions"] == 0
    assert 0 < second["memory_gb"] < 8
    numbers = (*TENSORBOARD, "cards_played", "rounds_completed", "max_score", "win_rate", "games_per_hour", "total_fps")
    assert [name for name in numbers if not isinstance(second[name], float)] == []
    assert second["cards_played"] > 0
    assert [row["iteration"] for row in rows(trained, "evaluation")] == [0, 1, 2]


def test_tensorboard_has_the_documented_keys(trained: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = EventAccumulator(str(trained / "tensorboard"))
    found.Reload()
    assert set(TENSORBOARD) <= set(found.Tags()["scalars"])
    assert len(found.Scalars("episode_reward_mean")) == 2


def test_the_best_checkpoint_has_its_side_file(trained: Path) -> None:
    side = json.loads((trained / "best_model.json").read_text())
    assert list(side) == ["iteration", "reward", "episodes", "timesteps", "win_rate", "timestamp"]
    best = max(rows(trained, "evaluation"), key=lambda row: row["reward"])
    assert (side["reward"], side["win_rate"]) == (best["reward"], best["win_rate"])
    assert read_checkpoint(trained).standing.best_iteration == side["iteration"]


def test_what_is_judged_can_be_judged_again(trained: Path) -> None:
    about = read_checkpoint(trained / "last")
    found = evaluate(load_module(about), about.config.env_config, evaluation_seeds(5))
    assert found.reward == pytest.approx(rows(trained, "evaluation")[-1]["reward"])


def test_training_goes_on_from_a_checkpoint(trained: Path, tiny: Path) -> None:
    before = rows(trained, "iteration")[-1]
    assert jimbo("train", "rllib", "--config", tiny, "--out-dir", trained).exit_code == 2, "it would be lost"
    result = jimbo("train", "rllib", "--checkpoint", trained / "last", "--iterations", 3)
    assert result.exit_code == 0, result.stderr
    after = rows(trained, "iteration")[-1]
    assert after["iteration"] == 3
    assert after["timesteps_total"] >= before["timesteps_total"] + 256
    assert after["episodes_total"] > before["episodes_total"]
    assert read_checkpoint(trained / "last").standing.iteration == 3
    assert "1 iteration" not in result.stdout


def test_the_exported_network_decides_as_the_checkpoint_does(trained: Path, tmp_path: Path) -> None:
    result = jimbo("train", "rllib-export", "--checkpoint", trained, "--output", tmp_path / "production_model.pt")
    assert result.exit_code == 0, result.stderr
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".onnx", ".safetensors"]
    assert decides_alike(trained, tmp_path / "production_model.onnx")


def test_the_exported_network_plays(trained: Path) -> None:
    result = jimbo("eval", "--model", trained, "--seeds", 2, "--workers", 1, "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["games"] == 2


def test_a_training_is_reported_on(trained: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    result = jimbo(
        "train", "rllib-analyze", "--checkpoint", trained / "best_model.pt", "--games", 4, "--html", page, "--json"
    )
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["games"] == 4
    assert told["measured"]["illegal actions"] == "0"
    assert sum(told["phases"]["blind_select"].values()) == pytest.approx(1)
    text = page.read_text()
    assert all(title in text for title in ("Mean return", "Games won", "Memory", "Playing hands"))


def test_a_checkpoint_is_evaluated_without_training(trained: Path) -> None:
    result = jimbo("train", "rllib", "--checkpoint", trained, "--evaluate", "--eval-episodes", 3)
    assert result.exit_code == 0, result.stderr
    assert "3 games on seeds of dev-100" in result.stdout


def test_it_ends_when_the_target_is_reached(tiny: Path, tmp_path: Path) -> None:
    log = tmp_path / "logs" / "mine.jsonl"
    arguments = ("--config", tiny, "--iterations", 50, "--target-reward", "-1", "--log-file", log)
    result = jimbo("train", "rllib", *arguments, "--out-dir", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    assert len([line for line in log.read_text().splitlines() if '"kind": "iteration"' in line]) == 1


def test_it_ends_with_a_sentence_when_it_takes_too_much_memory(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = jimbo("train", "rllib", "--config", tiny, "--iterations", 50, "--memory", "0.5", "--out-dir", out)
    assert result.exit_code == 2
    assert "more than --memory 0.5 allows" in result.stderr
    assert read_checkpoint(out / "last").standing.iteration == 1


def test_it_is_tracked_under_its_name(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[dict[str, Any]] = []
    started: list[dict[str, Any]] = []
    run = SimpleNamespace(log=lambda data, step: logged.append(data), finish=lambda: logged.append({"finished": True}))
    fake = SimpleNamespace(init=lambda **given: started.append(given) or run)
    monkeypatch.setitem(sys.modules, "wandb", fake)
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.chdir(tmp_path)
    result = jimbo("train", "rllib", "--config", tiny, "--iterations", 1, "--experiment", "mine", "--track")
    assert result.exit_code == 0, result.stderr
    assert (started[0]["name"], started[0]["project"]) == ("mine", "balatro-rl")
    assert any("episode_reward_mean" in row for row in logged)
    assert logged[-1] == {"finished": True}
    assert (tmp_path / "checkpoints" / "mine" / "best.onnx").is_file()


def test_without_wandb_tracking_is_refused(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    result = jimbo("train", "rllib", "--config", tiny, "--track", "--iterations", 1, "--out-dir", tmp_path / "out")
    assert (result.exit_code, "pip install wandb" in result.stderr) == (2, True)


def test_a_network_that_remembers_trains_but_does_not_export(tmp_path: Path) -> None:
    config = tmp_path / "other.json"
    config.write_text(json.dumps({**TINY, "model": {"lstm": True, "max_seq_len": 10}}))  # which is YAML too
    out = tmp_path / "out"
    result = jimbo("train", "rllib", "--config", config, "--iterations", 1, "--out-dir", out)
    assert result.exit_code == 0, result.stderr
    assert not (out / "best.onnx").exists()
    assert rows(out, "iteration")[0]["illegal_actions"] == 0
    refused = jimbo("train", "rllib-export", "--checkpoint", out, "--output", tmp_path / "net")
    assert (refused.exit_code, "cannot be exported" in refused.stderr) == (2, True)
    judged = jimbo("train", "rllib", "--checkpoint", out, "--evaluate", "--eval-episodes", 2)
    assert judged.exit_code == 0, judged.stderr


def test_a_network_with_an_input_for_a_graph_is_exported_without_it(tmp_path: Path) -> None:
    config = tmp_path / "graph.json"
    config.write_text(json.dumps({**TINY, "model": {"custom_model_config": {"memgraph_embedding_dim": 128}}}))
    out = tmp_path / "out"
    result = jimbo("train", "rllib", "--config", config, "--iterations", 1, "--out-dir", out)
    assert result.exit_code == 0, result.stderr
    assert "1 iteration, " in result.stdout
    assert decides_alike(out, out / "best.onnx")


def test_a_batch_in_pieces_is_judged_as_it_is_whole() -> None:
    from jimbo.train.rllib.balatro_net import PIECE

    module, shown = made_module({}, 3 * PIECE + 1)
    with torch.no_grad():
        found = module.forward_train({"obs": shown})
        for start in range(0, 3 * PIECE + 1, 100):
            part = module.forward_train({"obs": {name: value[start : start + 100] for name, value in shown.items()}})
            for name, value in part.items():
                torch.testing.assert_close(found[name][start : start + 100], value)


def test_ppo_with_the_masking_of_rllib_learns_without_an_illegal_action_and_is_measured() -> None:
    import gymnasium
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    from jimbo.env import RUN_ID
    from jimbo.training.callbacks import BalatroCallbacks

    register_env("flat", lambda options: gymnasium.make(RUN_ID, **options))
    spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={"head_fcnet_hiddens": [32]})
    algorithm = (
        PPOConfig()
        .environment("flat", env_config={"observation": "flat"})
        .env_runners(num_env_runners=0)
        .callbacks(BalatroCallbacks)
        .rl_module(rl_module_spec=spec)
        .training(train_batch_size_per_learner=1024, minibatch_size=256, num_epochs=1)
        .debugging(seed=0)
        .build_algo()
    )
    try:
        results = [algorithm.train() for _ in range(3)]
    finally:
        algorithm.stop()
    played = [result["env_runners"] for result in results]
    assert sum(int(part["num_env_steps_sampled"]) for part in played) >= 3000
    assert sum(int(part["num_episodes"]) for part in played) > 0
    assert sum(int(part["illegal"]) for part in played) == 0
    assert results[-1]["games_per_hour"] > 0
    assert played[-1]["win_rate"] == 0
    assert "cards_played" not in played[-1]


def test_a_graph_embedding_of_your_own_replaces_the_packages() -> None:
    module, shown = made_module({"graph_embedding_dim": 128}, 4)

    def scores(**more: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            found: torch.Tensor = module.forward_inference({"obs": {**shown, **more}})["action_dist_inputs"]
        return found

    own = scores()
    assert torch.equal(own, scores())
    assert not torch.allclose(own, scores(graph_embedding=torch.ones(4, 128)))
    with torch.no_grad():
        module.network.graph.table.zero_()
    assert torch.equal(scores(), scores(graph_embedding=torch.zeros(4, 128)))


def test_a_missing_gpu_is_a_notice_or_a_sentence(tmp_path: Path) -> None:
    config = tmp_path / "gpu.json"
    config.write_text(json.dumps({**TINY, "num_gpus_per_learner": 1}))
    refused = jimbo("train", "rllib", "--config", config, "--out-dir", tmp_path / "a")
    assert refused.exit_code == 2
    assert "asks for 1 GPUs, and Ray has 0" in refused.stderr
    config.write_text(json.dumps({**TINY, "num_gpus": 1}))
    result = jimbo("train", "rllib", "--config", config, "--iterations", 0, "--out-dir", tmp_path / "b")
    assert result.exit_code == 0, result.stderr
    assert "num_gpus is 1; it learns on the processor: Ray has no GPU." in result.stderr


def test_more_env_runners_than_cores_share_them() -> None:
    from jimbo.train.rllib.algorithm import Machines, fitted

    config, notices = fitted(read_config({"num_env_runners": 4, "num_gpus": 3})[0], Machines(cpus=2, gpus=2))
    assert (config.num_cpus_per_env_runner, config.num_gpus) == (0.5, 2)
    assert notices == ["num_gpus is 3; it learns on 2 GPUs.", "4 env runners share 2 cores."]


def test_learners_and_env_runners_do_not_wait_for_each_other() -> None:
    from jimbo.train.rllib.algorithm import Machines, fitted

    machines = Machines(cpus=3, gpus=2)
    documented, notices = fitted(read_config({"num_gpus": 2, "num_gpus_per_worker": 0.5})[0], machines)
    assert (documented.num_gpus, notices) == (1, ["num_gpus is 2; it learns on 1 GPU left."])
    config, notices = fitted(read_config({"num_learners": 2, "num_env_runners": 2})[0], machines)
    assert (config.num_cpus_per_env_runner, notices) == (0.5, ["2 env runners share 1 core."])
    with pytest.raises(ValueError, match="asks for 4 learners, each with a core of its own, and Ray has 3 cores"):
        fitted(read_config({"num_learners": 4})[0], machines)
