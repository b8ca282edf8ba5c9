"""Environments that threads share, and environments that have been closed."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError

from jimbo.engine import Batch, BatchArrays, Run
from jimbo.env import RunEnv, RunVectorEnv

THREADS = 4
STEPS = 120
ROWS = 24


def together(*work: Callable[[], Any]) -> list[Any]:
    """What comes of it in threads of their own, all at once."""
    with ThreadPoolExecutor(len(work)) as pool:
        return [future.result() for future in [pool.submit(one) for one in work]]


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_that_step_one_vector_wait_for_one_another(threads: int) -> None:
    env = RunVectorEnv(ROWS, threads=threads, max_steps=0, max_ante=None, autoreset_mode="Disabled")
    env.reset(seed=1)

    def steps() -> None:
        for _ in range(STEPS):
            env.step(np.full(ROWS, -1))  # refused: nothing but the count changes

    together(*[steps] * THREADS)
    _, _, _, _, info = env.step(np.full(ROWS, -1))
    assert info["illegal"].tolist() == [THREADS * STEPS + 1] * ROWS


def test_other_threads_may_reset_look_and_close() -> None:
    env = RunVectorEnv(ROWS, threads=2)
    env.reset(seed=1)

    def play() -> int:
        for step in range(10_000):
            try:
                env.step(env.sample_actions(step))
            except ClosedEnvironmentError:
                return step
        return 10_000

    def disturb() -> None:
        for seed in range(20):
            env.reset(seed=seed)
            env.restore(env.snapshot())
            assert isinstance(env.run(seed % ROWS), Run)
        env.close()

    *steps, _ = together(play, play, disturb)
    assert max(steps) < 10_000


def test_threads_that_use_one_batch_wait_for_one_another() -> None:
    batch = Batch(ROWS, threads=2)
    arrays = BatchArrays.for_batch(batch)
    batch.bind(**arrays.as_arguments())
    batch.reset()

    def steps() -> None:
        for _ in range(STEPS):
            batch.step(np.full(ROWS, -1, np.int32))
            batch.snapshot()

    together(*[steps] * THREADS)
    assert arrays.stats["illegal"].tolist() == [THREADS * STEPS] * ROWS


def test_a_single_environment_may_be_shared_too() -> None:
    env = RunEnv()
    env.reset(seed=1)
    together(*[lambda: [env.step(-1) for _ in range(STEPS)]] * THREADS)
    assert env.step(-1)[4]["illegal"] == THREADS * STEPS + 1


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


@pytest.mark.parametrize("make", [RunEnv, lambda: RunVectorEnv(2)])
def test_environments_are_pickled_as_before(make: Callable[[], Any]) -> None:
    env = make()
    env.reset(seed=1)
    again = pickle.loads(pickle.dumps(env))
    assert (again.action_masks() == env.action_masks()).all()
