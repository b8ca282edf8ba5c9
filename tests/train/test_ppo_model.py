"""Decisions in pieces: the same decisions, with little about nothing, and made once."""

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from jimbo.models import config_of  # noqa: E402
from jimbo.models.network import EntityNetwork  # noqa: E402
from jimbo.train import ppo_model  # noqa: E402
from jimbo.train.ppo_games import Games  # noqa: E402
from jimbo.train.ppo_model import Decisions  # noqa: E402
from jimbo.train.settings import RlSettings  # noqa: E402

CPU = torch.device("cpu")
ROWS = 96


@pytest.fixture(scope="module")
def turns() -> list[Decisions]:
    """What games show at different times: blinds, hands, shops and packs."""
    games = Games(RlSettings(rows=ROWS, horizon=8, minibatch=64, candidates=12), threads=1)
    random, found = np.random.default_rng(5), []
    for turn in range(60):
        if turn % 10 == 0:
            found.append(Decisions.shown(games.seen, np.ones(ROWS, np.bool_), CPU))
        drawn = random.random(games.seen.masks.shape) * games.seen.masks
        games.step(drawn.argmax(axis=1).astype(np.int32))
    return found


def logits(decisions: Decisions, indices: Any) -> Any:
    torch.manual_seed(3)
    network = EntityNetwork(config_of("tiny")).eval()
    with torch.inference_mode():
        return network(decisions.inputs(indices)).logits


def test_what_turns_showed_is_joined_as_it_was(turns: list[Decisions]) -> None:
    joined = Decisions.joined(turns)
    assert len(joined) == ROWS * len(turns)
    for number, turn in enumerate(turns):
        ours = logits(joined, np.arange(ROWS) + number * ROWS)
        assert torch.allclose(ours, logits(turn, np.arange(ROWS)), atol=1e-5)


def test_joined_descriptions_are_there_once(turns: list[Decisions]) -> None:
    described = Decisions.joined(turns).given["descriptions"]
    assert len(np.unique(described, axis=0)) == len(described) < sum(len(turn.given["descriptions"]) for turn in turns)


@pytest.mark.parametrize("size", [16, 128, 10_000])
def test_every_decision_is_in_one_piece(turns: list[Decisions], size: int) -> None:
    joined = Decisions.joined(turns)
    chosen = np.random.default_rng(1).permutation(len(joined))[:500]
    pieces = joined.pieces(chosen, size)
    assert sorted(np.concatenate(pieces)) == sorted(chosen)
    assert max(map(len, pieces)) <= size
    few = joined.pieces(chosen[:3], size)
    assert sorted(np.concatenate(few)) == sorted(chosen[:3])


def test_hands_are_not_padded_to_shops(turns: list[Decisions], monkeypatch: pytest.MonkeyPatch) -> None:
    joined = Decisions.joined(turns)
    assert min(map(len, joined.pieces(np.arange(len(joined)), 10_000))) >= ppo_model._FEW
    monkeypatch.setattr(ppo_model, "_FEW", 1)  # random play sees few shops
    pieces = joined.pieces(np.arange(len(joined)), 10_000)
    assert len(pieces) > 1
    shapes = [joined.inputs(piece) for piece in pieces]
    assert any(one["shop_ids"].shape[1] == 0 and one["hand_ids"].shape[1] > 0 for one in shapes)
    assert any(one["hand_ids"].shape[1] == 0 for one in shapes)
