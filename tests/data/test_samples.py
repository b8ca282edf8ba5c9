"""Decisions as arrays: the same from both forms, chosen from, put together."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from data.playing import rolled_out
from jimbo.agents import make_agent
from jimbo.backends import SimBackend
from jimbo.data import Decision
from jimbo.data.columns import GameRows
from jimbo.data.samples import MEASURES, PHASES, BadData, Game, Samples, read_samples
from jimbo.engine import Action, Run, candidates, observe
from jimbo.rollout import Moment, Rollout
from jimbo.rollout.runner import RecordBuffer

ARRAYS = [name for name in Samples.__dataclass_fields__ if name not in ("observations", "played")]


def assert_same(one: Samples, other: Samples) -> None:
    assert one.observations.tobytes() == other.observations.tobytes()
    for name in ARRAYS:
        here, there = getattr(one, name), getattr(other, name)
        assert here.dtype == there.dtype, name
        assert np.array_equal(here, there, equal_nan=name == "values"), name
    assert one.played == other.played


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("samples")
    for name in ("greedy.parquet", "greedy.jsonl"):
        rolled_out(made / name)
    rolled_out(made / "random.parquet", agent="random", games=20)
    rolled_out(made / "raw.jsonl", agent="random", games=5, include_obs_raw=True)
    return made


def moments(agent: str, seed: str, nonce: int) -> Iterator[Moment]:
    rollout = Rollout(SimBackend())
    rollout.start(deck="b_red", stake="stake_white", seed=seed)
    yield from rollout.play(make_agent(agent), nonce)


def test_samples_are_what_was_played(folder: Path) -> None:
    samples = read_samples([folder / "greedy.parquet"])
    assert len(samples.played) == 3
    for number, game in enumerate(samples.played):
        rows = np.flatnonzero(samples.games == number)
        played = list(moments("greedy", game.seed, game.nonce))
        assert (len(rows), game.steps, game.number, game.agent) == (len(played), len(played), number, "greedy")
        assert samples.steps[rows].tolist() == list(range(1, len(played) + 1))
        beaten = 0
        for row, moment in zip(rows, played, strict=True):
            before, decision, after = moment.before, moment.decision, moment.after
            listed, place = candidates(before, 64), slice(samples.starts[row], samples.starts[row + 1])
            assert samples.observations[row].tobytes() == observe(before)[0].tobytes()
            assert np.array_equal(samples.candidate_ids[place], listed.ids)
            assert np.array_equal(samples.candidate_rows[place], listed.rows)
            assert listed.actions[samples.chosen[row]] == decision.action
            assert PHASES[samples.phases[row]] == before.phase
            assert MEASURES[samples.measures[row]] == decision.measure
            told = {other.action: other.value for other in decision.considered}
            expected = [told.get(action, np.nan) for action in listed.actions]
            assert np.array_equal(samples.values[place], np.array(expected, np.float32), equal_nan=True)
            assert samples.blinds[row] == beaten
            assert samples.rewards[row] == max(0, after.chips - before.chips)
            beaten += decision.action.kind == "play" and after.phase == "round_eval"
        last = played[-1].after
        assert (game.result, game.ante, game.round, game.blinds) == ("loss", last.ante, last.round, beaten)


def test_both_forms_hold_the_same(folder: Path) -> None:
    assert_same(read_samples([folder / "greedy.parquet"]), read_samples([folder / "greedy.jsonl"]))


def test_lines_with_public_states_are_read_without_playing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled_out(folder / "plain.jsonl", agent="random", games=5)
    plain = read_samples([folder / "plain.jsonl"])
    monkeypatch.delattr(Run, "step")
    assert_same(plain, read_samples([folder / "raw.jsonl"]))
    with pytest.raises(AttributeError):
        read_samples([folder / "plain.jsonl"])


def test_samples_are_taken_and_joined(folder: Path) -> None:
    one, other = read_samples([folder / "greedy.parquet"]), read_samples([folder / "random.parquet"])
    both = read_samples([folder / "greedy.parquet", folder / "random.parquet"])
    assert (len(both), both.played) == (len(one) + len(other), one.played + other.played)
    back = both.take(np.arange(len(one), len(both)))
    assert np.array_equal(back.games, other.games + 3)
    assert back.observations.tobytes() == other.observations.tobytes()
    mixed = both.take([len(one) + 2, 1, 1])
    assert mixed.observations.tobytes() == b"".join(
        part[i : i + 1].tobytes() for part, i in ((other.observations, 2), (one.observations, 1), (one.observations, 1))
    )
    sizes = [other.starts[3] - other.starts[2], one.starts[2] - one.starts[1], one.starts[2] - one.starts[1]]
    assert np.diff(mixed.starts).tolist() == sizes
    assert np.array_equal(mixed.candidate_rows[-sizes[-1] :], one.candidate_rows[one.starts[1] : one.starts[2]])
    assert len(both.take([])) == 0
    assert repr(one) == f"<Samples: {len(one)} decisions of 3 games>"


def test_rearranging_is_no_candidate_and_unknown_values_are_none() -> None:
    collector = RecordBuffer(GameRows())
    rollout = Rollout(SimBackend(), [collector])
    rollout.start(seed="MOVES")
    rollout.take(Decision(Action("select_blind")))
    rollout.take(Decision(Action("sort_hand_by_suit")))
    rollout.take(Decision(Action("move_card", 0, 3)))
    rollout.take(Decision(Action("play", cards=[0])))
    ante = {"ante": 1, "round": 1, "blinds": 0}
    collector.games.end(
        Game(seed="MOVES", deck="b_red", stake="stake_white", agent="me", nonce=0, result="open", steps=4, **ante)
    )
    rows = collector.gathered()
    assert rows is not None
    assert rows.samples.chosen.tolist()[1:3] == [-1, -1]
    assert rows.samples.chosen[0] >= 0
    assert np.isnan(rows.samples.values).all()


def test_a_game_that_did_not_end_is_dropped() -> None:
    collector = RecordBuffer(GameRows())
    rollout = Rollout(SimBackend(), [collector])
    for _ in range(2):
        rollout.start(seed="DROPPED")
        rollout.take(Decision(Action("select_blind")))
    assert len(collector) == 0
    assert collector.gathered() is None


@pytest.mark.parametrize(
    ("paths", "sentence"),
    [
        ([], "No file with decisions was named."),
        (["none.parquet"], r"none\.parquet cannot be read: No such file or directory\."),
        (["none.jsonl"], r"none\.jsonl cannot be read: No such file or directory\."),
        (["games.csv"], r"games\.csv ends neither in \.jsonl nor in \.parquet\."),
    ],
)
def test_what_is_no_file_of_decisions_is_refused(paths: list[str], sentence: str) -> None:
    with pytest.raises(BadData, match=sentence):
        read_samples([Path(path) for path in paths])
