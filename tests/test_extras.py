"""Packages that are missing are named with the extra that brings them."""

import subprocess
import sys

import pytest

from jimbo.extras import require


def import_without(package: str, module: str) -> str:
    """What importing a module says when a package is not installed."""
    code = f"import sys; sys.modules[{package!r}] = None\nimport {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("package", "module", "extra"),
    [
        ("gymnasium", "jimbo.env", "env"),
        ("mcp", "jimbo.serve.mcp", "mcp"),
        ("stable_baselines3", "jimbo.env.sb3", "train"),
        ("httpx2", "jimbo.llm.client;jimbo.llm.client.make_client('openai', 'm')", "llm"),
        ("anthropic", "jimbo.llm.client;jimbo.llm.client.make_client('anthropic', 'm', 'http://127.0.0.1')", "llm"),
        ("ray", "jimbo.training.callbacks", "rllib"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(package: str, module: str, extra: str) -> None:
    said = f'jimbo.extras.MissingPackage: {package} is not installed: pip install ".[{extra}]" in a clone of Jimbo'
    assert import_without(package, module) == said


def test_a_module_that_is_there_is_given() -> None:
    assert require("json", "env").dumps([1]) == "[1]"


def test_a_part_of_a_missing_package_names_the_package() -> None:
    with pytest.raises(ImportError, match=r'no_such_package is not installed: pip install "\.\[train\]"'):
        require("no_such_package.part", "train")
