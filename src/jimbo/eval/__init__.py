"""How well agents play: seeds, runs, statistics and reports.

>>> from jimbo.eval import Settings, evaluate, seed_set, summarize
>>> result = evaluate(Settings(agent="greedy", seeds=seed_set("dev-100", 3)), workers=1)
>>> summarize(result.episodes).games
3
"""

from jimbo.lazy import lazily

_MODULES = {
    "jimbo.eval.episodes": ("play_episode",),
    "jimbo.eval.rows": ("BlindScore", "Episode"),
    "jimbo.eval.runner": ("Evaluation", "Settings", "evaluate"),
    "jimbo.eval.statistics": ("Difference", "Paired", "bootstrap_mean", "compare", "wilson"),
    "jimbo.eval.store": ("Store", "read_rows"),
    "jimbo.eval.summary": ("Summary", "comparison_data", "summarize", "summary_data"),
    "jimbo.seeds.seed_sets": ("SeedSet", "fresh_seeds", "seed_set", "seed_set_names", "train_seeds"),
}
__all__, __getattr__, __dir__ = lazily(__name__, _MODULES)
