"""Rules about telemetry that say when something is wrong."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from jimbo.declared import Declared, declared
from jimbo.telemetry.analysis.archive import Archive
from jimbo.telemetry.events import AlertRaised
from jimbo.text.numbers import counted, percent_text

HEARD_OF_WITHIN = 86_400
"""Seconds; a program of which nothing was heard for longer is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertRules(Declared):
    """When to raise an alert. All but the heartbeat are about the last minutes of which there is telemetry."""

    minutes: float = declared(5.0, "minutes that are looked at, back from the last row", min=0.01, max=1_000_000)
    memory_gb: float = declared(5.5, "gigabytes of memory that a program may use, with its processes", min=0, max=1e6)
    heartbeat_seconds: float = declared(
        30.0, "seconds without a sign of a program that has not ended", min=0.01, max=1_000_000
    )
    error_rate: float = declared(0.05, "share of errors among decisions and errors", min=0, max=1)
    p95_ms: float = declared(200.0, "milliseconds within which 95 of 100 decisions must be taken", min=0, max=1e9)
    cache_hits: float = declared(0.7, "share of a language model's questions that caches must answer", min=0, max=1)
    at_least: int = declared(
        20, "decisions or questions that there must be for a share or a percentile", min=1, max=1_000_000
    )


@dataclass(frozen=True, slots=True)
class Alert:
    """A rule that does not hold."""

    rule: str
    program: str
    value: float
    limit: float
    words: str

    def to_event(self) -> AlertRaised:
        return AlertRaised(rule=self.rule, value=self.value, limit=self.limit, message=self.words, program=self.program)


def check(archive: Archive, rules: AlertRules, now: float | None = None) -> list[Alert]:
    """Return the rules that do not hold. ``now`` is a time in seconds, in place of the clock's."""
    last = archive.ask(_LAST)[1][0][0]
    if last is None:
        return []
    since = _time(last.replace(tzinfo=UTC).timestamp() - 60 * rules.minutes)
    made = [*_memory(archive, rules, since), *_heartbeat(archive, rules, time.time() if now is None else now)]
    return [*made, *_errors(archive, rules, since), *_slow(archive, rules, since), *_cache(archive, rules, since)]


def last_seen(archive: Archive) -> datetime | None:
    """Return when the last row was written, if there is any."""
    found: Any = archive.ask(_LAST)[1][0][0]
    return found.replace(tzinfo=UTC) if found else None


def _memory(archive: Archive, rules: AlertRules, since: datetime) -> Iterator[Alert]:
    for program, used in archive.ask(_MEMORY, [since])[1]:
        if used > rules.memory_gb:
            words = f"{program} uses {used:.2f} GB of memory; the limit is {rules.memory_gb:g} GB"
            yield Alert("memory", program, used, rules.memory_gb, words)


def _heartbeat(archive: Archive, rules: AlertRules, now: float) -> Iterator[Alert]:
    for program, seen in archive.ask(_SILENT, [_time(now - HEARD_OF_WITHIN)])[1]:
        silent = now - seen.replace(tzinfo=UTC).timestamp()
        if silent > rules.heartbeat_seconds:
            words = f"Nothing was heard of {program} for {silent:.0f} seconds, and it has not said that it ended"
            yield Alert("heartbeat", program, silent, rules.heartbeat_seconds, words)


def _errors(archive: Archive, rules: AlertRules, since: datetime) -> Iterator[Alert]:
    for program, errors, decisions in archive.ask(_ERRORS, [since, since])[1]:
        rate = errors / (errors + decisions)
        if rate > rules.error_rate:
            among = f"{counted(errors, 'error')} and {counted(decisions, 'decision')}"
            words = f"{program}: {among}, which is {percent_text(rate)}; the limit is {percent_text(rules.error_rate)}"
            yield Alert("error_rate", program, rate, rules.error_rate, words)


def _slow(archive: Archive, rules: AlertRules, since: datetime) -> Iterator[Alert]:
    for program, agent, p95 in archive.ask(_SLOW, [since, rules.at_least])[1]:
        if p95 > rules.p95_ms:
            who = f"{program}, agent {agent}" if agent else program
            words = f"{who}: 5 in 100 decisions take more than {p95:.0f} ms; the limit is {rules.p95_ms:g} ms"
            yield Alert("p95", program, p95, rules.p95_ms, words)


def _cache(archive: Archive, rules: AlertRules, since: datetime) -> Iterator[Alert]:
    for program, share, asked in archive.ask(_CACHE, [since, rules.at_least])[1]:
        if share < rules.cache_hits:
            least = percent_text(rules.cache_hits)
            words = (
                f"{program}: caches answered {percent_text(share)} of {asked:,} questions; at least {least} are wanted"
            )
            yield Alert("cache_hits", program, share, rules.cache_hits, words)


def _time(seconds: float) -> datetime:
    """Return a time as the tables have it: in UTC, and not saying so."""
    return datetime.fromtimestamp(max(0.0, seconds), UTC).replace(tzinfo=None)


_LAST = """SELECT max(last) FROM (SELECT max(timestamp) AS last FROM metrics UNION ALL
SELECT max(timestamp) FROM decision_points UNION ALL SELECT max(timestamp) FROM game_metrics)"""
_MEMORY = """SELECT program, sum(used) / 1e9 FROM (
SELECT program, session_id, arg_max(value, timestamp) AS used FROM metrics
WHERE name = 'memory_usage' AND timestamp >= ? GROUP BY ALL) GROUP BY program ORDER BY program"""
_SILENT = """SELECT program, max(timestamp) AS seen FROM metrics GROUP BY program, session_id
HAVING bool_or(name = 'program_started') AND NOT bool_or(name = 'program_ended') AND seen >= ? ORDER BY program"""
_ERRORS = """SELECT program, sum(errors)::BIGINT AS errors, sum(decisions)::BIGINT FROM (
SELECT program, count(*) AS errors, 0 AS decisions FROM metrics WHERE name = 'errors' AND timestamp >= ? GROUP BY ALL
UNION ALL SELECT program, 0, count(*) FROM decision_points WHERE timestamp >= ? GROUP BY ALL)
GROUP BY program HAVING sum(errors) > 0 ORDER BY program"""
_SLOW = """SELECT program, agent, quantile_cont(milliseconds, 0.95) FROM decision_points
WHERE milliseconds IS NOT NULL AND timestamp >= ? GROUP BY ALL HAVING count(*) >= ? ORDER BY program, agent"""
_CACHE = """SELECT program, avg(value), count(*) FROM metrics WHERE name = 'cache_hit' AND timestamp >= ?
GROUP BY program HAVING count(*) >= ? ORDER BY program"""
