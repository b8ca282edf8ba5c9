"""What a file of decisions holds, whether it holds true, and the same in the other form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from jimbo.data.game_rows import Rows
from jimbo.data.record_v1 import RECORD_SCHEMA
from jimbo.data.record_v1_files import iter_records
from jimbo.data.record_v1_lines import read_games
from jimbo.data.samples import PHASES, has_lines
from jimbo.engine import batch_schema_hash


def iter_rows(path: Path, *, replayed: bool = False) -> Iterator[Rows]:
    """The decisions of a file with all that is told of them, some games at a time, which last until the next.

    ``replayed``: lines are compared with their game, even where they hold the states themselves.
    """
    if has_lines(path):
        return iter_records(path, replayed=replayed)
    from jimbo.data.parquet import iter_parquet  # needs pyarrow

    return iter_parquet(path)


@dataclass(slots=True)
class Summary:
    """What a file of decisions holds."""

    path: Path
    schema: str
    versions: dict[str, str]
    games: int = 0
    decisions: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    actions: Counter[str] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    antes: Counter[int] = field(default_factory=Counter)
    """In which games ended."""
    players: Counter[str] = field(default_factory=Counter)
    """Agent, deck, stake and challenge, with the number of their games."""
    listed: int = 0
    """Decisions whose action is one of the candidates."""
    valued: int = 0
    """Decisions with the value of a candidate."""

    def add(self, rows: Rows) -> None:
        samples = rows.samples
        self.games += len(samples.played)
        self.decisions += len(samples)
        counts = np.bincount(samples.phases, minlength=len(PHASES)).tolist()
        self.phases.update({str(phase): count for phase, count in zip(PHASES, counts, strict=True) if count})
        self.actions.update(str(kind) for kind in rows.plain["action"])
        self.results.update(game.result for game in samples.played)
        self.antes.update(game.ante for game in samples.played)
        self.players.update(
            ", ".join(filter(None, (game.agent, game.deck, game.stake, game.challenge))) for game in samples.played
        )
        self.listed += int((samples.chosen >= 0).sum())
        with_values = np.repeat(np.arange(len(samples)), np.diff(samples.starts))[~np.isnan(samples.values)]
        self.valued += len(np.unique(with_values))

    def to_data(self) -> dict[str, Any]:
        size = self.path.stat().st_size
        phases = self.phases
        return {
            "file": str(self.path),
            "schema": self.schema,
            "schema_hash": batch_schema_hash(),
            "versions": self.versions,
            "bytes": size,
            "bytes_per_decision": round(size / self.decisions, 1),
            "games": self.games,
            "total_records": self.decisions,
            "hand_records": phases["selecting_hand"],
            "shop_records": phases["shop"] + phases["pack_opening"],
            "players": dict(self.players.most_common()),
            "phases": dict(phases.most_common()),
            "actions": dict(self.actions.most_common()),
            "results": dict(self.results.most_common()),
            "final_antes": {str(ante): self.antes[ante] for ante in sorted(self.antes)},
            "listed_share": round(self.listed / self.decisions, 4),
            "valued_share": round(self.valued / self.decisions, 4),
        }


def summarize(path: Path) -> Summary:
    """BadData with a sentence if the file cannot be read."""
    summary = _described(path)
    for rows in iter_rows(path):
        summary.add(rows)
    return summary


def _described(path: Path) -> Summary:
    if has_lines(path):
        first = next(read_games(path)).lines[0]
        return Summary(path, RECORD_SCHEMA, first["versions"])
    from jimbo.data.parquet import SCHEMA, facts_of

    return Summary(path, SCHEMA, dict(facts_of(path).versions))
