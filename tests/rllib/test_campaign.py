"""`jimbo train rllib --env campaign`: decisions outside of hands, with RLlib's PPO."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="make rllib-test runs these in an environment of their own")

from jimbo.train.rllib.balatro_net import load_module
from jimbo.train.rllib.checkpoints import read_checkpoint
from jimbo.train.rllib.evaluation import evaluate, evaluation_seeds
from rllib.small import jimbo

pytestmark = pytest.mark.usefixtures("ray")


@pytest.fixture(scope="module")
def trained(ray: Any, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rllib") / "campaign"
    result = jimbo("train", "rllib", "--config", tiny, "--env", "campaign", "--iterations", 1, "--out", out)
    assert result.exit_code == 0, result.stderr
    return out


def rows(out: Path, kind: str) -> list[dict[str, Any]]:
    told = [json.loads(line) for line in (out / "train_log.jsonl").read_text().splitlines()]
    return [row for row in told if row["kind"] == kind]


def test_it_learns_without_an_illegal_action(trained: Path) -> None:
    [row] = rows(trained, "iteration")
    assert row["timesteps_total"] >= 256
    assert row["illegal_actions"] == 0
    assert row["episodes_total"] > 0
    checkpoint = read_checkpoint(trained / "last")
    found = evaluate(load_module(checkpoint), checkpoint.config.env_config, evaluation_seeds(5))
    assert found.illegal == 0
    assert found.reward == pytest.approx(rows(trained, "evaluation")[-1]["reward"])


def test_it_goes_on_from_a_checkpoint(trained: Path) -> None:
    done = jimbo("train", "rllib", "--checkpoint", trained / "last", "--iterations", 2)
    assert done.exit_code == 0, done.stderr
    assert [row["iteration"] for row in rows(trained, "iteration")] == [1, 2]


def test_its_network_is_not_exported(trained: Path, tmp_path: Path) -> None:
    assert not (trained / "best.onnx").exists()
    refused = jimbo("train", "rllib-export", "--checkpoint", trained, "--output", tmp_path / "net")
    assert refused.exit_code != 0
    assert "plays in RLlib only" in " ".join(refused.stderr.split())
