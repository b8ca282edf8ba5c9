"""Environments that several threads use at once, and environments that have been closed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError

from jimbo.engine import Batch, BatchArrays
from jimbo.env import RunEnv, RunVectorEnv

ROWS = 64
CALLS = 3_000
REFUSAL = "another thread is using this batch or environment"


def refusals(*calls: Callable[[], Any]) -> list[str]:
    """What is said to threads of which each makes one of the calls over and over, until one is refused."""
    said: list[str] = []

    def repeat(call: Callable[[], Any]) -> None:
        for _ in range(CALLS):
            if said:
                break
            try:
                call()
            except RuntimeError as error:
                said.append(str(error))

    with ThreadPoolExecutor(len(calls)) as pool:
        list(pool.map(repeat, calls))
    return said


OTHERS: dict[str, Callable[[RunVectorEnv], Any]] = {
    "step": lambda env: env.step(env.action_space.sample()),
    "reset": lambda env: env.reset(seed=1),
    "snapshot": lambda env: env.snapshot(),
    "run": lambda env: env.run(0),
    "sample": lambda env: env.sample_actions(1),
}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_two_threads_in_one_vector_are_refused(other: Callable[[RunVectorEnv], Any], threads: int) -> None:
    """They crashed the process."""
    env = RunVectorEnv(ROWS, threads=threads, actions="candidates")
    env.reset(seed=1)
    assert REFUSAL in refusals(lambda: env.step(np.zeros(ROWS, np.int32)), lambda: other(env))[0]
    env.reset(seed=2)
    assert env.step(np.zeros(ROWS, np.int32))[1].shape == (ROWS,)


def test_two_threads_in_one_batch_are_refused() -> None:
    batch = Batch(ROWS)
    batch.bind(**BatchArrays.for_batch(batch).as_arguments())
    batch.reset()
    assert REFUSAL in refusals(*[lambda: batch.step(np.zeros(ROWS, np.int32))] * 2)[0]


def test_another_thread_may_close() -> None:
    env = RunVectorEnv(ROWS)
    env.reset(seed=1)

    def play() -> None:
        while True:
            env.step(np.zeros(ROWS, np.int32))

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play)
        env.close()
        with pytest.raises(ClosedEnvironmentError):
            playing.result(timeout=60)


SINGLE: dict[str, Callable[[RunEnv], Any]] = {
    "reset": lambda env: env.reset(),
    "step": lambda env: env.step(0),
    "render": lambda env: env.render(),
    "masks": lambda env: env.action_masks(),
    "sample": lambda env: env.sample_action(1),
    "result": lambda env: env.result(),
    "run": lambda env: env.run(),
    "snapshot": lambda env: env.snapshot(),
}
MANY: dict[str, Callable[[RunVectorEnv], Any]] = {
    "reset": lambda env: env.reset(),
    "step": lambda env: env.step(np.zeros(2, np.int32)),
    "step_plainly": lambda env: env.step_plainly(np.zeros(2, np.int32)),
    "infos": lambda env: env.plain_infos(),
    "masks": lambda env: env.action_masks(),
    "sample": lambda env: env.sample_actions(1),
    "run": lambda env: env.run(0),
    "snapshot": lambda env: env.snapshot(),
}


@pytest.mark.parametrize("use", SINGLE.values(), ids=SINGLE)
def test_a_closed_environment_says_so(use: Callable[[RunEnv], Any]) -> None:
    env = RunEnv()
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(ClosedEnvironmentError, match=r"^The environment has been closed\. Make a new one\.$"):
        use(env)


@pytest.mark.parametrize("use", MANY.values(), ids=MANY)
def test_a_closed_vector_says_so(use: Callable[[RunVectorEnv], Any]) -> None:
    env = RunVectorEnv(2)
    env.reset(seed=1)
    env.close()
    env.close()
    with pytest.raises(ClosedEnvironmentError, match="has been closed"):
        use(env)


def test_a_closed_environment_of_gymnasium_says_so() -> None:
    env = gymnasium.make("jimbo/Run-v0")
    env.reset(seed=1)
    env.close()
    with pytest.raises(ClosedEnvironmentError):
        env.step(0)


def test_a_closed_environment_can_be_shown_and_pickled() -> None:
    env = RunEnv()
    env.close()
    assert repr(pickle.loads(pickle.dumps(env))) == "<RunEnv that was closed>"
