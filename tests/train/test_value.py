"""The training of a value: whole, stopped and resumed, and what it learns from."""

import json
import re
from dataclasses import asdict, replace
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
from jimbo.engine.value import VALUE_BLINDS, ValuePlay, play_games  # noqa: E402
from jimbo.models.value_file import OWN_FILE, read_value  # noqa: E402
from jimbo.pace import PACE  # noqa: E402
from jimbo.seeds.seed_sets import seed_set, train_seeds  # noqa: E402
from jimbo.train.core.loop import TrainingFailed  # noqa: E402
from jimbo.train.core.machine import prepare  # noqa: E402
from jimbo.train.core.settings import read_settings  # noqa: E402
from jimbo.train.core.watching import Progress, Row, Watcher  # noqa: E402
from jimbo.train.settings import Stage, ValueSettings  # noqa: E402
from jimbo.train.value import Learner, ValueTraining, learn, outcomes, returns, run_value  # noqa: E402
from jimbo.train.value_games import (  # noqa: E402
    EVALUATION_SEEDS,
    load_positions,
    play_generation,
    positions_hash,
    rows_of,
    save_positions,
    starts_of,
)
from jimbo.train.value_model import ValueModel, widths_of  # noqa: E402

CPU = prepare("cpu")
SETTINGS = ValueSettings(
    plan=(Stage(games=30), Stage(games=12, rollouts=2, finalists=2, worlds=1)),
    generations=3, window=2, batch=32, widths=(16, 8), judge_games=4, judge_rollouts=2,
)  # fmt: skip


