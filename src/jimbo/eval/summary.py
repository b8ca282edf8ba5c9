"""The numbers of an evaluation."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any

from jimbo.agents.registry import agent_folder, option_text
from jimbo.engine import BLINDS_PER_ANTE, LAST_ANTE
from jimbo.eval.diagnosis import diagnose
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import Interval, Paired, bootstrap_mean, compare, wilson
from jimbo.eval.store import SCHEMA


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    games: int
    wins: int
    win_rate: float
    ci95: Interval
    """Wilson's, of the win rate."""
    ante1_clear: float
    """Share of runs that got past the first boss."""
    ante1_clear_ci95: Interval
    """Wilson's."""
    ante_clear: tuple[float, ...]
    """Share of runs that got past each ante, 1 to 8."""
    mean_ante: float
    mean_ante_ci95: Interval
    median_ante: float
    mean_round: float
    median_round: float
    mean_round_ci95: Interval
    mean_blinds: float
    """Blinds passed, of 24."""
    ms_per_decision: float
    """Processor time."""
    hand_ms: float
    """During blinds."""
    macro_ms: float
    """Elsewhere."""
    s_per_game: float
    decisions: int
    mean_money: float
    """At the end."""
    best_hand: float
    deaths: dict[str, int]
    """By the key of the blind, most first."""
    failures: dict[str, int]
    """By reason."""
    errors: int
    """Runs in which the agent failed."""

    def __repr__(self) -> str:
        return f"<Summary: {self.wins} of {self.games} runs won, mean ante {self.mean_ante:.2f}>"


def summarize(rows: Sequence[Episode]) -> Summary:
    """ValueError without a run."""
    if not rows:
        raise ValueError("No run has been finished.")
    wins = sum(row.won for row in rows)
    decisions, in_blinds = sum(row.steps for row in rows), sum(row.hand_steps for row in rows)
    ante_clear = ante_clear_rates(rows)
    return Summary(
        games=len(rows),
        wins=wins,
        win_rate=wins / len(rows),
        ci95=wilson(wins, len(rows)),
        ante1_clear=ante_clear[0],
        ante1_clear_ci95=wilson(sum(row.blinds_passed >= BLINDS_PER_ANTE for row in rows), len(rows)),
        ante_clear=ante_clear,
        mean_ante=fmean(row.ante_reached for row in rows),
        mean_ante_ci95=bootstrap_mean([row.ante_reached for row in rows]),
        median_ante=median(row.ante_reached for row in rows),
        mean_round=fmean(row.round for row in rows),
        median_round=median(row.round for row in rows),
        mean_round_ci95=bootstrap_mean([row.round for row in rows]),
        mean_blinds=fmean(row.blinds_passed for row in rows),
        ms_per_decision=sum(row.decision_ms * row.steps for row in rows) / max(1, decisions),
        hand_ms=sum(row.hand_ms * row.hand_steps for row in rows) / max(1, in_blinds),
        macro_ms=sum(row.macro_ms * (row.steps - row.hand_steps) for row in rows) / max(1, decisions - in_blinds),
        s_per_game=fmean(row.seconds for row in rows),
        decisions=decisions,
        mean_money=fmean(row.final_money for row in rows),
        best_hand=max(row.best_hand for row in rows),
        deaths=_most_first(row.death_blind for row in rows if row.death_blind),
        failures=_most_first(row.failure_reason for row in rows if row.failure_reason),
        errors=sum(row.error is not None for row in rows),
    )


def ante_clear_rates(rows: Sequence[Episode]) -> tuple[float, ...]:
    passed = [row.blinds_passed for row in rows]
    return tuple(
        sum(blinds >= ante * BLINDS_PER_ANTE for blinds in passed) / len(rows) for ante in range(1, LAST_ANTE + 1)
    )


def _most_first(keys: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(keys).items(), key=lambda pair: (-pair[1], pair[0])))


def summary_data(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation for machines."""
    settings = evaluation.settings.to_data()
    del settings["seeds"]
    return {
        "schema": SCHEMA,
        **settings,
        "complete": complete(evaluation),
        **asdict(summarize(evaluation.episodes)),
        "diagnosis": asdict(found) if (found := diagnose(evaluation.episodes)) else None,
        "runs": [_run_data(evaluation, row) for row in evaluation.episodes],
    }


def _run_data(evaluation: Evaluation, row: Episode) -> dict[str, Any]:
    return {
        "seed": row.seed,
        "result": row.result,
        "ante": row.ante_reached,
        "round": row.round,
        "steps": row.steps,
        "watch": watch_command(evaluation.settings, row),
    }


def comparison_data(first: Evaluation, second: Evaluation) -> dict[str, Any]:
    """The first summary, with the second as ``vs``, and their paired differences."""
    paired: Paired = compare(first.episodes, second.episodes)
    return {**summary_data(first), "vs": summary_data(second), "paired": asdict(paired)}


def complete(evaluation: Evaluation) -> bool:
    return len(evaluation.episodes) == len(evaluation.settings.seeds.seeds)


def agent_label(settings: Settings) -> str:
    """Return the agent with its options: ``expert effort=2``."""
    return " ".join([settings.agent, *(f"{name}={value}" for name, value in settings.options.items())])


def watch_command(settings: Settings, row: Episode) -> str:
    """Return what to type to see exactly this run, decision by decision, in whatever folder."""
    if record := settings.record_of(row):
        return shlex.join(["jimbo", "replay", str(record.absolute())])
    folder = agent_folder(settings.agent)
    parts = ["jimbo", "watch", "--agent", settings.agent, "--seed", row.seed]
    parts += ["--challenge", settings.challenge] if settings.challenge else ["--deck", settings.deck]
    parts += ["--stake", settings.stake]
    for name, value in settings.options.items():
        parts += ["--set", f"{name}={option_text(value)}"]
    command = shlex.join([*parts, "--nonce", str(row.nonce)])
    return f"cd {shlex.quote(str(folder))} && {command}" if folder else command
