"""Many runs: over processes, stopped and resumed."""

import errno
from dataclasses import replace
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from jimbo.agents.baselines import GreedyAgent
from jimbo.eval import Episode, Evaluation, Settings, Store, evaluate, read_rows, seed_set
from jimbo.eval.runner import evaluate_all
from jimbo.eval.summary import summarize

SETTINGS = Settings(agent="greedy", seeds=seed_set("dev-100", 6))


def timeless(evaluation: Evaluation) -> list[Episode]:
    """The rows without what differs from machine to machine."""
    return [row.without_times() for row in evaluation.episodes]


@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_two_workers_play_as_one(agent: str) -> None:
    settings = replace(SETTINGS, agent=agent)
    one, two = evaluate(settings, workers=1), evaluate(settings, workers=2)
    assert timeless(one) == timeless(two)
    assert [row.seed for row in two.episodes] == list(settings.seeds.seeds)


def test_nonces_know_nothing_of_seeds() -> None:
    other_seeds = replace(SETTINGS, seeds=seed_set("dev-1000", 6))
    assert [SETTINGS.nonce(i) for i in range(6)] == [other_seeds.nonce(i) for i in range(6)]
    assert SETTINGS.nonce(0) != SETTINGS.nonce(1)
    assert SETTINGS.nonce(0) != replace(SETTINGS, agent_number=1).nonce(0)
    assert 0 <= SETTINGS.nonce(0) < 2**63


def test_each_run_is_played_with_its_nonce(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(GreedyAgent, "reset", lambda _, nonce: given.append(nonce), raising=False)
    done = evaluate(replace(SETTINGS, seeds=seed_set("dev-100", 3)), workers=1)
    assert [row.nonce for row in done.episodes] == given == [SETTINGS.nonce(i) for i in range(3)]


def test_a_stopped_evaluation_goes_on(tmp_path: Path) -> None:
    seen: list[str] = []

    def stop_after_two(row: Episode) -> None:
        seen.append(row.seed)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with Store(tmp_path / "deep" / "folder") as store:
        first = evaluate(SETTINGS, workers=1, store=store, progress=stop_after_two)
        assert (first.stopped, len(first.episodes)) == (True, 2)
        seen.clear()
        second = evaluate(SETTINGS, workers=1, store=store, progress=lambda row: seen.append(row.seed))
    assert seen == list(SETTINGS.seeds.seeds[2:])
    assert (second.stopped, second.resumed) == (False, 2)
    assert timeless(second) == timeless(evaluate(SETTINGS, workers=1))
    assert sorted(read_rows(store.rows_path), key=lambda row: row.episode_id) == list(second.episodes)


def test_a_store_that_keeps_nobody_out_is_not_written_to(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="inside a with"):
        evaluate(SETTINGS, workers=1, store=Store(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_challenge_brings_its_deck() -> None:
    settings = Settings(agent="greedy", seeds=seed_set("dev-100", 1), challenge="c_five_card_1")
    (row,) = evaluate(settings, workers=1).episodes
    assert settings.deck == row.deck == settings.to_data()["deck"] == "b_challenge"
    assert row.challenge == settings.to_data()["challenge"] == "c_five_card_1"
    assert row.steps != evaluate(replace(SETTINGS, seeds=settings.seeds), workers=1).episodes[0].steps


def test_work_that_cannot_be_done_ends_the_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more_processes(self: SpawnProcess) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(SpawnProcess, "start", no_more_processes)
    result = evaluate(SETTINGS, workers=2)
    assert result.trouble == "A worker process cannot be started: Resource temporarily unavailable."
    assert result.episodes == ()


def test_several_evaluations_by_the_same_processes_are_those_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(GreedyAgent, "__init__", lambda _: made.append(1))
    plans = [replace(SETTINGS, seeds=seed_set("dev-100", 2), deck=deck) for deck in ("b_red", "b_plasma")]
    plans.append(replace(plans[0], agent="random"))
    together = evaluate_all(plans, workers=1, stores=[None] * 3)
    assert len(made) == 1
    assert [timeless(each) for each in together] == [timeless(evaluate(plan, workers=1)) for plan in plans]
    assert [each.settings for each in together] == plans


def test_two_workers_play_several_evaluations_as_one() -> None:
    plans = [replace(SETTINGS, seeds=seed_set("dev-100", 3), stake=stake) for stake in ("stake_white", "stake_gold")]
    one, two = (evaluate_all(plans, workers=workers, stores=[None] * 2) for workers in (1, 2))
    assert [timeless(each) for each in one] == [timeless(each) for each in two]


@pytest.mark.parametrize("agent", ["Hanging", "Deaf"])
def test_a_game_over_its_limit_is_kept_and_counted(agent: str, tmp_path: Path) -> None:
    settings = replace(SETTINGS, agent=f"rollout.misbehaving:{agent}", seeds=seed_set("dev-100", 4))
    with Store(tmp_path) as store:
        found = evaluate(settings, workers=1, store=store, timeout=1.0)
        assert found.trouble == ""
        assert evaluate(settings, workers=2, store=store, timeout=1.0).resumed == 4
    late = [row for row in found.episodes if row.failure_reason == "time_limit"]
    assert [row.episode_id for row in late] == [place for place in range(4) if settings.nonce(place) % 3 == 0]
    assert {(row.result, row.error) for row in late} == {("open", "it took more than 1 second")}
    assert summarize(found.episodes).failures["time_limit"] == len(late) == summarize(found.episodes).errors
    assert sorted(read_rows(tmp_path / "episodes.jsonl"), key=lambda row: row.episode_id) == list(found.episodes)
