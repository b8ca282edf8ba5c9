"""Networks learnt from recorded games."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.torch import load_file, save_file  # noqa: E402

from jimbo.data.samples import BadData, Samples  # noqa: E402
from jimbo.models import config_of  # noqa: E402
from jimbo.models.inputs import network_inputs, padded  # noqa: E402
from jimbo.models.network import EntityNetwork, judged  # noqa: E402
from jimbo.models.outputs import Outputs, outputs_of  # noqa: E402
from jimbo.models.runtime import load_policy  # noqa: E402
from jimbo.pace import PACE, read_pace  # noqa: E402
from jimbo.train.core.loop import TrainingFailed, run  # noqa: E402
from jimbo.train.core.machine import prepare  # noqa: E402
from jimbo.train.core.schedule import warm_cosine  # noqa: E402
from jimbo.train.core.state import STATE, training_folder  # noqa: E402
from jimbo.train.core.watching import Progress, Watcher, Watchers, WithTitle  # noqa: E402
from jimbo.train.distill import taught  # noqa: E402
from jimbo.train.settings import TrainSettings  # noqa: E402
from jimbo.train.supervised import Supervised, TrainingData, split  # noqa: E402
from models.games import recorded  # noqa: E402

SAMPLES = recorded(games=3)
SETTINGS = TrainSettings(method="bc", size="tiny", epochs=3, batch_size=16, dropout=0.0)
CPU = prepare("cpu")


ABOUT: dict[str, Any] = {"games": 3, "files": {}}


def data(samples: Samples = SAMPLES) -> TrainingData:
    indices, held_out = split(samples, 0.34)
    return TrainingData(samples, indices, samples, held_out)


def trained(folder: Path, settings: TrainSettings = SETTINGS, watcher: Watcher | None = None, **more: Any) -> Progress:
    method = Supervised(more.pop("data", None) or data(), settings, CPU, ABOUT, **more)
    with training_folder(folder) as opened:
        return run(method, opened, watcher or Watcher())


def test_it_learns_to_choose(tmp_path: Path) -> None:
    history = trained(tmp_path, data=data(recorded(games=4))).history
    assert history[-1]["train"]["policy"] < 0.9 * history[0]["train"]["policy"]
    assert history[-1]["val"]["policy"] < history[0]["val"]["policy"]
    assert 0 < history[-1]["val"]["top1"] <= history[-1]["val"]["top3"] <= 1


def test_a_value_learns_what_came_of_the_games(tmp_path: Path) -> None:
    history = trained(tmp_path, replace(SETTINGS, method="pv", value_weight=1.0)).history
    for name in ("win", "clear", "ante"):
        assert history[-1]["train"][name] < history[0]["train"][name]


class Stops(Watcher):
    def __init__(self, step: int) -> None:
        self._step = step

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        if phase == "Learning" and done == self._step:
            raise KeyboardInterrupt


@pytest.mark.parametrize("step", [1, 25, 40])
def test_a_stopped_training_ends_as_one_that_never_stopped(tmp_path: Path, step: int) -> None:
    whole = trained(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "cut", watcher=Stops(step))
    assert trained(tmp_path / "cut") == whole
    for name in ("best.safetensors", "last.safetensors", "best.json", STATE):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_it_stops_when_nothing_gets_better(tmp_path: Path) -> None:
    settings = replace(SETTINGS, epochs=20, lr=0.0, patience=2)
    assert trained(tmp_path, settings).done == 3


def test_nothing_is_learnt_from_no_decisions(tmp_path: Path) -> None:
    nothing = replace(SAMPLES, chosen=np.full_like(SAMPLES.chosen, -1))
    with pytest.raises(BadData, match="hold no decision to learn from"):
        trained(tmp_path, data=data(nothing))


def test_a_loss_that_is_not_a_number_ends_it(tmp_path: Path) -> None:
    spoilt = SAMPLES.candidate_rows.copy()
    spoilt[:] = np.nan
    with pytest.raises(TrainingFailed, match="The loss became nan in step 1"):
        trained(tmp_path, data=data(replace(SAMPLES, candidate_rows=spoilt)))


def test_a_state_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    settings = replace(SETTINGS, epochs=1)
    trained(tmp_path, settings)
    (tmp_path / STATE).write_bytes((tmp_path / STATE).read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"resume\.safetensors cannot be resumed"):
        trained(tmp_path, settings)


def test_the_rate_goes_up_and_down() -> None:
    rates = [warm_cosine(step, 100) for step in range(100)]
    assert rates[0] == pytest.approx(0.2)
    assert max(rates) == rates[4] == 1
    assert rates[4:] == sorted(rates[4:], reverse=True)
    assert rates[-1] < 0.02


def test_everything_is_written_beside_the_network(tmp_path: Path) -> None:
    out = tmp_path / "out"
    trained(out)
    names = {path.name for path in out.iterdir()} - {".lock", PACE}
    networks = {f"{name}.{suffix}" for name in ("best", "last") for suffix in ("json", "onnx", "safetensors")}
    pace = read_pace((out / PACE).read_text()).done
    assert pace["steps"] > 0
    assert pace["samples"] > pace["steps"]
    assert names == {*networks, "config.json", "train_metrics.json", "training.png", "tensorboard", STATE}
    metrics = json.loads((out / "train_metrics.json").read_text())
    assert [row["epoch"] for row in metrics["epochs"]] == [1, 2, 3]
    assert metrics["onnx_difference"] < 1e-4
    config = json.loads((out / "config.json").read_text())
    assert config["settings"]["size"] == "tiny"
    assert set(config["versions"]) == {"jimbo", "engine", "rules"}
    assert load_policy(out).card["data"] == ABOUT


def test_other_settings_need_another_folder(tmp_path: Path) -> None:
    trained(tmp_path / "out", replace(SETTINGS, epochs=1))
    with pytest.raises(ValueError, match=r"other settings or data \(lr: 0\.\d+, not 0\.1\)"):
        trained(tmp_path / "out", replace(SETTINGS, epochs=1, lr=0.1))


def test_there_must_be_such_a_device() -> None:
    with pytest.raises(ValueError, match='There is no device "tpu"'):
        prepare("tpu")
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match="This machine has no device cuda"):
            prepare("cuda")


def test_every_watcher_sees_everything() -> None:
    seen: list[object] = []

    class Noting(Watcher):
        def progress(self, *told: object) -> None:
            seen.append(told)

        def say(self, sentence: str) -> None:
            seen.append(sentence)

        def row(self, row: Any, best: bool) -> None:
            seen.append((row, best))

        def close(self) -> None:
            seen.append("closed")

    watcher = WithTitle("Round 1", Watchers(Noting(), Noting()))
    watcher.progress("Learning", 1, 2, "steps")
    watcher.say("Epoch 1.")
    watcher.row({"epoch": 1}, True)
    watcher.close()
    told = [("Round 1: Learning", 1, 2, "steps", ""), "Round 1: Epoch 1.", ({"epoch": 1}, True), "closed"]
    assert seen == [one for one in told for _ in range(2)]


def test_a_state_of_another_version_is_not_resumed(tmp_path: Path) -> None:
    trained(tmp_path, replace(SETTINGS, epochs=1))
    tensors = load_file(tmp_path / STATE)
    save_file(tensors, tmp_path / STATE, metadata={"progress": "{}"})
    with pytest.raises(ValueError, match="another version of Jimbo wrote it"):
        trained(tmp_path, replace(SETTINGS, epochs=1))


# --- Distillation -----------------------------------------------------------------------------------------------------


class Teacher:
    """A network that plays without ONNX."""

    def __init__(self) -> None:
        torch.manual_seed(3)
        self._network = EntityNetwork(config_of("tiny")).eval()

    def evaluate(self, *batch: Any) -> Outputs:
        with torch.no_grad():
            found = judged(self._network, network_inputs(*batch))
        return outputs_of(*(part.numpy() for part in found), batch[3])  # type: ignore[call-arg]


def test_a_student_learns_what_its_teachers_say(tmp_path: Path) -> None:
    asked: list[int] = []
    given, losses = taught(data(), [Teacher(), Teacher()], asked.append)
    assert asked[-1] == len(given.indices)
    index = int(given.indices[0])
    own = slice(given.samples.starts[index], given.samples.starts[index + 1])
    alone = Teacher().evaluate(*padded(SAMPLES, np.array([index]))).probabilities()[0]
    assert given.samples.values[own] == pytest.approx(alone, abs=1e-5)
    settings = replace(SETTINGS, method="distill", epochs=4, seed=1)
    history = trained(tmp_path, settings, data=given, loss_of=losses).history
    assert history[-1]["train"]["policy"] < history[0]["train"]["policy"]
    assert history[-1]["train"]["win"] < history[0]["train"]["win"]
