"""The expert's constants, made again from games of its own: play varied games, fit, write.

``jimbo train expert-v1`` does it all. ``games`` plays and keeps, ``watching`` and ``variation`` say what a game is and
leaves behind; ``fit`` goes from games to constants by way of ``growth``, ``clearing`` and ``packs``, which take the
expert's formula from ``formula``; ``report``, ``tables`` and ``writing`` tell what came of it.
"""

from jimbo.train.expert_constants.fit import Fit, fit
from jimbo.train.expert_constants.games import GameFolder, Plan, play_games
from jimbo.train.expert_constants.lines import Game, read_games
from jimbo.train.expert_constants.report import Origin, report_data
from jimbo.train.expert_constants.tables import result
from jimbo.train.expert_constants.writing import constants_text

__all__ = [
    "Fit",
    "Game",
    "GameFolder",
    "Origin",
    "Plan",
    "constants_text",
    "fit",
    "play_games",
    "read_games",
    "report_data",
    "result",
]