def trained(folder: Path, settings: ValueSettings = SETTINGS, watcher: Watcher | None = None, **more: Any) -> Progress:
    return run_value(settings, folder, device=CPU, threads=1, watcher=watcher or Watcher(), **more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training that was never stopped; nobody changes it."""
    folder = tmp_path_factory.mktemp("value") / "whole"
    trained(folder)
    return folder


def test_everything_is_written(whole: Path) -> None:
    names = {path.name for path in whole.iterdir()} - {".lock", PACE}
    kept = {f"{name}.{suffix}" for name in ("best", "last") for suffix in ("json", "safetensors")}
    data = {"positions-0002.npz", "positions-0003.npz"}
    others = {"config.json", "resume.safetensors", "train_metrics.json", "training.png", "tensorboard"}
    assert names == kept | data | others
    rows = json.loads((whole / "train_metrics.json").read_text())["generations"]
    assert [row["games"] for row in rows] == [30, 42, 54]
    assert all(row["judged"]["games"] == 4 and row["tests"]["clear"] > 0 for row in rows)
    assert rows[-1]["data_hash"] == positions_hash(load_positions(whole / "positions-0003.npz"))
    card = json.loads((whole / "last.json").read_text())
    assert card["settings"]["seed"] == SETTINGS.seed
    assert card["trained"]["games"] == 54


def test_the_value_plays(whole: Path) -> None:
    agent = make_agent("fast", model=str(whole / "best.safetensors"), rollouts=2, finalists=0)
    assert agent.act(Run(seed="TESTSEED").public_state()).measure == "win"


class Stops(Watcher):
    """In the middle of the second generation."""

    def __init__(self) -> None:
        self._generation = 0

    def row(self, row: Row, best: bool) -> None:
        self._generation = row["generation"]

    def progress(self, phase: str, done: int, total: int, unit: str = "", note: str = "") -> None:
        if self._generation == 1 and phase == "Generation 2 of 2: learning":
            raise KeyboardInterrupt


def test_a_stopped_training_ends_as_one_that_never_stopped(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "out", replace(SETTINGS, generations=2), watcher=Stops())  # more may be asked for later
    assert trained(tmp_path / "out", seconds=0).done == 1
    progress = trained(tmp_path / "out")
    assert (progress.done, progress.history[-1]["games"]) == (3, 54)
    for name in ("best.safetensors", "last.safetensors"):
        assert (tmp_path / "out" / name).read_bytes() == (whole / name).read_bytes()
    assert trained(tmp_path / "out") == progress
    with pytest.raises(ValueError, match="other settings"):
        trained(tmp_path / "out", replace(SETTINGS, dropout=0.1))


def test_seeds_are_for_training_alone() -> None:
    measured = {seed for name in ("dev-100", "dev-1000") for seed in seed_set(name).seeds}
    judged = set(islice(train_seeds(EVALUATION_SEEDS), 1000))
    generations = [{start.seed for start in starts_of(SETTINGS, number)} for number in range(3)]
    assert all(not seeds & (measured | judged) for seeds in generations)
    assert not generations[1] & generations[2]
    assert starts_of(SETTINGS, 1) == starts_of(SETTINGS, 1)


def test_stakes_and_decks_are_mixed_as_told() -> None:
    settings = replace(
        SETTINGS, stakes={"stake_gold": 1, "stake_red": 3}, decks={"b_blue": 1}, plan=(Stage(games=400),)
    )
    starts = starts_of(settings, 0)
    assert {start.deck for start in starts} == {"b_blue"}
    assert 250 < sum(start.stake == "stake_red" for start in starts) < 350
    assert 200 < sum(start.explores for start in starts) < 280


def test_games_do_not_depend_on_threads_or_pieces() -> None:
    net = ValueModel((16, 8), 0.0).native()
    one = play_generation(net, SETTINGS, 1, 1, lambda done: None)
    two = play_generation(net, SETTINGS, 1, 2, lambda done: None)
    assert (one[0], positions_hash(one[1])) == (two[0], positions_hash(two[1]))


def test_the_native_net_says_what_the_model_says(tmp_path: Path) -> None:
    model = ValueModel((32, 16), 0.0)
    torch.nn.init.normal_(model.third.weight, std=0.3)
    net = model.native()
    positions = play_games(net, starts_of(SETTINGS, 1), ValuePlay(rollouts=1, finalists=1, recorded=0.5), 1).positions
    save_positions(tmp_path / "data.npz", positions)
    rows = rows_of([load_positions(tmp_path / "data.npz")])
    with torch.no_grad():
        found = model(torch.from_numpy(rows.inputs).int(), torch.from_numpy(rows.values).float())
    chances = torch.sigmoid(found[:, :VALUE_BLINDS]).numpy()
    first = 0
    for row, count in enumerate(positions.count[:50]):
        part = slice(first, first + count)
        pairs = zip(positions.index[part].tolist(), positions.value[part].tolist(), strict=True)
        assert net.chances(list(pairs)) == pytest.approx(chances[row], abs=2e-3)  # rows hold half floats
        first += count


def test_a_lost_run_clears_nothing_that_follows() -> None:
    """A position before blind 4 whose run skips blind 4, clears blind 5 and is lost at blind 6."""
    model = ValueModel((4, 4), 0.0)
    rows = rows_of([_position(cleared={5: 1, 6: 0})])
    settings = replace(SETTINGS, win_weight=1.0)
    learner = Learner(model, rows, settings, CPU)

    def lost(logits: np.ndarray) -> float:
        with torch.no_grad():
            model.third.bias[:VALUE_BLINDS] = torch.from_numpy(logits)
        return learner.losses(torch.tensor([0]), blind_eye=False).clear.item()

    right = np.where(np.arange(VALUE_BLINDS) < 6, 20.0, -20.0).astype(np.float32)
    assert lost(right) < 1e-3
    for blind in (4, 6, 23):
        wrong = right.copy()
        wrong[blind] *= -1
        assert lost(wrong) == pytest.approx(20, abs=0.1)
    wrong = right.copy()
    wrong[:4] *= -1  # blinds of the past count for nothing
    assert lost(wrong) < 1e-3


def test_positions_are_taught_by_the_value_of_later_ones() -> None:
    """Two games: one lost at its blind 2 after three positions, and a position of another that was won."""
    lost, won = torch.zeros(3, VALUE_BLINDS), torch.ones(1, VALUE_BLINDS)
    lost[:, :2] = 1
    chances = torch.full((4, VALUE_BLINDS), 0.4)
    chances[2] = 0.8
    next_blind, game = torch.tensor([0, 0, 1, 5]), torch.tensor([4, 4, 4, 9])
    outcome = torch.cat([lost, won])
    taken = torch.ones(4)
    targets = returns(outcome, chances, next_blind, taken, game, 0.7)
    assert targets[3].tolist() == [1.0] * VALUE_BLINDS
    assert targets[2].tolist() == outcome[2].tolist()
    middle = 0.3 * 0.8 + 0.7 * 0
    assert targets[1, 0] == 1  # passed by then
    assert targets[1, 1] == pytest.approx(0.3 * 0.8 + 0.7 * 1)
    assert targets[1, 5] == pytest.approx(middle)
    assert targets[0, 0] == pytest.approx(0.3 * 0.4 + 0.7 * 1)
    assert targets[0, 5] == pytest.approx(0.3 * 0.4 + 0.7 * middle)
    assert torch.equal(returns(outcome, chances, next_blind, taken, game, 1.0), outcome)


def test_a_detour_does_not_count_against_what_came_before_it() -> None:
    """A position, what the value would have done next, and the detour that was lost."""
    outcome = torch.zeros(3, VALUE_BLINDS)
    chances = torch.tensor([0.1, 0.9, 0.2])[:, None].expand(3, VALUE_BLINDS)
    told = (torch.zeros(3, dtype=torch.long), torch.tensor([1, 0, 1]), torch.zeros(3))
    assert returns(outcome, chances, *told, 0.7)[:, 5].tolist() == pytest.approx([0.9, 0.9, 0.0])
    assert torch.equal(returns(outcome, chances, *told, 1.0), outcome)


def test_ways_that_were_not_taken_are_kept_but_not_learnt() -> None:
    settings = replace(SETTINGS, exploring=1.0, plan=(Stage(games=20, random_moves=0.3, taste=0.3),))
    model = ValueModel((16, 8), 0.0)
    torch.nn.init.normal_(model.third.weight, std=0.3)
    _, positions = play_generation(model.native(), settings, 0, 1, lambda done: None)
    untaken = positions.taken == 0
    assert 0.02 < untaken.mean() < 0.8
    learner = Learner(model, rows_of([positions]), settings, CPU)
    learnt = torch.cat([learner.learnt, learner.tested])
    assert sorted(learnt.tolist()) == np.flatnonzero(~untaken).tolist()
    _, plain = play_generation(model.native(), replace(settings, exploring=0.0), 0, 1, lambda done: None)
    assert (plain.taken == 1).all()


def test_the_mean_of_the_generations_plays() -> None:
    old, new = ValueModel((4, 4), 0.0), ValueModel((4, 4), 0.0)
    before, towards = old.first.weight.detach().clone(), new.first.weight.detach().clone()
    old.approach(new, 0.5)
    assert torch.allclose(old.first.weight, (before + towards) / 2)


def test_what_a_run_cleared_is_known_to_its_last_positions() -> None:
    """They know only what became of later blinds; that the run cleared those before must not be untaught."""
    settings = replace(SETTINGS, plan=(Stage(games=30, random_moves=0.0),))
    net = ValueModel((16, 8), 0.0).native()
    played = play_games(net, starts_of(settings, 0), ValuePlay(rollouts=1, finalists=0, recorded=1.0), 1)
    rows = rows_of([played.positions])
    cleared, game = torch.from_numpy(rows.cleared), torch.from_numpy(rows.game)
    found = outcomes(cleared, game)
    for number in range(len(played.won)):
        of_game = found[game == number]
        assert (of_game == of_game[0]).all()
        assert torch.equal(of_game[0], outcomes(cleared[game == number][:1], game[game == number][:1])[0])
    told = (torch.rand(found.shape), torch.from_numpy(rows.next), torch.from_numpy(rows.taken), game)
    assert torch.equal(returns(found, *told, 1.0), found)


def test_learning_from_nothing_gets_a_sentence() -> None:
    positions = _position(cleared={})
    none = replace(positions, **{name: getattr(positions, name)[:0] for name in asdict(positions)})
    with pytest.raises(TrainingFailed, match="Raise games or kept"):
        learn(ValueModel((4, 4), 0.0), rows_of([none]), SETTINGS, 0, CPU, lambda *told: None)


def _position(cleared: dict[int, int]) -> Any:
    from jimbo.engine.value import Positions

    fates = np.full((1, VALUE_BLINDS), -1, np.int8)
    for blind, fate in cleared.items():
        fates[0, blind] = fate
    zeros = np.zeros((1, VALUE_BLINDS), np.float32)
    one = np.ones(1, np.int32)
    return Positions(
        game=one, count=one, next=np.array([4], np.uint8), taken=np.ones(1, np.uint8), index=np.zeros(1, np.uint16),
        value=np.ones(1, np.float32), cleared=fates, margin=zeros, dollars=zeros,
    )  # fmt: skip


@pytest.mark.parametrize("steps", [1, 2, 10, 11])
def test_any_number_of_steps_can_be_learnt_in(steps: int) -> None:
    rows = rows_of([play_generation(ValueModel((16, 8), 0.0).native(), SETTINGS, 0, 1, lambda done: None)[1]])
    learner = Learner(model := ValueModel((16, 8), 0.0), rows, SETTINGS, CPU)
    assert len(learner.learnt) >= steps**2  # or the batches would not come out
    settings = replace(SETTINGS, batch=len(learner.learnt) // steps, plan=(Stage(),))
    seen: list[tuple[int, int]] = []
    learn(model, rows, settings, 0, CPU, lambda done, steps, samples: seen.append((done, steps)))
    assert seen[-1] == (steps, steps)


def test_a_stage_says_how_it_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = replace(SETTINGS, plan=(Stage(games=30), Stage(games=30, epochs=3, lr=0.5)))
    rates: list[float] = []
    adam = torch.optim.AdamW
    monkeypatch.setattr(torch.optim, "AdamW", lambda *of, lr, **more: rates.append(lr) or adam(*of, lr=lr, **more))
    _, positions = play_generation(ValueModel((16, 8), 0.0).native(), settings, 0, 1, lambda done: None)
    steps: list[int] = []
    for generation in range(2):
        learn(
            ValueModel((16, 8), 0.0),
            rows_of([positions]),
            settings,
            generation,
            CPU,
            lambda _, all, samples: steps.append(all),
        )
    assert rates == [4e-4, 0.5]
    assert steps[-1] == 3 * steps[0]


def test_it_begins_with_weights_that_are_given(tmp_path: Path) -> None:
    weights, _ = read_value(OWN_FILE)
    training = ValueTraining(ValueSettings(init=str(OWN_FILE), widths=widths_of(weights)), tmp_path, CPU, 1)
    assert all(np.array_equal(weights[name], array) for name, array in training.model.weights().items())
    with pytest.raises(ValueError, match=re.escape(f"its widths are {list(widths_of(weights))}")):
        ValueTraining(replace(SETTINGS, init=str(OWN_FILE)), tmp_path, CPU, 1)


def test_two_that_are_joined_say_their_mean() -> None:
    one, other, both = ValueModel((6, 4), 0.0), ValueModel((5, 3), 0.0), ValueModel((11, 7), 0.0)
    for model in (one, other):
        torch.nn.init.normal_(model.third.weight)
    both.join(one, other)
    index, value = torch.tensor([[3, 17, 40], [5, 6, 7]]), torch.tensor([[1.0, 0.5, 2.0], [1.0, 1.0, 1.0]])
    found = [model(index, value) for model in (one, other, both)]
    assert not torch.allclose(found[0], found[1])
    assert torch.allclose((found[0] + found[1]) / 2, found[2], atol=1e-6)


def test_a_wider_value_grows_beside_what_it_begins_with(tmp_path: Path, whole: Path) -> None:
    """The first generation plays and teaches by the old one, which stays as it is; later ones are as ever."""
    init = whole / "best.safetensors"
    settings = replace(SETTINGS, init=str(init), widths=(20, 11), generations=1)
    old = ValueModel((16, 8), 0.0)
    old.take(read_value(init)[0])
    _, by_old = play_generation(old.native(), settings, 0, 1, lambda done: None)
    trained(tmp_path / "wide", settings)
    assert positions_hash(load_positions(tmp_path / "wide" / "positions-0001.npz")) == positions_hash(by_old)
    weights, _ = read_value(tmp_path / "wide" / "last.safetensors")
    assert np.array_equal(weights["first.weight"][:, :16], read_value(init)[0]["first.weight"])
    assert (weights["second.weight"][16:, :8] == 0).all()
    assert weights["third.weight"][8:].any()
    longer = replace(settings, generations=2)
    trained(tmp_path / "wide", longer)
    trained(tmp_path / "again", longer)
    last = [(tmp_path / name / "last.safetensors").read_bytes() for name in ("wide", "again")]
    assert last[0] == last[1]
    with pytest.raises(ValueError, match=re.escape("its widths are [16, 8]")):
        ValueTraining(replace(settings, widths=(20, 8)), tmp_path, CPU, 1)


def test_settings_come_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "value.yaml"
    path.write_text("plan:\n  - {games: 5}\n  - {games: 7, rollouts: 3}\nstakes: {stake_gold: 1}\n")
    settings = read_settings(ValueSettings, {"generations": 4}, path)
    assert [settings.stage(number).games for number in range(4)] == [5, 7, 7, 7]
    assert asdict(settings)["stakes"] == {"stake_gold": 1.0}
    wrong = {"plan: []": "no generations", "stakes: {stake_gold: 0}": "weight above 0", "plan: [{lr: x}]": "lr"}
    for text, words in wrong.items():
        path.write_text(text)
        with pytest.raises(ValueError, match=words):
            read_settings(ValueSettings, {}, path)


def test_the_command(tmp_path: Path) -> None:
    plan = json.dumps([asdict(Stage(games=6))])
    sets = [f"plan={plan}", "widths=[8, 4]", "batch=8", "judge_games=2", "judge_rollouts=2", "kept=1"]
    arguments = ["train", "value", "--out-dir", str(tmp_path / "out"), "--device", "cpu", "--threads", "1", "--json"]
    arguments += ["--generations", "1", *(part for text in sets for part in ("--set", text))]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["games"] == 6
    assert "best.safetensors plays" in result.stderr
    *arguments, last = arguments
    assert last == "kept=1"
    for bad, words in (("kept", "has no value"), ("kept=0", "raise it"), ("speed=1", 'there is no setting "speed"')):
        refused = CliRunner().invoke(app, [*arguments, bad])
        assert (refused.exit_code, words in refused.stderr) == (2, True), refused.stderr
