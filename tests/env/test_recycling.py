"""Memory of observations is used again, but never while somebody holds a piece of it."""

import copy
import gc
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from env.playing import assert_equal
from jimbo.engine import observation_dtype
from jimbo.env import RunEnv, RunVectorEnv

Holder = tuple[Any, Callable[[Any], bytes]]
"""Something that is held, and how to read its bytes."""


def memory(array: Any) -> bytes:
    return bytes(np.ascontiguousarray(array).tobytes())


def hold(arrays: dict[str, Any], random: random.Random) -> Holder:
    """One of many ways to keep a piece of an observation."""
    name = random.choice(sorted(arrays))
    ways: list[Callable[[], Holder]] = [
        lambda: (arrays, lambda held: b"".join(memory(held[key]) for key in sorted(held))),
        lambda: (dict(arrays), lambda held: b"".join(memory(held[key]) for key in sorted(held))),
        lambda: (arrays[name], memory),
        lambda: ([arrays[name]], lambda held: memory(held[0])),
        lambda: (arrays[name][..., 1:], memory),
        lambda: (arrays[name][..., ::2][..., 1:], memory),
        lambda: (arrays[name].view(np.uint8) if arrays[name].dtype.itemsize == 1 else arrays[name].T, memory),
        lambda: (memoryview(arrays[name]), lambda held: memory(np.asarray(held))),
        lambda: (memoryview(arrays[name][..., 1:]), lambda held: memory(np.asarray(held))),
        lambda: (iter(arrays[name].flat), lambda held: memory(held.base)),
        lambda: (arrays[name].base, memory),
        lambda: (np.lib.stride_tricks.sliding_window_view(arrays["action_mask"], 2, axis=-1), memory),
    ]
    return random.choice(ways)()


def play(env: RunEnv | RunVectorEnv, random: random.Random, steps: int) -> None:
    """Keeps some pieces for some time, drops others at once, and looks at all after every step."""
    kept: list[tuple[Any, Callable[[Any], bytes], bytes]] = []
    env.reset(seed=random.randrange(1000))
    for number in range(steps):
        if isinstance(env, RunEnv):
            arrays, _, terminated, truncated, _ = env.step(env.sample_action(number))
            if terminated or truncated:
                arrays, _ = env.reset()
        else:
            arrays, *_, info = env.step(env.sample_actions(number))
            if "final_obs" in info and random.random() < 0.5:
                arrays = next(final for final in info["final_obs"] if final is not None)
            del info
        if random.random() < 0.6:
            held, read = hold(arrays, random)
            kept.append((held, read, read(held)))
            del held
        del arrays
        for held, read, before in kept:
            assert read(held) == before, f"changed in step {number}"
            del held
        while kept and random.random() < 0.5:
            kept.pop(random.randrange(len(kept)))


@pytest.mark.parametrize("observation", ["fields", "packed", "flat"])
@pytest.mark.parametrize("actions", ["steps", "candidates", "whole"])
def test_what_somebody_holds_never_changes(actions: str, observation: str) -> None:
    options = {"actions": actions, "observation": observation, "candidates": 12, "max_steps": 25}
    for seed in range(4):
        play(RunEnv(**options), random.Random(seed), 150)
        play(RunVectorEnv(3, autoreset_mode="SameStep", **options), random.Random(seed), 60)


def test_tensors_hold_their_memory() -> None:
    torch = pytest.importorskip("torch")
    env = RunEnv()
    env.reset(seed=1)
    tensors = []
    for number in range(12):
        observation, *_ = env.step(env.sample_action(number))
        tensors.append((torch.from_numpy(observation["action_mask"]), observation["action_mask"].copy()))
        del observation
    for tensor, before in tensors:
        assert np.array_equal(tensor.numpy(), before)


def test_a_structure_holds_its_memory() -> None:
    env = RunEnv(observation="packed")
    observation, _ = env.reset(seed=1)
    row = observation["observation"].view(observation_dtype())[0]
    del observation
    phase = int(row["phase"])
    for number in range(20):
        env.step(env.sample_action(number))
    assert int(row["phase"]) == phase


def test_memory_that_nobody_holds_is_used_again() -> None:
    env = RunEnv()
    env.reset(seed=1)
    places = set()
    for number in range(50):
        observation, *_ = env.step(env.sample_action(number))
        places.add(observation["action_mask"].ctypes.data)
    assert len(places) <= 3


def test_what_is_written_into_an_observation_does_not_come_back() -> None:
    env, other = RunEnv(), RunEnv()
    env.reset(seed=4)
    other.reset(seed=4)
    for number in range(30):
        action = other.sample_action(number)
        changed, kept = env.step(action)[0], other.step(action)[0]
        assert_equal(changed, kept)
        for array in changed.values():
            array[...] = 1
        changed["extra"] = np.zeros(1)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("observation", ["fields", "packed", "flat"])
def test_copies_have_memory_of_their_own(again: Callable[[Any], Any], observation: str) -> None:
    env = RunEnv(observation=observation)
    env.reset(seed=4)
    env.step(env.sample_action(0))
    copied = again(env)
    for number in range(40):
        action = env.sample_action(number)
        ours, theirs = env.step(action), copied.step(action)
        assert_equal(list(ours), list(theirs))
        assert ours[0]["action_mask"].ctypes.data != theirs[0]["action_mask"].ctypes.data
        if ours[2] or ours[3]:
            break


def test_environments_end_with_their_memory() -> None:
    """Nothing holds an environment that is dropped, and what it gave stays."""
    env = RunEnv()
    observation, _ = env.reset(seed=1)
    before = {name: values.copy() for name, values in observation.items()}
    rows = env._rows
    del env
    gc.collect()
    assert len(gc.get_referrers(rows)) <= 1
    del rows
    assert_equal(observation, before)
