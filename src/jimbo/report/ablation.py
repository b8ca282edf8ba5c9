"""A comparison of several strategies for people, and as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jimbo.eval.ablation import GAME, Ablation, Compared
from jimbo.eval.folders import SUMMARY
from jimbo.eval.statistics import Difference, Interval
from jimbo.eval.store import write_json
from jimbo.files import write_text
from jimbo.report.render import markdown
from jimbo.report.sections import Document, Section, TextTable, mean_text, share_text
from jimbo.text import counted, game_text

SCHEMA = "jimbo_ablation_v1"
TABLES = "tables"


def ablation_report(result: Ablation) -> Document:
    settings, games = result.settings, result.rows[0].summary.games
    where = game_text(settings.deck, settings.stake, settings.challenge)
    parts = ([level_table(result)], [gap_table(result)], remarks(result))
    title = f"{where}, {counted(games, 'seed')} of {settings.seeds.name}"
    return Document(title, sections=[Section("", parts=each) for each in parts])


def level_table(result: Ablation) -> TextTable:
    """How well each of them does."""
    lines = [
        (
            row.strategy.name,
            share_text(row.summary.win_rate, row.summary.ci95),
            share_text(row.summary.ante1_clear, row.summary.ante1_clear_ci95),
            mean_text(row.summary.mean_ante, row.summary.mean_ante_ci95),
        )
        for row in result.rows
    ]
    return TextTable(("strategy", "won", "ante 1 cleared", "mean ante"), lines, left=True)


def gap_table(result: Ablation) -> TextTable:
    """All but the first, beside the first."""
    lines = [
        (
            row.strategy.name,
            _gap_text(row.vs_first.wins, 100, " points"),
            _gap_text(row.vs_first.antes),
        )
        for row in result.rows
        if row.vs_first
    ]
    return TextTable((f"minus {result.rows[0].strategy.name}", "wins", "mean ante"), lines, left=True)


def _gap_text(gap: Difference, scale: float = 1.0, unit: str = "") -> str:
    digits = 1 if scale > 1 else 2
    interval = f"  ({scale * gap.ci95[0]:+.{digits}f} to {scale * gap.ci95[1]:+.{digits}f})" if gap.ci95 else ""
    return f"{scale * gap.mean:+.{digits}f}{unit}{interval}"


def remarks(result: Ablation) -> list[str]:
    lines = ["In brackets: 95 % intervals. Differences are taken seed by seed."]
    if result.left_out:
        games = counted(result.left_out, "game")
        lines.append(f"Left out: {games} on seeds that not all have played.")
    return lines


# --- For machines -----------------------------------------------------------------------------------------------------


def ablation_data(result: Ablation) -> dict[str, Any]:
    settings = result.settings
    return {
        "schema": SCHEMA,
        **{name: getattr(settings, name) for name in GAME},
        "seed_set": settings.seeds.name,
        "games": result.rows[0].summary.games,
        "left_out": result.left_out,
        "rows": [
            {
                "strategy": row.strategy.name,
                "agent": row.strategy.evaluation.settings.agent,
                "options": dict(row.strategy.evaluation.settings.options),
                **asdict(row.summary),
                "vs_first": asdict(row.vs_first) if row.vs_first else None,
            }
            for row in result.rows
        ],
    }


def csv_text(result: Ablation) -> str:
    lines = [_csv_row(row) for row in result.rows]
    names = list(dict.fromkeys(name for line in lines for name in line))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def _csv_row(row: Compared) -> dict[str, object]:
    summary, settings = row.summary, row.strategy.evaluation.settings
    line: dict[str, object] = {
        "strategy": row.strategy.name,
        "agent": settings.agent,
        "options": json.dumps(dict(settings.options)),
        "games": summary.games,
        "wins": summary.wins,
        **_with_interval("win_rate", summary.win_rate, summary.ci95),
        **_with_interval("ante1_clear", summary.ante1_clear, summary.ante1_clear_ci95),
        **_with_interval("mean_ante", summary.mean_ante, summary.mean_ante_ci95),
        **_with_interval("mean_round", summary.mean_round, summary.mean_round_ci95),
        "ms_per_decision": summary.ms_per_decision,
    }
    if row.vs_first:
        for name in ("wins", "antes", "rounds", "blinds"):
            gap: Difference = getattr(row.vs_first, name)
            line |= {**_with_interval(f"vs_first_{name}", gap.mean, gap.ci95), f"vs_first_{name}_p": gap.p}
    return line


def _with_interval(name: str, value: float, ci95: Interval | None) -> dict[str, object]:
    low, high = ci95 or ("", "")
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def write_ablation(result: Ablation, folder: Path) -> None:
    """``summary.json``, ``summary.md`` and ``tables/ablation.csv``; OSError if the disk does not take them."""
    (folder / TABLES).mkdir(parents=True, exist_ok=True)
    write_json(folder / SUMMARY, ablation_data(result))
    write_text(folder / TABLES / "ablation.csv", csv_text(result))
    write_text(folder / "summary.md", markdown(ablation_report(result)))
