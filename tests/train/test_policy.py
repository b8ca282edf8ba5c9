"""The training of a policy: what it learns from, whole, stopped and resumed, and how its file plays."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch")
from jimbo.agents import make_agent  # noqa: E402
from jimbo.cli.main import app  # noqa: E402
from jimbo.engine import Run  # noqa: E402
from jimbo.engine.value import Choices, ValuePlay, ValueStart, input_groups, judge_options, play_games  # noqa: E402
from jimbo.models.checkpoint import BadModel  # noqa: E402
from jimbo.models.value_file import load_value, read_value, write_value  # noqa: E402
from jimbo.seeds.seed_sets import seed_set, train_seeds  # noqa: E402
from jimbo.train.core.machine import prepare  # noqa: E402
from jimbo.train.core.watching import Progress, Row, Watcher  # noqa: E402
from jimbo.train.policy import PolicyTraining, run_policy  # noqa: E402
from jimbo.train.policy_model import PolicyModel, advantages, update  # noqa: E402
from jimbo.train.settings import PolicySettings  # noqa: E402
from jimbo.train.value_model import ValueModel  # noqa: E402

CPU = prepare("cpu")
SETTINGS = PolicySettings(
    updates=3, games=6, rollouts=1, temperature=0.5, widths=(16, 8), minibatch=64, critic_warm_up=1,
    judge_games=4, judge_every=2, stakes={"stake_white": 1.0}, decks={"b_red": 1.0},
)  # fmt: skip


@pytest.fixture(scope="module")
def value(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small value that knows nothing, so that games are short."""
    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("value") / "value.safetensors"
    write_value(path, ValueModel((16, 8), 0.0).weights(), {})
    return path


def trained(folder: Path, value: Path, watcher: Watcher | None = None, **changed: Any) -> Progress:
    settings = replace(SETTINGS, init=str(value), **changed)
    return run_policy(settings, folder, device=CPU, threads=1, watcher=watcher or Watcher())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, value: Path) -> Path:
    """A training that was never stopped; nobody changes it."""
    folder = tmp_path_factory.mktemp("policy") / "whole"
    trained(folder, value)
    return folder


def test_everything_is_written(whole: Path) -> None:
    names = {path.name for path in whole.iterdir()} - {".lock", ".pace.jsonl"}
    kept = {f"{name}.{suffix}" for name in ("best", "last") for suffix in ("json", "safetensors")}
    assert names == kept | {"config.json", "resume.safetensors", "train_metrics.json", "training.png", "tensorboard"}
    rows = json.loads((whole / "train_metrics.json").read_text())["updates"]
    assert [row["games"] for row in rows] == [0, 6, 12, 18]
    assert ["judged" in row for row in rows] == [True, False, True, True]
    assert rows[0]["judged"]["gained"] == 0
    assert all(row["learnt"]["choices"] > 0 and row["learnt"]["entropy"] >= 0 for row in rows[1:])
    assert json.loads((whole / "last.json").read_text())["trained"]["games"] == 18


def test_the_file_plays_with_its_policy(whole: Path, value: Path) -> None:
    net, _ = load_value(whole / "last.safetensors")
    assert net.has_policy
    assert not load_value(value)[0].has_policy
    state = Run(seed="TESTSEED").public_state()
    with_policy, alone = (judge_options(n, state.imagine(0), 1, 0) for n in (net, load_value(value)[0]))
    assert {option.win for option in with_policy} == {option.win for option in alone}
    assert any(option.preference != option.worth for option in with_policy)
    assert all(option.preference == option.worth for option in alone)
    make_agent("fast", model=str(whole / "last.safetensors"), rollouts=2).act(state)


class Stops(Watcher):
    """In the middle of the third update."""

    def __init__(self) -> None:
        self._update = 0

    def row(self, row: Row, best: bool) -> None:
        self._update = row["update"]

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        if self._update == 2 and phase.endswith("learning"):
            raise KeyboardInterrupt


def test_a_stopped_training_ends_as_one_that_never_stopped(whole: Path, value: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "stopped", value, Stops())
    assert trained(tmp_path / "stopped", value).done == 3
    for name in ("last.safetensors", "best.safetensors"):
        assert (tmp_path / "stopped" / name).read_bytes() == (whole / name).read_bytes()
    assert trained(tmp_path / "stopped", value, updates=4).done == 4


def test_it_goes_on_from_a_policy(whole: Path, tmp_path: Path) -> None:
    first, _ = read_value(whole / "last.safetensors")
    method = PolicyTraining(replace(SETTINGS, init=str(whole / "last.safetensors")), CPU, 1)
    begun = method.model.weights()
    for name, weight in begun.items():
        np.testing.assert_allclose(weight, first[name], rtol=1e-3, atol=1e-6)
    assert method.model.start is not None
    with pytest.raises(ValueError, match="its widths are"):
        PolicyTraining(replace(SETTINGS, init=str(whole / "last.safetensors"), widths=(32, 8)), CPU, 1)


