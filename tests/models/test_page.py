"""docs/networks.md says what the code does."""

import re
from pathlib import Path

import pytest

from jimbo.models import BLINDS_AHEAD, SIZES
from jimbo.models.outputs import OUTPUT_NAMES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "networks.md").read_text(encoding="utf-8")


def test_the_sizes_are_those_of_the_code() -> None:
    network = pytest.importorskip("jimbo.models.network")
    for name, config in SIZES.items():
        weights = sum(weight.numel() for weight in network.EntityNetwork(config).parameters())
        assert f"| {name} | {config.width} | {config.layers} | {weights:,} |" in PAGE


def test_the_outputs_are_those_of_the_code() -> None:
    named = re.findall(r"^\| `(\w+)` \| \[batch", PAGE, re.MULTILINE)
    assert tuple(named) == OUTPUT_NAMES
    assert f"| `clear` | [batch, {BLINDS_AHEAD}] |" in PAGE


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnxruntime")
    example = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert example
    exec(example[1], {})
    assert re.fullmatch(r"Action\('\w+'\) wins with \d+%\n", capsys.readouterr().out)
