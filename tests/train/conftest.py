"""A few games that the expert really played, as badly as it can."""

from pathlib import Path

import pytest

from jimbo.train.expert_constants import Game, GameFolder, Plan, play_games

GAMES = 10


@pytest.fixture(scope="session")
def plan() -> Plan:
    return Plan(GAMES, effort=0.001, stake="stake_gold")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, plan: Plan) -> Path:
    """The folder; tests copy it before they change anything."""
    path = tmp_path_factory.mktemp("expert") / "games"
    with GameFolder(path) as folder:
        assert not folder.open(plan)
        assert len(play_games(plan, folder, workers=1).games) == GAMES
    return path


@pytest.fixture(scope="session")
def games(played: Path, plan: Plan) -> list[Game]:
    with GameFolder(played) as folder:
        return folder.open(plan)
