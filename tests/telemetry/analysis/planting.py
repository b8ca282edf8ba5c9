"""Files of rows whose answers are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jimbo.telemetry.row_sink import line_of
from jimbo.telemetry.tables import (
    DecisionPoints,
    EconomicFlow,
    GameMetrics,
    JokerSynergies,
    NamedMetrics,
    TableRow,
)

NOON = 1_795_089_600
"""A noon, in seconds: 2026-11-19 12:00:00."""


def at(seconds: float) -> int:
    return int((NOON + seconds) * 1e9)


def metric(
    seconds: float,
    name: str,
    value: float,
    *,
    program: str = "jimbo rollout",
    session: str = "s",
    note: str | None = None,
) -> TableRow:
    return NamedMetrics(timestamp=at(seconds), session_id=session, program=program, name=name, value=value, note=note)


def decision(seconds: float, milliseconds: float, delta: float = 0.0, program: str = "jimbo rollout") -> TableRow:
    return DecisionPoints(
        timestamp=at(seconds), session_id="s", program=program, agent="fast", phase="shop", decision_type="buy",
        confidence=0.5, outcome_delta=delta, milliseconds=milliseconds,
    )  # fmt: skip


def blind(seconds: float, outcome: str, ratio: float, ante: int) -> TableRow:
    return GameMetrics(
        timestamp=at(seconds), session_id="s", program="jimbo rollout", agent="fast", stake="stake_white",
        outcome=outcome, ante=ante, score_ratio=ratio, hands_played=2, money=4.0, joker_count=1,
    )  # fmt: skip


def small_archive() -> list[TableRow]:
    """Two minutes of games: the answers to all questions can be worked out from it by hand."""
    rows: list[TableRow] = [decision(second, 1.0 + second) for second in range(60)]
    rows += [decision(60 + second, 100.0, -0.2) for second in range(20)]
    rows += [blind(1, "beaten", 2.0, 1), blind(2, "won", 1.5, 8), blind(3, "lost", 0.5, 4), blind(61, "won", 4.0, 8)]
    for second, amount in ((1, -5.0), (2, -3.0), (61, -2.0)):
        rows.append(
            EconomicFlow(
                timestamp=at(second),
                session_id="s",
                program="jimbo rollout",
                transaction_type="purchase_joker",
                amount=amount,
            )
        )
    for effectiveness in (0.5, 0.7):
        rows.append(
            JokerSynergies(
                timestamp=at(5 + effectiveness),
                session_id="s",
                program="jimbo rollout",
                joker_combination="j_a+j_b",
                synergy_score=0.25,
                effectiveness=effectiveness,
                chips_generated=10.0,
                mult_generated=4.0,
            )
        )
    for second, loss in ((1, 3.0), (30, 2.0), (70, 1.0)):
        rows.append(metric(second, "loss", loss, program="jimbo train rl"))
    rows += [metric(1, "memory_usage", 2e9), metric(2, "memory_usage", 3e9)]
    rows += [metric(3, "errors", 1.0, note="it's broken"), metric(4, "errors", 1.0, note="it's broken")]
    return rows


def write(path: Path, rows: Iterable[TableRow], more: Sequence[str] = ()) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join([*map(line_of, rows), *more]))
    return path
