"""Whole trainings of Jimbo's PPO: files, resuming, warm starts, settings, the command."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

torch = pytest.importorskip("torch")
from jimbo.agents import make_agent  # noqa: E402
from jimbo.cli.main import app  # noqa: E402
from jimbo.engine import Run  # noqa: E402
from jimbo.models.checkpoint import BadModel, load_network  # noqa: E402
from jimbo.models.runtime import load_policy  # noqa: E402
from jimbo.pace import PACE, read_pace  # noqa: E402
from jimbo.train.core.machine import prepare  # noqa: E402
from jimbo.train.core.schedule import newest_share, share_left  # noqa: E402
from jimbo.train.core.settings import read_settings  # noqa: E402
from jimbo.train.core.state import STATE  # noqa: E402
from jimbo.train.core.watching import Progress, Row, Watcher  # noqa: E402
from jimbo.train.ppo import SUMMARY, Ppo, run_rl  # noqa: E402
from jimbo.train.ppo_model import workbench  # noqa: E402
from jimbo.train.settings import Curriculum, RlSettings  # noqa: E402

CPU = prepare("cpu")
SETTINGS = RlSettings(
    rows=8, horizon=8, minibatch=32, steps=256, candidates=8, eval_games=2, eval_every=2, max_steps=30, lr=0.01,
    curriculum=Curriculum(initial_max_ante=1),
)  # fmt: skip
NETWORKS = {f"{name}.{suffix}" for name in ("best", "last") for suffix in ("json", "safetensors", "onnx")}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    with workbench(CPU, 1):
        yield


def trained(
    folder: Path, settings: RlSettings = SETTINGS, watcher: Watcher | None = None, threads: int = 1
) -> Progress:
    return run_rl(settings, folder, device=CPU, threads=threads, watcher=watcher or Watcher())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training that was never stopped; nobody changes it."""
    folder = tmp_path_factory.mktemp("rl") / "whole"
    trained(folder)
    return folder


def test_everything_is_written(whole: Path) -> None:
    names = {path.name for path in whole.iterdir()} - {".lock", PACE}
    assert read_pace((whole / PACE).read_text()).done["decisions"] > 0
    assert names == {*NETWORKS, "config.json", "train_metrics.json", "training.png", "tensorboard", STATE, SUMMARY}
    summary = json.loads((whole / SUMMARY).read_text())
    assert summary["updates"] == 4
    assert summary["steps"] == 256
    assert summary["games"] > 8
    assert summary["illegal_actions"] == 0
    assert {"mean_ante", "win_rate", "games"} <= summary["start"].keys() & summary["best"].keys()
    assert summary["last"]["update"] == 4
    rows = json.loads((whole / "train_metrics.json").read_text())["updates"]
    assert [row["update"] for row in rows] == [0, 1, 2, 3, 4]
    assert [("judged" in row) for row in rows] == [True, False, True, False, True]
    assert {"entropy", "kl", "explained", "lr"} <= rows[1].keys()
    config = json.loads((whole / "config.json").read_text())
    assert config["settings"] == {"method": "rl", **asdict(SETTINGS)}


def test_the_network_plays(whole: Path) -> None:
    policy = load_policy(whole)
    assert policy.card["method"] == "rl"
    assert policy.card["candidates"] == 8
    decision = make_agent("network", model=str(whole)).act(Run(seed="TESTSEED").public_state())
    assert 0 <= decision.win <= 1, "its heads have learnt what to expect"
    last, _ = load_network(whole / "last.safetensors")
    assert last.config.dropout == 0


def test_a_card_with_odd_candidates_is_refused(whole: Path, tmp_path: Path) -> None:
    card = json.loads((whole / "best.json").read_text())
    shutil.copy(whole / "best.safetensors", tmp_path)
    (tmp_path / "best.json").write_text(json.dumps({**card, "candidates": "many"}))
    with pytest.raises(BadModel, match="candidates must be a whole number"):
        load_network(tmp_path / "best.safetensors")


class Stops(Watcher):
    """After some updates, or while the network is evaluated for the second time."""

    def __init__(self, updates: int = -1, evaluations: int = -1) -> None:
        self._updates, self._evaluations = updates, evaluations

    def row(self, row: Row, best: bool) -> None:
        if row["update"] == self._updates:
            raise KeyboardInterrupt

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        self._evaluations -= phase == "Evaluating"
        if phase == "Evaluating" and self._evaluations == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("stop", [Stops(updates=1), Stops(evaluations=2)])