def test_seeds_are_for_training_alone() -> None:
    mine = {next(iter(train_seeds(name))) for name in ("policy-judge", "policy-7-1")}
    assert len(mine) == 2
    assert not mine & set(seed_set("dev-1000").seeds)


def test_a_damaged_policy_gets_a_sentence(whole: Path, tmp_path: Path) -> None:
    weights, card = read_value(whole / "last.safetensors")
    path = tmp_path / "value.safetensors"
    write_value(path, {n: w for n, w in weights.items() if n != "policy.third.bias"}, card)
    with pytest.raises(BadModel, match="does not hold the weights of a value"):
        load_value(path)


# --- What it learns from ----------------------------------------------------------------------------------------------


def _choices(attempts: list[int], bosses: list[int], taken: list[int], inputs: list[list[int]]) -> Choices:
    """Each with two options of one input each, of the same worth."""
    count = len(attempts)
    return Choices(
        attempt=np.array(attempts, np.int32),
        next=np.zeros(count, np.uint8),
        taken=np.array(taken, np.uint8),
        considered=np.full(count, 2, np.uint8),
        progress=np.full(count, 0.5, np.float32),
        worth=np.zeros(2 * count, np.float32),
        correction=np.zeros(2 * count, np.float32),
        count=np.ones(2 * count, np.int32),
        index=np.array(inputs, np.uint16).ravel(),
        value=np.ones(2 * count, np.float32),
        bosses=np.array(bosses, np.uint8),
    )


def test_an_advantage_is_what_came_beyond_the_promise() -> None:
    choices = _choices([0, 0, 1], [8, 0], [0, 0, 0], [[0, 1]] * 3)
    promised = np.array([0.25, 0.5, 0.75], np.float32)
    assert advantages(choices, promised, 0.0).tolist() == [0.25, 0.5, -0.75]
    assert advantages(choices, promised, 1.0).tolist() == [0.75, 0.5, -0.75]
    assert advantages(choices, promised, 0.5).tolist() == [0.5, 0.5, -0.75]


def test_bosses_count_more_the_later_they_are() -> None:
    none = np.zeros(1, np.float32)
    reached = [float(advantages(_choices([0], [b], [0], [[0, 1]]), none, 1.0)[0]) for b in range(9)]
    assert (reached[0], reached[8]) == (0, pytest.approx(1))
    steps = np.diff(reached)
    np.testing.assert_allclose(steps[1:] / steps[:-1], 5, rtol=1e-4)


@pytest.mark.parametrize("leash", [0.0, 100.0])
def test_it_learns_which_option_wins_unless_it_is_held_back(leash: float) -> None:
    good, bad = input_groups()[5].start, input_groups()[6].start
    taken = [number % 2 for number in range(400)]
    choices = _choices(list(range(400)), [8 if t == 0 else 0 for t in taken], taken, [[good, bad]] * 400)
    settings = replace(SETTINGS, lr=3e-3, leash=leash, epochs=4, temperature=0.1)
    torch.manual_seed(0)
    model = PolicyModel(settings)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.lr)
    told = [update(model, optimizer, choices, settings, number, lambda done, steps: None) for number in range(1, 9)]
    assert told[0]["entropy"] == 0  # the critic alone
    assert 0 < told[1]["entropy"] <= np.log(2)
    inputs = torch.tensor([[good], [bad]])
    better, worse = model.correction(inputs, torch.ones(2, 1)).squeeze(1).tolist()
    assert (better - worse > 0.5) == (leash == 0)
    weights = model.weights()
    assert weights["policy.third.bias"].shape == (1,)


def test_games_do_not_depend_on_threads(whole: Path) -> None:
    net, _ = load_value(whole / "last.safetensors")
    seeds = islice(train_seeds("threads"), 6)
    starts = [ValueStart(seed, "b_red", "stake_white", number, False) for number, seed in enumerate(seeds)]
    play = ValuePlay(rollouts=1, finalists=0, temperature=0.5, considered=3, second_chances=1)
    one, two = (play_games(net, starts, play, threads) for threads in (1, 2))
    for name in ("attempt", "taken", "considered", "worth", "correction", "index", "bosses"):
        assert np.array_equal(getattr(one.choices, name), getattr(two.choices, name))
    assert one.choices.considered.max() == 3
    assert one.choices.considered.sum() == len(one.choices.worth) == len(one.choices.count)
    assert one.choices.count.sum() == len(one.choices.index)


def test_the_command(value: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = [
        f"{name}={v}" for name, v in (("widths", [16, 8]), ("minibatch", 64), ("judge_games", 4), ("rollouts", 1))
    ]
    sets = [part for option in options for part in ("--set", option)]
    args = [
        "train",
        "policy",
        "--out",
        str(out),
        "--init",
        str(value),
        "--games",
        "4",
        "--updates",
        "1",
        *sets,
        "--json",
    ]
    done = CliRunner().invoke(app, args)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["updates"] == 1
    assert len(told["history"]) == 2
    refused = CliRunner().invoke(app, ["train", "policy", "--out", str(tmp_path / "no"), "--set", "temperature=0"])
    assert refused.exit_code == 2
    assert "temperature" in refused.output
