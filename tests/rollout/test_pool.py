"""Work spread over processes: deaths, tasks that take too long, second tries."""

import os
import time
from pathlib import Path

import pytest

from jimbo.rollout.pool import WorkFailed, lost_with, run_tasks, worker_number
from rollout.tasks import DiesOnce, dies_while_it_speaks, hangs_deaf, hangs_up, number_of, sleep_or_double


def test_tasks_are_spread() -> None:
    assert sorted(run_tasks(abs, [-3, -2, -1], 2)) == [(-3, 3), (-2, 2), (-1, 1)]


def test_a_task_outlives_the_death_of_its_process() -> None:
    assert dict(run_tasks(os._exit, [3], 1)) == {3: lost_with(3, None, 1)}


def test_processes_that_only_die_are_given_up() -> None:
    with pytest.raises(WorkFailed, match=r"3 worker processes in a row have .* exit code is 3"):
        list(run_tasks(os._exit, [3] * 5, 1))


def test_a_process_may_die_in_the_middle_of_its_result() -> None:
    results = dict(run_tasks(dies_while_it_speaks, [1, 2, 3], 1))
    assert results == {1: 1, 2: lost_with(9, None, 1), 3: 3}


def test_workers_know_their_numbers() -> None:
    numbers = {number for _, number in run_tasks(number_of, range(6), 2)}
    assert numbers <= {0, 1}
    assert worker_number() == 0


def test_a_task_that_takes_too_long_is_ended_and_the_others_go_on() -> None:
    began = time.monotonic()
    results = dict(run_tasks(sleep_or_double, [1, 2, 3, 4, 5], 2, timeout=0.5))
    assert results == {1: 2, 2: 4, 3: lost_with(-9, 0.5, 1), 4: 8, 5: 10}
    assert time.monotonic() - began < 30


def test_a_process_that_hears_no_signal_is_ended_all_the_same() -> None:
    results = run_tasks(hangs_deaf, [1, 2], 1)
    assert next(results) == (1, 1)
    began = time.monotonic()
    results.close()
    assert time.monotonic() - began < 15


def test_a_process_that_hangs_up_and_lives_on_is_ended() -> None:
    began = time.monotonic()
    assert dict(run_tasks(hangs_up, [1], 1)) == {1: lost_with(-9, None, 1)}
    assert time.monotonic() - began < 15


def test_a_task_is_tried_again(tmp_path: Path) -> None:
    assert sorted(run_tasks(DiesOnce(tmp_path), range(3), 2, tries=2)) == [(n, n) for n in range(3)]


def test_only_so_many_times() -> None:
    assert dict(run_tasks(os._exit, [3], 1, tries=2)) == {3: lost_with(3, None, 2)}
