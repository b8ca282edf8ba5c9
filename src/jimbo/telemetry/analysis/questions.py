"""Questions about telemetry: as QuestDB is asked, with SAMPLE BY, and the same for DuckDB.

Both texts of a question give the same columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

BUCKETS: Mapping[str, str] = {
    "1s": "1 second",
    "10s": "10 seconds",
    "1m": "1 minute",
    "5m": "5 minutes",
    "15m": "15 minutes",
    "1h": "1 hour",
    "1d": "1 day",
}
"""Lengths of time over which is summed up, as QuestDB and as DuckDB write them."""


@dataclass(frozen=True, slots=True)
class NamedQuestion:
    """A question, in words and in two languages. ``{bucket}`` stands for a length of time."""

    name: str
    about: str
    questdb: str
    duckdb: str

    def for_questdb(self, bucket: str) -> str:
        return self.questdb.replace("{bucket}", checked_bucket(bucket)).strip()

    def for_duckdb(self, bucket: str) -> str:
        return self.duckdb.replace("{bucket}", f"INTERVAL '{BUCKETS[checked_bucket(bucket)]}'").strip()


def _question(name: str, about: str, questdb: str, duckdb: str) -> NamedQuestion:
    return NamedQuestion(name, about, _tidy(questdb), _tidy(duckdb))


def _tidy(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().splitlines())


QUESTIONS = {
    question.name: question
    for question in (
        _question(
            "decision-latency",
            "how long decisions take",
            """SELECT timestamp, agent, count() AS decisions, avg(milliseconds) AS mean_ms,
               approx_percentile(milliseconds, 0.95, 3) AS p95_ms, max(milliseconds) AS longest_ms
               FROM decision_points WHERE milliseconds IS NOT NULL SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, agent, count(*) AS decisions,
               avg(milliseconds) AS mean_ms, quantile_cont(milliseconds, 0.95) AS p95_ms,
               max(milliseconds) AS longest_ms
               FROM decision_points WHERE milliseconds IS NOT NULL GROUP BY ALL ORDER BY 1, 2""",
        ),
        _question(
            "games",
            "games that ended, and the share that was won",
            """SELECT timestamp, agent, stake, count() AS games,
               avg(CASE WHEN outcome = 'won' THEN 1.0 ELSE 0.0 END) AS win_rate, avg(ante) AS mean_ante
               FROM game_metrics WHERE outcome IN ('won', 'lost', 'left', 'error') SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, agent, stake, count(*) AS games,
               avg(CASE WHEN outcome = 'won' THEN 1.0 ELSE 0.0 END) AS win_rate, avg(ante) AS mean_ante
               FROM game_metrics WHERE outcome IN ('won', 'lost', 'left', 'error') GROUP BY ALL ORDER BY 1, 2, 3""",
        ),
        _question(
            "blinds",
            "scores by ante: how far above what a blind asks",
            """SELECT timestamp, agent, ante, count() AS blinds, avg(score_ratio) AS mean_ratio,
               avg(hands_played) AS hands, avg(money) AS money, avg(joker_count) AS jokers
               FROM game_metrics WHERE score_ratio IS NOT NULL SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, agent, ante, count(*) AS blinds,
               avg(score_ratio) AS mean_ratio, avg(hands_played) AS hands, avg(money) AS money,
               avg(joker_count) AS jokers
               FROM game_metrics WHERE score_ratio IS NOT NULL GROUP BY ALL ORDER BY 1, 2, 3""",
        ),
        _question(
            "money",
            "what money came from and went to",
            """SELECT timestamp, transaction_type, count() AS times, sum(amount) AS dollars, avg(amount) AS mean
               FROM economic_flow SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, transaction_type, count(*) AS times,
               sum(amount) AS dollars, avg(amount) AS mean
               FROM economic_flow GROUP BY ALL ORDER BY 1, 2""",
        ),
        _question(
            "jokers",
            "combinations of jokers, by the share of the score that they brought",
            """SELECT joker_combination, count() AS blinds, avg(effectiveness) AS effectiveness,
               avg(synergy_score) AS synergy, avg(chips_generated) AS chips, avg(mult_generated) AS mult
               FROM joker_synergies GROUP BY joker_combination
               ORDER BY blinds DESC, effectiveness DESC, joker_combination LIMIT 20""",
            """SELECT joker_combination, count(*) AS blinds, avg(effectiveness) AS effectiveness,
               avg(synergy_score) AS synergy, avg(chips_generated) AS chips, avg(mult_generated) AS mult
               FROM joker_synergies GROUP BY joker_combination
               ORDER BY blinds DESC, effectiveness DESC, joker_combination LIMIT 20""",
        ),
        _question(
            "costly-decisions",
            "kinds of decisions, by what became of the chance to win until the next one",
            """SELECT agent, phase, decision_type, count() AS decisions, avg(confidence) AS confidence,
               avg(outcome_delta) AS mean_delta, min(outcome_delta) AS worst_delta
               FROM decision_points WHERE outcome_delta IS NOT NULL GROUP BY agent, phase, decision_type
               ORDER BY mean_delta, agent, phase, decision_type""",
            """SELECT agent, phase, decision_type, count(*) AS decisions, avg(confidence) AS confidence,
               avg(outcome_delta) AS mean_delta, min(outcome_delta) AS worst_delta
               FROM decision_points WHERE outcome_delta IS NOT NULL GROUP BY agent, phase, decision_type
               ORDER BY mean_delta, agent, phase, decision_type""",
        ),
        _question(
            "training",
            "numbers of trainings: losses, rates, whatever their rows have",
            """SELECT timestamp, program, name, last(value) AS latest, min(value) AS smallest, max(value) AS largest
               FROM metrics WHERE (program LIKE '% train %' OR program LIKE '% az %') AND name NOT IN
               ('heartbeat', 'memory_usage', 'program_started', 'program_ended', 'progress') SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, program, name,
               arg_max(value, metrics.timestamp) AS latest, min(value) AS smallest, max(value) AS largest
               FROM metrics WHERE (program LIKE '% train %' OR program LIKE '% az %') AND name NOT IN
               ('heartbeat', 'memory_usage', 'program_started', 'program_ended', 'progress')
               GROUP BY ALL ORDER BY 1, 2, 3""",
        ),
        _question(
            "memory",
            "memory of programs",
            """SELECT timestamp, program, session_id, max(value) / 1e9 AS gigabytes
               FROM metrics WHERE name = 'memory_usage' SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, program, session_id, max(value) / 1e9 AS gigabytes
               FROM metrics WHERE name = 'memory_usage' GROUP BY ALL ORDER BY 1, 2, 3""",
        ),
        _question(
            "errors",
            "what went wrong, and how often",
            """SELECT timestamp, program, note, count() AS times
               FROM metrics WHERE name = 'errors' SAMPLE BY {bucket}""",
            """SELECT time_bucket({bucket}, timestamp) AS timestamp, program, note, count(*) AS times
               FROM metrics WHERE name = 'errors' GROUP BY ALL ORDER BY 1, 2, 3""",
        ),
    )
}


def find_question(name: str) -> NamedQuestion:
    """Return the question of a name; ValueError with the one that is most like it."""
    if name in QUESTIONS:
        return QUESTIONS[name]
    near = get_close_matches(name, QUESTIONS, 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise ValueError(f'There is no question "{name}".{hint} There are {", ".join(QUESTIONS)}')


def checked_bucket(bucket: str) -> str:
    if bucket not in BUCKETS:
        raise ValueError(f'"{bucket}" is not a length of time. Choose {", ".join(BUCKETS)}')
    return bucket
