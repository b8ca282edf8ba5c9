"""Questions to the graph, by name: statements of the common part of Cypher, with what they ask for as parameters.

Nothing is ever written into a statement, so names with quotes or line breaks arrive as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from jimbo.knowledge.stores import SLOW_MS, Answer, Graph

_EVIDENCE = (
    "r.effect AS effect, r.low AS low, r.high AS high, r.confidence AS confidence, r.doubtful AS doubtful, "
    "r.deck AS deck, r.win_rate AS win_rate, r.games AS games, r.trials AS trials, r.stake AS stake, "
    "r.agent AS agent, r.rules AS rules"
)
_MEASURED = (
    "r.low AS low, r.high AS high, r.confidence AS confidence, r.doubtful AS doubtful, r.trials AS trials, "
    "r.stake AS stake, r.agent AS agent, r.rules AS rules"
)
_HOP = "-[{0}:SYNERGIZES_WITH]-"
_SAME = "{0}.stake = $stake AND {0}.strength >= $least"


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    """What it asks."""
    statements: tuple[str, ...]
    """Their rows together are the answer; all give the same columns."""
    needs: tuple[str, ...]
    """Parameters without a default."""
    defaults: Mapping[str, Any]
    order: str = ""
    """The column by which the rows of several statements are sorted, highest first."""

    @property
    def parameters(self) -> tuple[str, ...]:
        return (*self.needs, *self.defaults)


def _paths() -> tuple[str, ...]:
    one = (
        f"MATCH (a:Joker){_HOP.format('r')}(b:Joker) WHERE a.key IN $owned AND b.key <> a.key AND {_SAME.format('r')} "
        "RETURN a.name AS start, '' AS first, '' AS second, b.name AS goal, 1 AS hops, r.strength AS product "
        "ORDER BY product DESC, goal LIMIT $limit"
    )
    two = (
        f"MATCH (a:Joker){_HOP.format('r')}(m:Joker){_HOP.format('s')}(b:Joker) "
        f"WHERE a.key IN $owned AND b.key <> a.key AND {_SAME.format('r')} AND {_SAME.format('s')} "
        "AND r.strength * s.strength >= $least "
        "RETURN a.name AS start, m.name AS first, '' AS second, b.name AS goal, 2 AS hops, "
        "r.strength * s.strength AS product ORDER BY product DESC, goal, first LIMIT $limit"
    )
    three = (
        f"MATCH (a:Joker){_HOP.format('r')}(m:Joker){_HOP.format('s')}(n:Joker){_HOP.format('t')}(b:Joker) "
        f"WHERE a.key IN $owned AND b.key <> a.key AND n.key <> a.key AND b.key <> m.key AND {_SAME.format('r')} "
        f"AND {_SAME.format('s')} AND {_SAME.format('t')} AND r.strength * s.strength * t.strength >= $least "
        "RETURN a.name AS start, m.name AS first, n.name AS second, b.name AS goal, 3 AS hops, "
        "r.strength * s.strength * t.strength AS product ORDER BY product DESC, goal, second, first LIMIT $limit"
    )
    return one, two, three


QUESTIONS: Mapping[str, Question] = {
    "synergies": Question(
        "What works together with the jokers that you own",
        (
            f"MATCH (a:Joker){_HOP.format('r')}(b:Joker) WHERE a.key IN $owned "
            f"AND (NOT b.key IN $owned OR a.key < b.key) AND {_SAME.format('r')} "
            "RETURN a.name AS joker, b.name AS partner, b.key AS key, r.strength AS strength, "
            f"r.synergy_type AS synergy_type, {_EVIDENCE} ORDER BY strength DESC, partner, joker LIMIT $limit",
        ),
        ("owned",),
        {"least": 0.5, "limit": 10},
    ),
    "paths": Question(
        "Chains of one to three pairs from what you own, by the product of their strengths",
        _paths(),
        ("owned",),
        {"least": 0.6, "limit": 10},
        order="product",
    ),
    "best-additions": Question(
        "Jokers within your budget that work with several of those you own",
        (
            f"MATCH (a:Joker){_HOP.format('r')}(b:Joker) WHERE a.key IN $owned AND NOT b.key IN $owned "
            f"AND b.cost <= $budget AND {_SAME.format('r')} "
            "WITH b, count(a) AS partners, avg(r.strength) AS mean, min(r.confidence) AS confidence, "
            "min(r.games) AS games, min(r.trials) AS trials, collect(a.name) AS works_with "
            "WHERE partners >= $partners "
            "RETURN b.name AS joker, b.key AS key, b.cost AS cost, partners, mean AS strength, "
            "mean * partners AS value, works_with, confidence, games, trials ORDER BY value DESC, joker LIMIT $limit",
        ),
        ("owned", "budget"),
        {"least": 0.6, "partners": 2, "limit": 5},
    ),
    "required-cards": Question(
        "Playing cards that make your jokers stronger, and how many of them",
        (
            "MATCH (j:Joker)-[r:REQUIRES_CARD]->(c:PlayingCard) WHERE j.key IN $owned AND r.stake = $stake "
            "AND r.strength >= $least RETURN j.name AS joker, c.name AS cards, r.condition AS condition, "
            "r.quantity AS quantity, r.optimal_quantity AS optimal_quantity, r.strength AS strength, "
            f"r.effect AS effect, {_MEASURED} ORDER BY strength DESC, joker, cards LIMIT $limit",
        ),
        ("owned",),
        {"least": 0.1, "limit": 20},
    ),
    "jokers-for-deck": Question(
        "Jokers for a deck that has many of some kinds of cards",
        (
            "MATCH (j:Joker)-[r:REQUIRES_CARD]->(c:PlayingCard) WHERE c.key IN $cards AND r.stake = $stake "
            "AND r.strength >= $least WITH j, sum(r.strength) AS fit, count(c) AS kinds, collect(c.name) AS because, "
            "min(r.confidence) AS confidence, min(r.trials) AS trials "
            "RETURN j.name AS joker, j.key AS key, j.cost AS cost, fit, kinds, because, confidence, trials "
            "ORDER BY fit DESC, joker LIMIT $limit",
        ),
        ("cards",),
        {"least": 0.1, "limit": 10},
    ),
    "jokers-for-hand": Question(
        "Jokers that grow with the levels of a poker hand",
        (
            "MATCH (j:Joker)-[r:ENABLES_STRATEGY]->(s:Strategy) WHERE s.hand IN $hands AND r.stake = $stake "
            "AND r.importance >= $least RETURN j.name AS joker, j.key AS key, s.hand AS hand, "
            f"r.importance AS importance, r.effect AS effect, {_MEASURED} "
            "ORDER BY importance DESC, joker LIMIT $limit",
        ),
        ("hands",),
        {"least": 0.05, "limit": 10},
    ),
    "clusters": Question(
        "Groups of jokers that work with one another (Louvain)",
        (
            "MATCH (a:Joker)-[r:SYNERGIZES_WITH]-(b:Joker) WHERE r.stake = $stake AND r.cluster >= 0 "
            "AND r.strength >= $least RETURN r.cluster AS cluster, a.name AS joker, a.key AS key, "
            "sum(r.strength) AS weight, count(b) AS partners ORDER BY cluster, weight DESC, joker LIMIT $limit",
        ),
        (),
        {"least": 0.1, "limit": 50},
    ),
    "triangles": Question(
        "Three jokers each of which works with both others",
        (
            f"MATCH (a:Joker){_HOP.format('r')}(b:Joker){_HOP.format('s')}(c:Joker){_HOP.format('t')}(a) "
            f"WHERE a.key < b.key AND b.key < c.key AND {_SAME.format('r')} AND {_SAME.format('s')} "
            f"AND {_SAME.format('t')} RETURN a.name AS first, b.name AS second, c.name AS third, "
            "r.strength * s.strength * t.strength AS product ORDER BY product DESC, first, second LIMIT $limit",
        ),
        (),
        {"least": 0.5, "limit": 10},
    ),
    "anti-synergies": Question(
        "Jokers that get in the way of those you own",
        (
            "MATCH (a:Joker)-[r:COUNTERS]-(b:Joker) WHERE a.key IN $owned AND (NOT b.key IN $owned OR a.key < b.key) "
            "AND r.stake = $stake AND r.severity >= $least "
            f"RETURN a.name AS joker, b.name AS partner, b.key AS key, r.severity AS severity, {_EVIDENCE} "
            "ORDER BY severity DESC, partner, joker LIMIT $limit",
        ),
        ("owned",),
        {"least": 0.2, "limit": 10},
    ),
    "transitions": Question(
        "Which poker hands runs turn to, from the one they play most in antes 1 and 2",
        (
            "MATCH (a:Strategy)-[r:LEADS_TO]->(b:Strategy) WHERE r.stake = $stake AND r.transition_rate >= $least "
            "RETURN a.hand AS early, b.hand AS late, r.transition_rate AS rate, r.games AS games "
            "ORDER BY early, rate DESC, late LIMIT $limit",
        ),
        (),
        {"least": 0.05, "limit": 50},
    ),
}


class Reply(NamedTuple):
    rows: list[dict[str, Any]]
    ms: float
    slow: bool


def ask(graph: Graph, name: str, stake: str, given: Mapping[str, Any]) -> Reply:
    """The answer to a question; ValueError for an unknown one, or where it lacks something."""
    if name not in QUESTIONS:
        raise ValueError(f'There is no question "{name}". Choose one of {", ".join(QUESTIONS)}.')
    question = QUESTIONS[name]
    known = {key: value for key, value in given.items() if value is not None and key in question.parameters}
    if missing := [need for need in question.needs if not known.get(need)]:
        flags = {"owned": "--owned", "budget": "--budget", "cards": "--cards", "hands": "--hands"}
        raise ValueError(f"{name} needs {' and '.join(flags[need] for need in missing)}.")
    parameters = {**question.defaults, **known}
    if "partners" in parameters:
        parameters["partners"] = min(int(parameters["partners"]), len(parameters["owned"]))
    answers = [_asked(graph, statement, {"stake": stake, **parameters}) for statement in question.statements]
    rows = [row for answer in answers for row in answer.rows]
    if question.order:
        rows = sorted(rows, key=lambda row: -row[question.order])[: parameters["limit"]]
    slowest = max(answer.ms for answer in answers)
    return Reply(rows, slowest, slowest > SLOW_MS)


def _asked(graph: Graph, statement: str, parameters: Mapping[str, Any]) -> Answer:
    """With the parameters that the statement names: servers warn of others, or refuse them."""
    used = {name: value for name, value in parameters.items() if f"${name}" in statement}
    return graph.ask(statement, used)


def stakes_of(graph: Graph) -> Sequence[dict[str, Any]]:
    """What a graph says about itself, one row for each stake."""
    statement = (
        "MATCH (m:SchemaMetadata) RETURN m.version AS version, m.stake AS stake, m.games AS games, m.won AS won, "
        "m.trials AS trials, m.agent AS agent, m.settings AS settings, m.deck AS deck, m.rules AS rules, "
        "m.built AS built, m.usual AS usual, m.corrections AS corrections ORDER BY stake"
    )
    return graph.ask(statement, {}).rows
