"""The optional input of what the knowledge graph says of the jokers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from jimbo.models.checkpoint import SIZES, load_network, save_network  # noqa: E402
from jimbo.models.graph_embedding import DIM, joker_table  # noqa: E402
from jimbo.models.network import EntityNetwork, GraphInput  # noqa: E402


def test_it_is_the_mean_of_the_jokers_that_are_there() -> None:
    graph = GraphInput(DIM, 8)
    table = torch.from_numpy(joker_table())
    ids = torch.zeros(3, 4, 5, dtype=torch.uint8)
    ids[1, :2, graph.column] = torch.tensor([7, 150])
    given = torch.stack([torch.zeros(DIM), (table[7] + table[150]) / 2, torch.zeros(DIM)])
    assert torch.allclose(graph(ids), graph.out(given))
    assert torch.equal(graph(ids, torch.ones(3, DIM)), graph.out(torch.ones(3, DIM)))


def test_another_width_is_an_input_of_its_own() -> None:
    assert not GraphInput(16, 8).table.any()
    assert not any("graph" in name for name in EntityNetwork(SIZES["tiny"]).state_dict())


def test_a_network_keeps_the_numbers_it_learnt_with(tmp_path: Path) -> None:
    network = EntityNetwork(replace(SIZES["tiny"], graph_dim=DIM))
    assert network.graph is not None
    network.graph.table.fill_(0.25)
    save_network(network, tmp_path / "net", {})
    read, card = load_network(tmp_path / "net.safetensors")
    assert read.graph is not None
    assert (read.graph.table == 0.25).all()
    assert card["config"]["graph_dim"] == DIM