def test_a_stopped_training_ends_as_one_that_never_stopped(whole: Path, tmp_path: Path, stop: Stops) -> None:
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "cut", watcher=stop)
    trained(tmp_path / "cut", threads=2)
    for name in (*sorted(NETWORKS), "train_metrics.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (whole / name).read_bytes(), name
    assert tensors(tmp_path / "cut") == tensors(whole)


def tensors(folder: Path, file: str = STATE) -> dict[str, Any]:
    """Weights and their average, optimizer and games; or what another file holds."""
    from safetensors.torch import load_file

    return {name: tensor.numpy().tobytes() for name, tensor in load_file(folder / file).items()}


def part(found: dict[str, Any], start: str) -> dict[str, Any]:
    return {name.removeprefix(start): data for name, data in found.items() if name.startswith(start)}


def test_the_average_is_kept_and_the_learner_goes_on_with_its_own_weights(whole: Path, tmp_path: Path) -> None:
    trained(tmp_path / "newest", replace(SETTINGS, average=0.0))
    newest, averaged = tensors(tmp_path / "newest"), tensors(whole)
    assert part(newest, "weight/") == part(averaged, "weight/")
    assert part(newest, "average/") == part(newest, "weight/")
    assert part(averaged, "average/") != part(averaged, "weight/")
    assert part(averaged, "average/network.") == tensors(whole, "last.safetensors")


def test_the_average_remembers_no_step() -> None:
    """Else every update would keep the graphs of all before it."""
    with workbench(CPU, 1) as bench:
        method = Ppo(SETTINGS, bench)
        method.step(Progress(), Watcher())
    assert all(weight.is_leaf and not weight.requires_grad for weight in method.average.parameters())


def test_the_average_is_as_old_as_it_was_told_to_be() -> None:
    average, updates = 0.1, 2000
    mean = 0.0
    for number in range(1, updates + 1):
        mean += (number - mean) * newest_share(average, number)
    age = (updates - mean) / updates
    assert age == pytest.approx(average / (1 + average), rel=0.01)


def test_a_finished_training_stays_as_it_is(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "again")
    assert trained(tmp_path / "again").done == 4
    assert tensors(tmp_path / "again") == tensors(whole)


def test_a_state_that_cannot_be_read_is_told(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "out")
    path = tmp_path / "out" / STATE
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ValueError, match=r"resume\.safetensors cannot be resumed"):
        trained(tmp_path / "out")


def test_other_settings_need_another_folder(whole: Path) -> None:
    with pytest.raises(ValueError, match=r"other settings or data \(lr: .*, not 0\.5\)"):
        trained(whole, replace(SETTINGS, lr=0.5))


def test_a_warm_start_begins_with_the_policy_it_was_given(whole: Path, tmp_path: Path) -> None:
    settings = replace(SETTINGS, init=str(whole), steps=128, critic_warm_up=1, start_kl=1.0, curriculum=None)
    trained(tmp_path / "warm", settings)
    start, _ = load_network(whole / "best.safetensors")
    rows = json.loads((tmp_path / "warm" / "train_metrics.json").read_text())["updates"]
    assert rows[1]["kl"] == pytest.approx(0, abs=1e-6), "the critic learns first"
    assert rows[1]["start_kl"] == pytest.approx(0, abs=1e-6)
    assert rows[2]["kl"] > 0
    warm, _ = load_network(tmp_path / "warm" / "last.safetensors")
    assert warm.config == start.config
    assert not torch.equal(warm.candidates.score.weight, start.candidates.score.weight)


def test_a_warm_start_is_surer_of_the_same_choices(whole: Path) -> None:
    start, _ = load_network(whole / "best.safetensors")
    with workbench(CPU, 1) as bench:
        network = Ppo(replace(SETTINGS, init=str(whole), sharpness=2.0), bench).model.network
    for name, weight in start.state_dict().items():
        factor = 2 if name.startswith("candidates.score.") else 1
        assert torch.equal(network.state_dict()[name], factor * weight)


def test_the_rate_falls() -> None:
    assert [share_left("constant", done) for done in (0, 0.5, 1)] == [1, 1, 1]
    assert [share_left("linear", done) for done in (0, 0.25, 1)] == [1, 0.75, 0]
    assert [share_left("cosine", done) for done in (0, 0.5, 1)] == pytest.approx([1, 0.5, 0])


# --- Settings ---------------------------------------------------------------------------------------------------------


def test_settings_come_from_a_file_and_from_what_is_given(tmp_path: Path) -> None:
    path = tmp_path / "rl.yaml"
    path.write_text("size: small\nlr: 1e-4\nrewards: {win: 1, ante: 0.125}\ncurriculum: {initial_max_ante: 3}\n")
    settings = read_settings(RlSettings, {"size": "base", "seed": 3}, path)
    assert (settings.size, settings.lr, settings.seed) == ("base", 1e-4, 3)
    assert settings.rewards == {"win": 1.0, "ante": 0.125}
    assert settings.curriculum == Curriculum(initial_max_ante=3)
    assert read_settings(RlSettings, {}) == RlSettings()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("learning_rate: 1", 'there is no setting "learning_rate"'),
        ("lr: fast", "lr must be a number"),
        ("rows: 1.5", "rows must be a whole number"),
        ("size: huge", "size must be one of tiny, small, base"),
        ("rows: 4\nhorizon: 4\nminibatch: 17", "minibatch is 17, but an update has only 16 decisions"),
        ("steps: 100", "steps is 100, but one update takes"),
        ("rewards: {luck: 1}", 'there is no reward term "luck": choose from win, loss'),
        ("rewards: {win: 0}", "rewards pay nothing"),
        ("curriculum: {initial_max_ante: 9}", "initial_max_ante must be a whole number from 1 to 8"),
        ("schedule: stairs", "schedule must be one of constant, linear, cosine"),
        ("- 1", "does not hold named values"),
        ("lr: [", "is not valid YAML"),
        ("lr: 1\nlr: 2", "lr appears twice"),
    ],
)
def test_a_bad_file_gets_a_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "rl.yaml"
    path.write_text(text)
    result = run("--out-dir", str(tmp_path / "out"), "--config", str(path))
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.split())
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


