"""The observation as the bytes that networks read."""

import numpy as np
import pytest

from env.playing import assert_equal, play_episode
from jimbo.engine import candidate_fields, observation_dtype, observation_fields
from jimbo.env import RunEnv

END = max(field.offset + np.dtype((field.dtype, field.shape)).itemsize for field in observation_fields())


@pytest.mark.parametrize("actions", ["steps", "candidates"])
def test_the_bytes_are_the_fields(actions: str) -> None:
    seen = []
    for layout in ("fields", "packed"):
        env = RunEnv(actions=actions, observation=layout, candidates=30, deck="b_magic")
        first, _ = env.reset(seed=5)
        seen.append([first, *(step[0] for step in play_episode(env, np.random.default_rng(5)))])
    assert len(seen[0]) > 5
    for fields, packed in zip(*seen, strict=True):
        assert not packed["observation"][END:].any()
        structure = packed["observation"].view(observation_dtype())[0]
        for field in observation_fields():
            assert np.array_equal(np.ravel(structure[field.name]), fields[field.name])
        for name in set(fields) & {"candidate_ids", "candidate_rows", "action_mask"}:
            assert np.array_equal(packed[name], fields[name])
    assert_equal(set(packed) - {"observation"}, set(fields) - {field.name for field in observation_fields()})


def test_the_space_names_what_a_network_takes() -> None:
    space = RunEnv(actions="candidates", observation="packed", candidates=30).observation_space
    ids = sum(field.is_id for field in candidate_fields())
    shapes = {name: (box.dtype, box.shape) for name, box in space.items()}  # type: ignore[attr-defined]
    assert shapes == {
        "observation": (np.uint8, (observation_dtype().itemsize,)),
        "candidate_ids": (np.uint8, (30, ids)),
        "candidate_rows": (np.float32, (30, len(candidate_fields()) - ids)),
        "action_mask": (np.int8, (30,)),
    }
