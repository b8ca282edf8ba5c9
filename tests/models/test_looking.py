"""Shorter ways to the same numbers: heads that look together, ids that are counted, a last round for some tokens."""

import pytest

torch = pytest.importorskip("torch")
from jimbo.models import NetworkConfig, network  # noqa: E402


def _inputs(length: int, wanted: int, width: int = 32):
    torch.manual_seed(length)
    tokens = torch.randn(6, length, 3 * width, requires_grad=True)
    query, key, value = tokens.chunk(3, dim=-1)
    there = torch.arange(length) < torch.tensor([1, 2, length, length, 3, length])[:, None]
    hidden = torch.zeros(6, length).masked_fill(~there, network.NOWHERE)[:, None, None, :]
    return tokens, (query[:, :wanted], key, value, hidden)


@pytest.mark.parametrize(("heads", "length", "wanted"), [(2, 9, 9), (2, 14, 3), (4, 5, 5), (1, 30, 1)])
def test_heads_that_look_together_see_the_same(heads: int, length: int, wanted: int, monkeypatch: pytest.MonkeyPatch):
    tokens, given = _inputs(length, wanted)
    together = network._looked_together(*given, heads)
    monkeypatch.setattr(network, "_FEW_PAIRS", 0)
    apart = network._looked(*given, heads)
    assert together.shape == apart.shape == (6, wanted, 32)
    assert torch.allclose(together, apart, atol=1e-5)
    way = torch.randn_like(apart)
    one, other = (torch.autograd.grad(found, tokens, way, retain_graph=True)[0] for found in (together, apart))
    assert torch.allclose(one, other, atol=1e-5)


def test_a_round_for_the_first_tokens_is_the_whole_round_for_them():
    torch.manual_seed(1)
    layer = network.Layer(NetworkConfig(width=32, heads=2, layers=1))
    x, hidden = torch.randn(4, 11, 32), torch.zeros(4, 1, 1, 11)
    hidden[1, ..., 5:] = network.NOWHERE
    assert torch.allclose(layer(x, hidden, 4), layer(x, hidden, 11)[:, :4], atol=1e-5)


def test_counting_ids_gives_the_same_sums_and_gradients():
    """Two columns share a part of the table; the same id can come twice."""
    torch.manual_seed(1)
    table = torch.nn.Embedding(40, 8)
    summed = network._Summed([10, 0, 10], [20, 5, 20])
    ids = torch.tensor([[[3, 4, 3], [0, 0, 19]], [[7, 1, 2], [19, 2, 0]]], dtype=torch.uint8)
    assert summed.few
    counted = summed(table, ids)
    with torch.no_grad():
        added = summed(table, ids)
    assert torch.allclose(counted, added, atol=1e-6)
    way = torch.randn_like(added)
    plain = torch.sum(table(ids.long() + summed.offsets), dim=-2)
    one, other = (torch.autograd.grad(found, table.weight, way)[0] for found in (counted, plain))
    assert torch.allclose(one, other, atol=1e-5)