# --- The command ------------------------------------------------------------------------------------------------------


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", "rl", *arguments], env={"COLUMNS": "200"})


TINY = [
    "--rows",
    "4",
    "--horizon",
    "4",
    "--minibatch",
    "8",
    "--steps",
    "32",
    "--candidates",
    "4",
    "--device",
    "cpu",
    "--threads",
    "1",
    "--set",
    "eval_games=2",
    "--set",
    "max_steps=10",
    "--set",
    "eval_every=2",
]


def test_updates_are_whole_and_the_steps_that_are_made_are_told_before_and_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = []
    monkeypatch.setattr("jimbo.train.core.curves.draw", lambda path, history, picture, title: titles.append(title))
    given = [*TINY, "--steps", "40", "--out-dir", str(tmp_path / "out")]
    result = run(*given)
    assert result.exit_code == 0, result.stderr
    assert "3 updates of 16 decisions (rows 4 x horizon 4): 48 decisions in all, where 40 were asked." in result.stderr
    assert "48 decisions in" in result.stdout
    assert set(titles) == {"rl, tiny, 48 decisions"}
    assert RlSettings(steps=160_000).decisions == 163_840
    assert RlSettings(steps=1_638_400).decisions == 1_638_400


def test_the_command_trains_and_tells(tmp_path: Path) -> None:
    out = tmp_path / "out"
    given = [
        *TINY,
        "--out-dir",
        str(out),
        "--reward",
        "win=1",
        "--reward",
        "blind=0.1",
        "--curriculum",
        "--deck",
        "blue",
    ]
    result = run(*given)
    assert result.exit_code == 0, result.stderr
    assert "32 decisions in" in result.stdout
    assert "best (update" in result.stdout
    assert f"jimbo eval --model {out}" in result.stderr
    settings = json.loads((out / "config.json").read_text())["settings"]
    assert settings["rewards"] == {"win": 1.0, "blind": 0.1}
    assert settings["curriculum"] == asdict(Curriculum())
    assert settings["deck"] == "blue"
    again = run(*given, "--json")
    assert json.loads(again.stdout)["updates"] == 2
    assert "Resuming after update 2." in again.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "lr"], "--set lr has no value: write --set lr=VALUE"),
        (["--set", "speed=1"], 'there is no setting "speed"'),
        (["--set", "lr=fast"], "lr must be a number"),
        (["--reward", "win=much"], "rewards.win must be a number"),
        (["--init", "nowhere"], "there is no nowhere.safetensors"),
        (["--config", "nowhere.yaml"], "config nowhere.yaml cannot be read"),
        (["--device", "tpu"], 'There is no device "tpu"'),
        (["--deck", "nonsense"], "nonsense"),
    ],
)
def test_bad_input_gets_a_sentence(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    result = run("--out-dir", str(tmp_path / "out"), *TINY, *arguments)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_missing_device_is_told(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has the device that the test wants to be missing")
    result = run("--out-dir", str(tmp_path / "out"), *TINY, "--device", "cuda")
    assert result.exit_code == 2
    assert "This machine has no device cuda that torch can use. Choose auto or cpu." in result.stderr


def test_a_missing_package_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jimbo.extras.importlib.util.find_spec", lambda _: None)
    result = run("--out-dir", str(tmp_path / "out"), *TINY)
    assert result.exit_code == 2
    assert 'torch is not installed: pip install ".[train]"' in result.stderr


def test_all_settings_can_be_listed(tmp_path: Path) -> None:
    result = run("--out-dir", str(tmp_path), "--set", "help")
    assert result.exit_code == 0
    assert "lr=0.0025" in result.stdout
    assert len(result.stdout.splitlines()) == len(asdict(RlSettings()))


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    settings = RlSettings(steps=131_072, rows=256, eval_games=50, eval_every=16)
    history = trained(tmp_path / "out", settings, threads=2).history
    assert history[-1]["judged"]["mean_blinds"] > history[0]["judged"]["mean_blinds"] + 0.5
    assert np.mean([row["mean_blinds"] for row in history[-3:]]) > 2 * history[1]["mean_blinds"]


def test_a_warm_start_is_gentle_unless_told_otherwise(tmp_path: Path) -> None:
    plain, warm = read_settings(RlSettings, {}), read_settings(RlSettings, {"init": "x"})
    assert warm.lr < plain.lr
    assert warm.entropy < plain.entropy
    assert read_settings(RlSettings, {"init": "x", "lr": 0.01}).lr == 0.01
    (tmp_path / "rl.yaml").write_text("init: x\nlr: 0.02\n")
    told = read_settings(RlSettings, {}, tmp_path / "rl.yaml")
    assert (told.lr, told.entropy) == (0.02, warm.entropy)
