"""The loss, the networks and their files."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from jimbo.az.learner import (
    BoardLearner,
    chosen_shape,
    create_network,
    export_board_network,
    legal_masks,
    losses,
)
from jimbo.az.models import OnnxModel, checkpoint_path, checkpoints, publish
from jimbo.az.schema import MoveBatch
from jimbo.az.settings import TrainConfig
from jimbo.az.stats import served
from jimbo.engine.az import Position, game_spec, symmetries

GAMES = ("tictactoe", "connect4")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads that wait for one another are slow on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def test_illegal_moves_cost_nothing_and_are_never_expected() -> None:
    logits = torch.tensor([[1.0, 50.0, 1.0]])
    found = losses(
        logits,
        torch.tensor([[0.5]]),
        torch.tensor([[True, False, True]]),
        torch.tensor([[0.5, 0.0, 0.5]]),
        torch.tensor([-0.5]),
    )
    assert found.policy.item() == pytest.approx(np.log(2), abs=1e-6)
    assert found.value.item() == pytest.approx(1.0)
    assert found.total.item() == pytest.approx(1 + np.log(2), abs=1e-6)


def test_a_row_without_legal_moves_is_left_unmasked() -> None:
    observations = torch.tensor([[0.0, 1.0, 0.0, 9.0], [0.0, 0.0, 0.0, 9.0]])
    masks = legal_masks(observations, 0, 3)
    assert masks.tolist() == [[False, True, False], [True, True, True]]
    found = losses(torch.zeros(2, 3), torch.zeros(2, 1), masks, torch.full((2, 3), 1 / 3), torch.zeros(2))
    assert torch.isfinite(found.total)


@pytest.mark.parametrize("env_id", GAMES)
def test_the_exported_network_says_the_same(env_id: str, tmp_path: Path) -> None:
    game = game_spec(env_id)
    network = create_network(game).eval()
    export_board_network(network, game.obs_size, tmp_path / "model.onnx")
    seen = np.random.default_rng(7).random((5, game.obs_size), np.float32)
    logits, values = OnnxModel(tmp_path / "model.onnx", game).evaluate(seen)
    with torch.no_grad():
        wanted_logits, wanted_value = network(torch.from_numpy(seen))
    assert logits == pytest.approx(wanted_logits.numpy(), abs=1e-4)
    assert values == pytest.approx(wanted_value.numpy()[:, 0], abs=1e-4)


def test_the_file_has_the_names_that_actors_expect(tmp_path: Path) -> None:
    import onnx

    game = game_spec("tictactoe")
    export_board_network(create_network(game), game.obs_size, tmp_path / "model.onnx")
    model = onnx.load(str(tmp_path / "model.onnx"))
    assert [entry.name for entry in model.graph.input] == ["observation"]
    assert [entry.name for entry in model.graph.output] == ["policy_logits", "value"]
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "batch"
    assert [entry.version for entry in model.opset_import] == [18]
    assert not list(tmp_path.glob("*.data"))


def test_old_checkpoints_go_and_the_newest_has_two_more_names(tmp_path: Path) -> None:
    for step in (5, 100, 1_000_000, 20):
        checkpoint_path(tmp_path, step).write_bytes(str(step).encode())
    (tmp_path / "model_step_000005.onnx.data").touch()
    (tmp_path / "mine.onnx").touch()
    publish(tmp_path, 1_000_000, keep=2)
    assert [step for step, _ in checkpoints(tmp_path)] == [100, 1_000_000]
    assert (tmp_path / "latest.onnx").read_bytes() == (tmp_path / "model.onnx").read_bytes() == b"1000000"
    assert not (tmp_path / "model_step_000005.onnx.data").exists()
    assert (tmp_path / "mine.onnx").exists()
    publish(tmp_path, 100, keep=0)
    assert len(checkpoints(tmp_path)) == 2


@pytest.mark.parametrize(("env_id", "ways"), [("tictactoe", 8), ("connect4", 2)])
def test_symmetries_keep_what_belongs_together(env_id: str, ways: int) -> None:
    """Each turned position is one that can be played, with the same legal moves as its mask says."""
    game, found = game_spec(env_id), symmetries(env_id)
    assert len(found) == ways
    position = Position(env_id)
    for move in (0, 3, 0):
        position.step(move) if position.legal()[move] else None
    for order, moves in found:
        seen = position.observation()[order]
        mask = seen[game.legal_mask_offset : game.legal_mask_offset + game.num_actions] > 0.5
        assert (mask == position.legal()[moves]).all()


def batch(size: int = 64) -> MoveBatch:
    random = np.random.default_rng(7)
    game = game_spec("tictactoe")
    seen = np.stack([Position("tictactoe").observation()] * size).astype(np.float32)
    policies = np.eye(game.num_actions, dtype=np.float32)[random.integers(0, 1, size)]
    return MoveBatch(seen, policies, np.ones(size, np.float32), np.zeros(size, np.float32))


def test_a_batch_that_is_not_a_number_changes_nothing() -> None:
    learner = BoardLearner(game_spec("tictactoe"), TrainConfig(), torch.device("cpu"))
    before = [weight.clone() for weight in learner.network.parameters()]
    broken = batch()._replace(outcomes=np.full(64, np.nan, np.float32))
    assert learner.learn(broken, 0.01, np.random.default_rng(7)) is None
    assert all(torch.equal(old, new) for old, new in zip(before, learner.network.parameters(), strict=True))


def test_value_targets_can_mix_results_and_searches() -> None:
    def value_after(mix: float) -> float:
        learner = BoardLearner(game_spec("tictactoe"), TrainConfig(value_mix=mix), torch.device("cpu"))
        for _ in range(150):
            learner.learn(batch(), 0.01, np.random.default_rng(7))
        return float(learner.evaluate(batch(1).observations)[1][0])

    assert value_after(0.0) > 0.9
    assert abs(value_after(1.0)) < 0.1


def test_a_learner_goes_on_as_if_it_had_never_stopped(tmp_path: Path) -> None:
    def learnt(learner: BoardLearner, times: int) -> list[float]:
        random = np.random.default_rng(7)
        return [float(learner.learn(batch(), 0.01, random).total) for _ in range(times)]  # type: ignore[union-attr]

    config, game = TrainConfig(symmetries=False), game_spec("tictactoe")
    whole = BoardLearner(game, config, torch.device("cpu"))
    wanted = learnt(whole, 6)
    first = BoardLearner(game, config, torch.device("cpu"))
    learnt(first, 3)
    first.save(tmp_path, 3, 192)
    second = BoardLearner(game, config, torch.device("cpu"))
    assert second.load(tmp_path) == (3, 192)
    assert learnt(second, 3) == pytest.approx(wanted[3:], rel=1e-6)


def test_what_plays_is_a_running_mean_of_the_weights(tmp_path: Path) -> None:
    """It lags behind what learns, is what is exported, and goes on with the rest; 0 is the newest alone."""
    game = game_spec("connect4")

    def learnt(average: float) -> BoardLearner:
        learner = BoardLearner(game, TrainConfig(env_id="connect4", average=average), torch.device("cpu"))
        random = np.random.default_rng(7)
        seen = random.random((8, game.obs_size)).astype(np.float32)
        policies = np.eye(7, dtype=np.float32)[random.integers(0, 7, 8)]
        for _ in range(30):
            learner.learn(MoveBatch(seen, policies, np.ones(8, np.float32), np.zeros(8, np.float32)), 0.01, random)
        return learner

    plain = learnt(0.0)
    for newest, mean in zip(plain.network.state_dict().values(), plain.published.state_dict().values(), strict=True):
        assert torch.equal(newest, mean)
    lagging = learnt(0.95)
    assert not torch.equal(lagging.network.stem[0].weight, lagging.published.stem[0].weight)
    seen = np.random.default_rng(8).random((4, game.obs_size)).astype(np.float32)
    lagging.export(tmp_path / "model.onnx")
    wanted = lagging.evaluate(seen)[0]
    assert OnnxModel(tmp_path / "model.onnx", game).evaluate(seen)[0] == pytest.approx(wanted, abs=1e-4)
    lagging.save(tmp_path, 30, 240)
    again = BoardLearner(game, TrainConfig(env_id="connect4", average=0.95), torch.device("cpu"))
    again.load(tmp_path)
    assert again.evaluate(seen)[0] == pytest.approx(wanted)


def test_weights_of_another_game_are_refused(tmp_path: Path) -> None:
    BoardLearner(game_spec("tictactoe"), TrainConfig(), torch.device("cpu")).save(tmp_path, 3, 4)
    other = BoardLearner(game_spec("connect4"), TrainConfig(env_id="connect4"), torch.device("cpu"))
    with pytest.raises(ValueError, match="a network for tictactoe"):
        other.load(tmp_path)


def test_shapes_are_known_to_files_of_earlier_versions() -> None:
    assert str(chosen_shape(TrainConfig())) == "Shape(kind='mlp', width=128, blocks=2)"
    assert str(chosen_shape(TrainConfig(env_id="connect4"))) == "Shape(kind='resnet', width=32, blocks=3)"


def test_numbers_are_served_for_prometheus() -> None:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with served(port, lambda: {"trainer_steps_total": 7, "trainer_total_loss": 0.5}) as found:
        assert found == port
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            text = answer.read().decode()
        with served(port, dict) as taken:
            assert taken == 0
    assert "# TYPE jimbo_az_trainer_steps_total counter\njimbo_az_trainer_steps_total 7\n" in text
    assert "# TYPE jimbo_az_trainer_total_loss gauge\njimbo_az_trainer_total_loss 0.5\n" in text
