"""A cluster of two machines, both of them here: training, and games that equal those of one machine."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray", reason="make rllib-test runs these in an environment of their own")

from ray.cluster_utils import Cluster

from jimbo.data.samples import Game, read_samples
from jimbo.rollout.pool import Lost
from jimbo.rollout.ray_cluster import ray_cluster
from jimbo.rollout.ray_pool import run_tasks_on_ray
from rllib.small import jimbo


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Its address. Each machine has one core, so that two workers are on two machines."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made.address
    made.shutdown()


@pytest.fixture(scope="module")
def ray(cluster: str) -> Iterator[Any]:
    with ray_cluster(cluster) as found:
        yield found


class WhereAmI:
    """Tells on which machine it is, and ends its process the first time some tasks come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, task: int) -> tuple[int, str]:
        import ray

        seen = self._folder / str(task)
        if task % 4 == 1 and not seen.exists():
            seen.touch()
            os._exit(9)
        if task == 100:
            os._exit(9)
        return 2 * task, ray.get_runtime_context().get_node_id()


def by_seed(path: Path) -> dict[str, Any]:
    samples = read_samples([path])
    found: dict[str, Any] = {}
    for place, game in enumerate(samples.played):
        part = samples.take((samples.games == place).nonzero()[0])
        found[game.seed] = (game, part.chosen.tolist(), part.rewards.tolist(), part.observations.tobytes())
    return found


def test_both_machines_work_and_a_killed_worker_costs_nothing(ray: Any, tmp_path: Path) -> None:
    found = dict(run_tasks_on_ray(ray, WhereAmI(tmp_path), range(12), 1000, tries=2))
    assert {task: result[0] for task, result in found.items()} == {task: 2 * task for task in range(12)}
    assert len({result[1] for result in found.values()}) == 2


def test_a_task_that_always_dies_is_given_up(ray: Any, tmp_path: Path) -> None:
    found = dict(run_tasks_on_ray(ray, WhereAmI(tmp_path), [100, 2], 2, tries=2))
    assert isinstance(found[100], Lost)
    assert found[2][0] == 4


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_games_of_a_cluster_equal_those_of_one_machine(ray: Any, form: str, tmp_path: Path) -> None:
    ends = ("--agent", "greedy", "--episodes", 6)
    for engine in ("local", "ray"):
        result = jimbo("rollout", "--engine", engine, *ends, "--workers", 2, "--out", tmp_path / f"{engine}.{form}")
        assert result.exit_code == 0, result.stderr
        assert "6 games played" in result.stdout
    here, there = (by_seed(tmp_path / f"{engine}.{form}") for engine in ("local", "ray"))
    assert len(here) == 6
    assert all(isinstance(game, Game) for game, *_ in here.values())
    assert here == there


def test_a_cluster_trains(ray: Any, with_runner: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = jimbo("train", "rllib", "--config", with_runner, "--iterations", 2, "--out-dir", out)
    assert result.exit_code == 0, result.stderr
    assert (out / "best.onnx").is_file()


def test_no_cluster_at_the_address_is_a_sentence() -> None:
    import ray as library

    library.shutdown()
    result = jimbo("rollout", "--engine", "ray", "--address", "127.0.0.1:1", "--out", "x.jsonl")
    assert result.exit_code == 2
    assert "There is no Ray cluster at 127.0.0.1:1. Start one there with ray start --head" in result.stderr
    refused = jimbo("rollout", "--address", "auto", "--out", "x.jsonl")
    assert (refused.exit_code, "add --engine ray" in refused.stderr) == (2, True)
