"""The code of docs/environments.md runs."""

import re
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


def test_the_examples_run_one_after_another() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 6
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    envs, elsewhere = names["envs"], names["elsewhere"]
    assert len(set(names["gains"])) == 3  # type: ignore[call-overload]
    for step in range(5):
        actions = envs.unwrapped.sample_actions(step)  # type: ignore[attr-defined]
        here, there = envs.step(actions), elsewhere.step(actions)  # type: ignore[attr-defined]
        assert all(np.array_equal(here[0][name], there[0][name]) for name in here[0])
        assert np.array_equal(here[1], there[1])
