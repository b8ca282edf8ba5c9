"""stats.json: bounded, whole, and read again after a restart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jimbo.az.stats import Best, MatchRecord, Stats, read_stats, thinned

LOSSES = {"total_loss": 3.0, "value_loss": 1.0, "policy_loss": 2.0}


def evaluation(step: int) -> MatchRecord:
    return MatchRecord(step, 0.7, 0.1, 0.2, 50, 6.5, 1_700_000_000, "random")


def test_the_history_is_dense_at_its_end_and_thin_before() -> None:
    steps = [row["step"] for row in thinned([{"step": step} for step in range(1, 30_001)])]
    assert [step for step in steps if step > 29_000] == list(range(29_001, 30_001))
    assert [step for step in steps if 20_000 < step <= 29_000] == list(range(20_100, 29_001, 100))
    assert [step for step in steps if step <= 20_000] == list(range(500, 20_001, 500))


def test_the_history_stays_small() -> None:
    stats = Stats()
    for step in range(10, 20_001, 10):
        stats.learnt(step, LOSSES, 0.001)
    assert len(stats.history) == 100 + 90 + 20
    assert stats.history[-1] == {"step": 20_000, **LOSSES, "learning_rate": 0.001}


def test_steps_that_are_learnt_again_are_there_once() -> None:
    stats = Stats()
    for step in (10, 20, 30, 20, 30):
        stats.learnt(step, LOSSES, 0.001)
    assert [row["step"] for row in stats.history] == [10, 20, 30]


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    stats = Stats(env_id="tictactoe", best_model=Best(3, 400, 0.6, 1_700_000_000))
    stats.learnt(10, LOSSES, 0.001)
    for step in range(60):
        stats.evaluated(evaluation(step))
    path = tmp_path / "deep" / "stats.json"
    stats.write(path)
    again = read_stats(path, "tictactoe")
    assert again == stats
    assert [found.step for found in again.eval_history] == list(range(10, 60))
    assert again.last_eval == evaluation(59)
    told = json.loads(path.read_text())
    assert {"step", "total_loss", "policy_loss", "value_loss", "learning_rate", "timestamp"} <= told.keys()
    assert {"total_steps", "samples_seen", "replay_buffer_size", "last_checkpoint", "env_id"} <= told.keys()


def test_a_file_of_another_kind_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "stats.json"
    assert read_stats(path, "tictactoe") == Stats()
    path.write_text("[1, 2]")
    with pytest.raises(ValueError, match=r"stats\.json cannot be resumed"):
        read_stats(path, "tictactoe")


def test_stats_of_another_game_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "stats.json"
    Stats(env_id="connect4").write(path)
    with pytest.raises(ValueError, match=r"stats\.json cannot be resumed: it is about connect4"):
        read_stats(path, "tictactoe")
