"""One Ray for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from rllib.small import TINY, WITH_RUNNER

pytest.importorskip("ray", reason="make rllib-test runs these in an environment of their own")

from jimbo.rollout.ray_cluster import ray_cluster


@pytest.fixture(scope="session", autouse=True)
def _found_by_workers() -> Iterator[None]:
    """Processes that Ray starts import what the tests send them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
        yield


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with ray_cluster("local", memory_gb=2) as found:
        yield found


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY))
    return path


@pytest.fixture(scope="session")
def with_runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "with_runner.yaml"
    path.write_text(yaml.safe_dump(WITH_RUNNER))
    return path
