"""Games of a Parquet file, played again by what was done in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from jimbo.data.samples import BadData
from jimbo.engine import Action, Run
from jimbo.rollout.runner import RolloutPlan, roll_out

parquet = pytest.importorskip("jimbo.data.parquet")


def test_every_game_goes_as_it_was_recorded(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    roll_out(RolloutPlan(agent="random", games=7, format="parquet"), path)
    games = list(parquet.iter_played(path))
    assert [played.game.number for played in games] == list(range(7))
    for played in games:
        game = played.game
        run, scored = Run(deck=game.deck, stake=game.stake, seed=game.seed), 0.0
        assert len(played.moves) == game.steps
        for kind, index, to, cards in played.moves:
            before = run.chips
            run.step(Action(kind, index=index, to=to, cards=cards))
            scored += max(0.0, run.chips - before)
        assert (run.ante, run.round) == (game.ante, game.round)
        assert played.score == pytest.approx(scored)


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(BadData, match=r"games\.parquet cannot be read"):
        next(parquet.iter_played(path))
