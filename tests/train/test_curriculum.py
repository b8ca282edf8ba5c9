"""Trainings that are told what runs are lost to."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch")
from jimbo.cli.main import app  # noqa: E402
from jimbo.data.curriculum import Emphasis, FailureCurriculum, write_curriculum  # noqa: E402
from jimbo.data.samples import PHASES  # noqa: E402
from jimbo.engine import Phase  # noqa: E402
from jimbo.models import config_of  # noqa: E402
from jimbo.models.inputs import network_inputs, padded  # noqa: E402
from jimbo.models.network import EntityNetwork, judged  # noqa: E402
from jimbo.train.core.machine import prepare  # noqa: E402
from jimbo.train.core.watching import Watcher  # noqa: E402
from jimbo.train.settings import Stage, TrainSettings, ValueSettings  # noqa: E402
from jimbo.train.supervised import emphasis, pv_losses, run_files  # noqa: E402
from jimbo.train.value import Learner  # noqa: E402
from jimbo.train.value import emphasis as value_emphasis  # noqa: E402
from jimbo.train.value_games import play_generation, rows_of  # noqa: E402
from jimbo.train.value_model import ValueModel  # noqa: E402
from models.games import recorded  # noqa: E402

SAMPLES = recorded(games=3)
PLAIN = TrainSettings(method="pv", size="tiny", epochs=1, batch_size=16, dropout=0.0)


@pytest.fixture
def told(tmp_path: Path) -> str:
    path = tmp_path / "curriculum.json"
    hands = Emphasis(weight=4.0, phase="hands", antes={"1": 1.0})
    write_curriculum(path, FailureCurriculum(buckets={"resource_exhausted": hands}))
    return str(path)


def test_decisions_are_weighed_by_ante_and_phase(told: str) -> None:
    everything = np.arange(len(SAMPLES))
    weights = emphasis(SAMPLES, everything, replace(PLAIN, curriculum=told))
    in_hand = SAMPLES.phases == PHASES.index(Phase.selecting_hand)
    first = SAMPLES.observations["ante"] == 1
    assert (in_hand & first).any()
    assert (~in_hand & first).any()
    assert weights[in_hand & first].min() > 10 * weights[~(in_hand & first)].max()
    assert weights.mean() == pytest.approx(1, abs=1e-4)
    assert emphasis(SAMPLES, everything, PLAIN).tolist() == [1.0] * len(SAMPLES)


def test_a_loss_of_the_network_counts_what_is_weighed(told: str) -> None:
    """With all weight on hands of the first ante, the loss is nearly that of those decisions alone."""
    torch.manual_seed(1)
    network = EntityNetwork(config_of("tiny")).eval()
    everything = np.arange(len(SAMPLES))
    hands = np.flatnonzero(emphasis(SAMPLES, everything, replace(PLAIN, curriculum=told)) > 1)

    def loss(indices: np.ndarray, settings: TrainSettings) -> dict[str, float]:
        with torch.no_grad():
            judgement = judged(network, network_inputs(*padded(SAMPLES, indices)))
            return {name: float(part) for name, part in pv_losses(judgement, SAMPLES, indices, settings).items()}

    weighed, alone, plain = (
        loss(everything, replace(PLAIN, curriculum=told)), loss(hands, PLAIN), loss(everything, PLAIN)
    )  # fmt: skip
    for name in ("policy", "win", "clear", "ante"):
        assert abs(weighed[name] - alone[name]) <= abs(plain[name] - alone[name]) + 1e-6
    assert weighed["policy"] != pytest.approx(plain["policy"], abs=1e-4)


def test_positions_of_a_value_are_weighed_by_the_ante_of_their_next_blind(tmp_path: Path) -> None:
    path = tmp_path / "curriculum.json"
    write_curriculum(path, FailureCurriculum(buckets={"x": Emphasis(weight=2.0, antes={"2": 1.0})}))
    plain = ValueSettings(plan=(Stage(games=20),), widths=(8, 4), batch=32)
    settings = replace(plain, curriculum=str(path))
    torch.manual_seed(1)
    model = ValueModel(plain.widths, 0.0).eval()
    _, positions = play_generation(model.native(), plain, 0, 1, lambda done: None)
    rows = rows_of([positions])
    weights = value_emphasis(rows, settings)
    second = rows.next // 3 == 1
    assert second.any()
    assert weights[second].min() > 5 * weights[~second].max()
    assert value_emphasis(rows, plain).tolist() == [1.0] * len(rows.next)
    learners = [Learner(model, rows, each, torch.device("cpu")) for each in (plain, settings)]
    inside = torch.from_numpy(np.flatnonzero(second))
    told = [learner.losses(inside, blind_eye=True).margin.item() for learner in learners]
    seen = [learner.losses(inside, blind_eye=False).margin.item() for learner in learners]
    assert told[1] > 1.5 * told[0]
    assert seen[0] == seen[1]


def test_a_training_keeps_which_curriculum_it_had(told: str, tmp_path: Path) -> None:
    data, out = tmp_path / "games.jsonl", tmp_path / "out"
    result = CliRunner().invoke(
        app, ["rollout", "--agent", "greedy", "--games", "3", "--workers", "1", "--out", str(data)]
    )
    assert result.exit_code == 0
    settings = replace(PLAIN, curriculum=told, val_share=0.34)
    run_files([data], [], settings, out, device=prepare("cpu"), watcher=Watcher())
    config = json.loads((out / "config.json").read_text())
    assert config["settings"]["curriculum"] == told
    assert len(config["data"]["curriculum_hash"]) == 16
    Path(told).write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="curriculum_hash"):
        run_files([data], [], settings, out, device=prepare("cpu"), watcher=Watcher())


def test_a_curriculum_that_is_not_there_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for verb in (["value"], ["pv", "--data", str(tmp_path / "x.parquet")]):
        result = CliRunner().invoke(app, ["train", *verb, "--out", str(out), "--curriculum", str(tmp_path / "no.json")])
        assert result.exit_code != 0
        assert not out.exists()
