"""How well agents play: seeds, runs, statistics and reports.

>>> from jimbo.eval import Settings, evaluate, seed_set, summarize
>>> result = evaluate(Settings(agent="greedy", seeds=seed_set("dev-100", 3)), workers=1)
>>> summarize(result.episodes).games
3
"""

from jimbo.eval.episodes import play_episode
from jimbo.eval.rows import BlindScore, Episode
from jimbo.eval.runner import Evaluation, Settings, evaluate
from jimbo.eval.statistics import Difference, Paired, bootstrap_mean, compare, wilson
from jimbo.eval.store import Store, read_rows
from jimbo.eval.summary import Summary, comparison_data, summarize, summary_data
from jimbo.seeds.seed_sets import SeedSet, fresh_seeds, seed_set, seed_set_names, train_seeds

__all__ = [
    "BlindScore",
    "Difference",
    "Episode",
    "Evaluation",
    "Paired",
    "SeedSet",
    "Settings",
    "Store",
    "Summary",
    "bootstrap_mean",
    "compare",
    "comparison_data",
    "evaluate",
    "fresh_seeds",
    "play_episode",
    "read_rows",
    "seed_set",
    "seed_set_names",
    "summarize",
    "summary_data",
    "train_seeds",
    "wilson",
]
