"""Balatro in the workshop: the package's network is where self-play begins, and what is trained on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from jimbo.az.actor import run_actor
from jimbo.az.balatro_learner import EntityLearner
from jimbo.az.evaluator import EvaluatedRuns, agent_runs
from jimbo.az.gate import gate_seeds
from jimbo.az.match import ModelPlayer, RandomPlayer, match_of_runs, play_runs
from jimbo.az.models import BalatroModel, BalatroValue, open_model, start_file
from jimbo.az.replay import open_replay
from jimbo.az.settings import ActorConfig, LoopConfig, TrainConfig, read_settings
from jimbo.cli.az import app
from jimbo.engine.az import Position, game_spec
from jimbo.models.checkpoint import BadModel
from jimbo.models.export import example_decisions, largest_difference, network_of_onnx
from jimbo.models.runtime import OnnxPolicy
from jimbo.models.value_file import OWN_FILE
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
    game = game_spec("balatro")
    config = TrainConfig(env_id="balatro", lr=3e-4)
    learner = EntityLearner(game, config, torch.device("cpu"))
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
    assert EntityLearner(game, config, torch.device("cpu")).load(tmp_path) == (12, 384)


def test_values_can_be_learnt_alone(store: Path) -> None:
    """The policy stays as it is to the last bit: it does not even drift."""
    game = game_spec("balatro")
    config = read_settings(LoopConfig, {"env_id": "balatro", "values_first": 1, "weight_decay": 0.01}, {})
    assert [config.of_trainer(iteration).policy_weight for iteration in (0, 1)] == [0.0, 1.0]
    learner = EntityLearner(game, config.of_trainer(0), torch.device("cpu"))
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
    network = ModelPlayer(BalatroModel(start_file()), seed=7)
    ours = play_runs(seeds, network)
    assert ours == play_runs(seeds, network)
    found = EvaluatedRuns("Network", "Random", ours, play_runs(seeds, RandomPlayer(7)))
    assert found.match.games == 3
    told = found.data()
    assert 1 <= told["mean_ante"] <= 8
    assert 0 <= told["sign_test_p"] <= 1
    assert "sign test p = " in found.text()
    assert all(-1 <= outcome <= 1 for outcome in agent_runs(seeds[:1], "random"))


def test_the_further_run_wins_the_seed() -> None:
    found = match_of_runs([1.0, -0.5, -0.5], [-0.5, -0.5, 1.0])
    assert (found.wins, found.draws, found.losses) == (1, 1, 1)


# --- The learnt value -------------------------------------------------------------------------------------------------


def evaluated(folder: Path, *given: str) -> dict[str, Any]:
    told = ["evaluate", "--env-id", "balatro", "--db", str(folder / "none.db"), "--games", "3", "--json", *given]
    result = CliRunner().invoke(app, told)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


def test_the_value_plays_against_random_play_and_the_network(tmp_path: Path) -> None:
    random = evaluated(tmp_path, "--model", "value", "--opponent", "random")
    assert (random["model"], random["opponent"], random["games_played"]) == ("Value", "Random", 3)
    assert random["wins"] > random["losses"]
    against = ("--model", "default", "--opponent", "value", "--eval-simulations", "4", "--games", "8")
    network = evaluated(tmp_path, *against)
    assert (network["model"], network["opponent"]) == ("ONNX(default.onnx)", "Value")
    assert network["losses"] >= network["wins"]
    assert network["opponent_mean_ante"] > 5


def test_a_file_of_a_value_is_a_model(tmp_path: Path) -> None:
    for end in (".safetensors", ".json"):
        shutil.copy(OWN_FILE.with_suffix(end), tmp_path / f"best{end}")
    model = open_model(str(tmp_path / "best.safetensors"), game_spec("balatro"))
    assert model.name == "Value(best.safetensors)"
    positions = [Position("balatro", seed) for seed in range(3)]
    policy = model.policy(positions)
    assert policy.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert not policy[~np.stack([position.legal() for position in positions])].any()
    assert np.array_equal(policy, BalatroValue().policy(positions))
    (tmp_path / "best.json").unlink()
    with pytest.raises(BadModel, match=r"best\.json cannot be read"):
        open_model(str(tmp_path / "best.safetensors"), game_spec("balatro"))


def test_an_actor_that_plays_by_the_value_writes_games(tmp_path: Path) -> None:
    """A network in the folder of models changes nothing."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "latest.onnx").write_text("not a model")
    config = ActorConfig(
        env_id="balatro",
        db=str(tmp_path / "replay.db"),
        model_dir=str(tmp_path / "models"),
        evaluator="value",
        episodes=2,
        parallel_games=2,
        simulations=2,
        search="gumbel",
        gumbel_considered=2,
    )
    assert run_actor(config) == 0
    with open_replay(config.db) as replay:
        batch = replay.sample_batch(64, game_spec("balatro"), np.random.default_rng(7))
    assert batch is not None
    assert np.isfinite(batch.policies).all()
    assert len(np.unique(batch.values)) > 5


def test_a_loop_gives_its_evaluator_to_its_actors() -> None:
    assert read_settings(LoopConfig, {"env_id": "balatro"}, {}).of_actor(1, 0).evaluator == "network"
    found = read_settings(LoopConfig, {"env_id": "balatro"}, {"JIMBO_AZ_EVALUATOR": "value"})
    assert found.of_actor(1, 0).evaluator == "value"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["evaluate", "--model", "value"], "tictactoe has no learnt value"),
        (["evaluate", "--model", "best.safetensors"], "name an .onnx file"),
        (["actor", "--evaluator", "value"], "choose --evaluator network"),
        (["loop", "--env-id", "connect4", "--evaluator", "value"], "connect4 has no learnt value"),
    ],
)
def test_other_games_have_no_value(tmp_path: Path, given: list[str], says: str) -> None:
    result = CliRunner().invoke(app, [*given, "--db", str(tmp_path / "none.db")])
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())
