"""Games for learning by self-play, and the search that plays them.

A caller with a network asks for the positions that wait, evaluates them and hands the results back:

>>> import numpy as np
>>> play = SelfPlay("tictactoe", games=2, settings=SearchSettings(simulations=8), seed=1)
>>> while play.episodes == 0:
...     waiting = play.leaves()
...     play.evaluated(np.zeros((len(waiting), 9), np.float32), np.zeros(len(waiting), np.float32))
>>> play.finished().policy.shape[1]
9
"""

from jimbo.engine.az.games import GameSpec, Position, game_spec, game_specs, symmetries
from jimbo.engine.az.search import Finished, Searches, SearchResults, SearchSettings, SelfPlay, TreeSearch
from jimbo.engine.az.solvers import alpha_beta_move, exact_scores, exact_values, opening_positions

__all__ = [
    "Finished",
    "GameSpec",
    "Position",
    "SearchResults",
    "SearchSettings",
    "Searches",
    "SelfPlay",
    "TreeSearch",
    "alpha_beta_move",
    "exact_scores",
    "exact_values",
    "game_spec",
    "game_specs",
    "opening_positions",
    "symmetries",
]
