"""Balatro in the workshop: the package's network is where self-play begins, and what is trained on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from jimbo.az.actor import run_actor
from jimbo.az.balatro_learner import BalatroLearner
from jimbo.az.evaluator import EvaluatedRuns, agent_runs, play_runs
from jimbo.az.games import known_game
from jimbo.az.gate import gate_seeds
from jimbo.az.match import ModelPlayer, RandomPlayer
from jimbo.az.models import BalatroModel, start_file
from jimbo.az.replay import open_replay
from jimbo.az.settings import ActorConfig, TrainConfig, read_loop_settings
from jimbo.models.export import example_decisions, largest_difference, network_of_onnx
from jimbo.models.runtime import OnnxPolicy
from jimbo.seeds.seed_sets import seed_set


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs, played with the package's network."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("balatro")
    config = ActorConfig(
        env_id="balatro",
        db=str(folder / "replay.db"),
        model_dir=str(folder / "models"),
        episodes=3,
        parallel_games=4,
        simulations=2,
        search="gumbel",
        gumbel_considered=2,
    )
    assert run_actor(config) == 0
    return folder / "replay.db"


def test_the_weights_of_the_package_are_read_exactly() -> None:
    network = network_of_onnx(start_file()).eval()
    assert largest_difference(network, OnnxPolicy(start_file()), example_decisions(24)) < 1e-4


def test_a_learner_begins_with_what_the_package_brings_and_learns(store: Path, tmp_path: Path) -> None:
    game = known_game("balatro")
    config = TrainConfig(env_id="balatro", lr=3e-4)
    learner = BalatroLearner(game, config, torch.device("cpu"))
    random = np.random.default_rng(7)
    with open_replay(str(store)) as replay:
        assert replay.get_metadata("balatro") == game
        batch = replay.sample_batch(32, game, random)
    assert batch is not None
    assert np.all(np.abs(batch.outcomes) <= 1)
    start = BalatroModel(start_file())
    for mine, theirs in zip(learner.evaluate(batch.observations), start.evaluate(batch.observations), strict=True):
        assert np.where(np.isfinite(mine), mine, -1e9) == pytest.approx(theirs, abs=1e-3)
    losses = [learner.learn(batch, 3e-4, random) for _ in range(12)]
    assert losses[-1].total < losses[0].total  # type: ignore[union-attr]
    assert losses[-1].policy < losses[0].policy  # type: ignore[union-attr]
    learner.export(tmp_path / "model.onnx")
    exported = BalatroModel(tmp_path / "model.onnx").evaluate(batch.observations)
    assert exported[1] == pytest.approx(learner.evaluate(batch.observations)[1], abs=1e-3)
    learner.save(tmp_path, 12, 384)
    assert BalatroLearner(game, config, torch.device("cpu")).load(tmp_path) == (12, 384)


def test_values_can_be_learnt_alone(store: Path) -> None:
    """The policy stays as it is to the last bit: it does not even drift."""
    game = known_game("balatro")
    config = read_loop_settings({"env_id": "balatro", "values_first": 1, "weight_decay": 0.01}, {})
    assert [config.of_trainer(iteration).policy_weight for iteration in (0, 1)] == [0.0, 1.0]
    learner = BalatroLearner(game, config.of_trainer(0), torch.device("cpu"))
    with open_replay(str(store)) as replay:
        batch = replay.sample_batch(32, game, np.random.default_rng(7))
    assert batch is not None
    logits, values = learner.evaluate(batch.observations)
    losses = [learner.learn(batch, 1e-3, np.random.default_rng(7)) for _ in range(12)]
    assert losses[-1].value < losses[0].value  # type: ignore[union-attr]
    new_logits, new_values = learner.evaluate(batch.observations)
    assert np.array_equal(new_logits, logits)
    assert not np.allclose(new_values, values, atol=1e-2)


def test_every_gate_has_seeds_of_its_own() -> None:
    first, second = (set(gate_seeds(iteration, 50)) for iteration in (0, 1))
    assert len(first | second) == 100
    assert not (first | second) & set(seed_set("dev-1000").seeds)


def test_runs_are_compared_seed_by_seed() -> None:
    seeds = seed_set("dev-1000", 3).seeds
    network = ModelPlayer("Network", BalatroModel(start_file()).evaluate, seed=7)
    ours = play_runs(seeds, network)
    assert ours == play_runs(seeds, network)
    found = EvaluatedRuns("Network", "Random", ours, play_runs(seeds, RandomPlayer(7)))
    assert found.match().games == 3
    told = found.data()
    assert 1 <= told["mean_ante"] <= 8
    assert 0 <= told["sign_test_p"] <= 1
    assert "sign test p = " in found.text()
    assert all(-1 <= outcome <= 1 for outcome in agent_runs(seeds[:1], "random"))


def test_the_further_run_wins_the_seed() -> None:
    found = EvaluatedRuns("A", "B", [1.0, -0.5, -0.5], [-0.5, -0.5, 1.0]).match()
    assert (found.wins, found.draws, found.losses) == (1, 1, 1)
