"""Answers that were given before: to the very same question, to one like it, or always alike to its kind.

An answer is kept as the label of an option, ``buy j_blueprint``, so that it can be given where the same thing is
offered again. How often the next blind was beaten after it is counted, too.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from jimbo.llm.protocol import Usage
from jimbo.llm.store import CallStore

Tier = Literal["exact", "similar", "pattern"]
_AGREEING = 3
"""Answers to one kind of question that must be the same before it is no longer asked."""
_TRIED, _FAILED = 4, 0.5
"""An answer used so often, after which fewer blinds than this share were beaten, is given to its own question alone."""

Features = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of a question by which answers are found again."""

    key: str
    """The same for the very same question."""
    place: str
    """Only questions of one place can be alike."""
    features: Features
    pattern: str
    """The kind of question."""


@dataclass(frozen=True, slots=True)
class Remembered:
    choice: str
    reason: str
    tier: Tier
    key: str
    """Of the question that was answered."""
    usage: Usage
    dollars: float


class AnswerCache:
    """Of limited size and age; what was used longest ago goes first."""

    def __init__(
        self,
        store: CallStore,
        size: int = 10_000,
        similarity: float = 0.85,
        hours: float = 24.0,
        pattern_hours: float = 48.0,
    ) -> None:
        self._store, self._size, self._similarity = store, size, similarity
        self._age, self._pattern_age = 3600 * hours, 3600 * pattern_hours

    def find(self, asked: Asked, allowed: Collection[str]) -> Remembered | None:
        """An answer among those allowed. StoreFailed as the store."""
        now = self._store.clock()
        return (
            self.exact(asked.key, allowed)
            or self._similar(asked, allowed, now)
            or self._by_pattern(asked, allowed, now)
        )

    def exact(self, key: str, allowed: Collection[str] | None = None) -> Remembered | None:
        """The answer to this very question; ``allowed``: None takes any."""
        now = self._store.clock()
        with self._store.transaction() as connection:
            row = connection.execute(
                "SELECT choice, reason, input_tokens, output_tokens, dollars FROM answers WHERE key = ? AND at > ?",
                (key, now - self._age),
            ).fetchone()
            if row is None or (allowed is not None and row[0] not in allowed):
                return None
            connection.execute("UPDATE answers SET used = ? WHERE key = ?", (now, key))
        return Remembered(row[0], row[1], "exact", key, Usage(row[2], row[3]), row[4])

    def keep(self, asked: Asked, choice: str, reason: str, usage: Usage, dollars: float) -> None:
        now = self._store.clock()
        row = (asked.key, asked.place, json.dumps(dict(asked.features)), asked.pattern, choice, reason)
        with self._store.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)",
                (*row, usage.input_tokens, usage.output_tokens, dollars, now, now),
            )
            connection.execute(
                "DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (self._size,),
            )

    def count(self, keys: Counter[str], *, beaten: bool) -> None:
        """Note what became of the blind after these answers were used."""
        with self._store.transaction() as connection:
            for key, times in keys.items():
                connection.execute(
                    "UPDATE answers SET uses = uses + ?, beaten = beaten + ? WHERE key = ?",
                    (times, times if beaten else 0, key),
                )

    def _similar(self, asked: Asked, allowed: Collection[str], now: float) -> Remembered | None:
        with self._store.transaction() as connection:
            rows = connection.execute(
                "SELECT features, choice, reason, key FROM answers "
                "WHERE place = ? AND at > ? AND (uses < ? OR beaten >= ? * uses)",
                (asked.place, now - self._age, _TRIED, _FAILED),
            ).fetchall()
            alike = (
                (cosine(asked.features, json.loads(features)), choice, reason, key)
                for features, choice, reason, key in rows
                if choice in allowed
            )
            best = max(alike, key=lambda one: one[0], default=None)
            if best is None or best[0] <= self._similarity:
                return None
            connection.execute("UPDATE answers SET used = ? WHERE key = ?", (now, best[3]))
        return Remembered(best[1], best[2], "similar", best[3], Usage(), 0.0)

    def _by_pattern(self, asked: Asked, allowed: Collection[str], now: float) -> Remembered | None:
        with self._store.transaction() as connection:
            rows = connection.execute(
                "SELECT choice, reason, key FROM answers "
                "WHERE pattern = ? AND at > ? AND (uses < ? OR beaten >= ? * uses) ORDER BY at DESC",
                (asked.pattern, now - self._pattern_age, _TRIED, _FAILED),
            ).fetchall()
            if len(rows) < _AGREEING or len({row[0] for row in rows}) > 1 or rows[0][0] not in allowed:
                return None
            connection.execute("UPDATE answers SET used = ? WHERE key = ?", (now, rows[0][2]))
        return Remembered(rows[0][0], rows[0][1], "pattern", rows[0][2], Usage(), 0.0)


def cosine(one: Features, other: Features) -> float:
    """How alike two questions are, from 0 to 1."""
    both = sum(weight * other.get(name, 0.0) for name, weight in one.items())
    lengths = math.hypot(*one.values()) * math.hypot(*other.values())
    return both / lengths if lengths else 0.0
