"""Many runs: over processes, stopped and gone on with."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from jimbo.eval import Episode, Evaluation, Settings, Store, evaluate, read_rows, seed_set
from jimbo.eval.pool import Died, run_tasks

SETTINGS = Settings(agent="greedy", seeds=seed_set("dev-100", 6))


def timeless(evaluation: Evaluation) -> list[Episode]:
    """The rows without what differs from machine to machine."""
    return [replace(row, seconds=0.0, decision_ms=0.0, hand_ms=0.0, macro_ms=0.0) for row in evaluation.episodes]


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


def test_a_stopped_evaluation_goes_on(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "folder")
    seen: list[str] = []

    def stop_after_two(row: Episode) -> None:
        seen.append(row.seed)
        if len(seen) == 2:
            raise KeyboardInterrupt

    first = evaluate(SETTINGS, workers=1, store=store, progress=stop_after_two)
    assert (first.stopped, len(first.episodes)) == (True, 2)
    with store.rows_path.open("a") as file:
        file.write('{"episode_id": 2, "seed"')  # killed while it wrote
    seen.clear()
    second = evaluate(SETTINGS, workers=1, store=store, progress=lambda row: seen.append(row.seed))
    assert seen == list(SETTINGS.seeds.seeds[2:])
    assert (second.stopped, second.resumed) == (False, 2)
    assert timeless(second) == timeless(evaluate(SETTINGS, workers=1))
    assert sorted(read_rows(store.rows_path), key=lambda row: row.episode_id) == list(second.episodes)


def test_other_settings_are_refused(tmp_path: Path) -> None:
    few = replace(SETTINGS, seeds=seed_set("dev-100", 1))
    evaluate(few, workers=1, store=Store(tmp_path))
    with pytest.raises(ValueError, match=r"other settings \(stake\)"):
        evaluate(replace(few, stake="stake_gold"), workers=1, store=Store(tmp_path))
    with pytest.raises(ValueError, match="other settings"):
        evaluate(SETTINGS, workers=1, store=Store(tmp_path))


def test_foreign_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").write_text("mine\n")
    with pytest.raises(ValueError, match=r"without its config\.json"):
        Store(tmp_path).open(SETTINGS.to_data())
    (tmp_path / "config.json").write_text("[1]")
    with pytest.raises(ValueError, match="holds no settings"):
        Store(tmp_path).open(SETTINGS.to_data())
    with pytest.raises(ValueError, match="cannot be used"):
        Store(tmp_path / "episodes.jsonl" / "below").open(SETTINGS.to_data())


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    evaluate(replace(SETTINGS, seeds=seed_set("dev-100", 1)), workers=1, store=store)
    with store.rows_path.open("a") as file:
        file.write("{}\n")
    with pytest.raises(ValueError, match=r"episodes\.jsonl, line 2"):
        read_rows(store.rows_path)


def test_a_task_outlives_the_death_of_its_process() -> None:
    assert dict(run_tasks(os._exit, [3], 1)) == {3: Died(3)}


def test_processes_that_only_die_are_given_up() -> None:
    with pytest.raises(RuntimeError, match="3 worker processes in a row"):
        list(run_tasks(os._exit, [3] * 5, 1))


def test_tasks_are_spread() -> None:
    assert sorted(run_tasks(abs, [-3, -2, -1], 2)) == [(-3, 3), (-2, 2), (-1, 1)]
