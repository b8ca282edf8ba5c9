"""Embeddings: what is held together is alike, and files of them are checked."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from jimbo.knowledge.embedding import DIM, compared, mean_of_held, ppmi_embedding, value_embedding
from jimbo.knowledge.items import ITEMS
from jimbo.models.checkpoint import BadModel
from jimbo.models.graph_embedding import joker_table, read_embedding, write_embedding
from knowledge.planted import EARLY, LATE, planted_games


def test_what_won_runs_hold_together_is_alike() -> None:
    games = planted_games(1500)
    table = ppmi_embedding(games)
    assert table.shape == (len(ITEMS), DIM)
    unit = table / np.maximum(np.linalg.norm(table, axis=1), 1e-9)[:, None]
    alike = unit @ unit.T
    own = [alike[a, b] for a in LATE for b in LATE if a != b]
    other = [alike[a, b] for a in EARLY for b in LATE]
    assert np.mean(own) > np.mean(other) + 0.1
    assert not table[20:].any(), "never held"
    assert (ppmi_embedding(games) == table).all()
    found = compared(games)
    assert found["ppmi"].together > 0.53 > found["none"].together
    assert all(0 < one.outcome < 1 for one in found.values())


def test_no_won_game_is_no_embedding() -> None:
    games = planted_games(30)
    assert not ppmi_embedding(games, np.zeros(len(games.won), np.bool_)).any()


def test_the_value_has_an_embedding_too() -> None:
    table = value_embedding()
    assert table.shape == (len(ITEMS), DIM)
    assert np.isfinite(table).all()
    assert np.abs(table).max() == 1


def test_the_mean_of_the_jokers_of_a_moment() -> None:
    games = planted_games(5)
    table = np.arange(2 * len(ITEMS), dtype=float).reshape(-1, 2)
    means = mean_of_held(table, games)
    for place in [place for place, items in enumerate(games.held) if len(items)][:9]:
        assert means[place] == pytest.approx(table[games.held[place]].mean(axis=0))


def test_the_packages_file_is_whole() -> None:
    items, table, card = read_embedding()
    assert items == ITEMS
    assert table.shape == (len(ITEMS), DIM)
    assert card["games_played"] >= 2_000
    jokers = joker_table()
    assert not jokers[0].any()
    assert (jokers[1] == table[0]).all()


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.safetensors"
    write_embedding(path, ["j_joker", "j_half"], np.ones((2, 4), np.float32), {"method": "by hand"})
    assert read_embedding(path)[2]["method"] == "by hand"
    assert joker_table(path)[1].tolist() == [1.0] * 4
    whole, card = path.read_bytes(), path.with_suffix(".json").read_text()
    path.write_bytes(whole[:-3])
    with pytest.raises(BadModel, match=r"own\.safetensors"):
        read_embedding(path)
    path.write_bytes(whole)
    for change in ({"format": "other"}, {"items": ["j_joker"]}, {"dim": 5}, {"items": 3}):
        path.with_suffix(".json").write_text(json.dumps({**json.loads(card), **change}))
        with pytest.raises(BadModel, match="own"):
            read_embedding(path)
    path.with_suffix(".json").write_text(card)
    write_embedding(path, ["j_joker"], np.full((1, 2), np.nan, np.float32), {})
    with pytest.raises(BadModel, match="not finite"):
        read_embedding(path)
