"""A small graph with known numbers, and with names that try to be more than names."""

from __future__ import annotations

from typing import Any

from jimbo.knowledge.schema import EDGES, NODES, TEXT, WHOLE, Tables

STAKE = "stake_white"
ODD_NAMES = {
    "j_quote": 'Jim\'s "Joker"',
    "j_lines": "first\nsecond\r\n\ttab",
    "j_unicode": "Żółć 小丑 🃏 \u2028 é",
    "j_cypher": "x'}) DETACH DELETE n //",
    "j_dollar": "$rows \\u0027 \\",
}
_EMPTY: dict[str, Any] = {TEXT: "", WHOLE: 0, "DOUBLE": 0.0, "BOOLEAN": False, "DOUBLE[]": [0.5, -1.0]}


def _row(columns: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {name: _EMPTY[kind] for name, kind in columns.items()} | given


def small_tables() -> Tables:
    tables = Tables()
    jokers = {"j_a": ("Ada", 4), "j_b": ("Bob", 5), "j_c": ("Cy", 6), "j_d": ("Di", 9), "j_e": ("Ed", 3)}
    jokers |= {key: (name, 2) for key, name in ODD_NAMES.items()}
    for key, (name, cost) in jokers.items():
        tables.nodes["Joker"].append(_row(NODES["Joker"], {"key": key, "name": name, "cost": cost}))
    for name in ("King", "Heart"):
        tables.nodes["PlayingCard"].append(_row(NODES["PlayingCard"], {"key": name, "name": f"{name}s"}))
    tables.nodes["HandType"].append(_row(NODES["HandType"], {"key": "Flush", "name": "Flush"}))
    for hand in ("Flush", "Pair"):
        given = {"key": f"{STAKE}/{hand}", "hand": hand, "name": hand, "stake": STAKE}
        tables.nodes["Strategy"].append(_row(NODES["Strategy"], given))
    tables.nodes["SchemaMetadata"].append(
        _row(NODES["SchemaMetadata"], {"key": STAKE, "stake": STAKE, "games": 10, "agent": "expert", "rules": "abc"})
    )
    session = {"key": "one", "session_id": "one", "seed": "A'B\n", "stake": STAKE}
    tables.nodes["GameSession"].append(_row(NODES["GameSession"], session))
    tables.edges["USED_JOKER"].append({"source": "one", "target": "j_quote"})

    def edge(kind: str, source: str, target: str, **given: Any) -> None:
        row = _row(EDGES[kind].properties, {"stake": STAKE, "agent": "expert", "rules": "abc", **given})
        known = {name: value for name, value in row.items() if name in EDGES[kind].properties}
        tables.edges[kind].append({"source": source, "target": target, **known})

    for source, target, strength in (
        ("j_a", "j_b", 0.9), ("j_a", "j_c", 0.8), ("j_b", "j_c", 0.7), ("j_b", "j_d", 0.95), ("j_a", "j_d", 0.65),
        ("j_c", "j_e", 0.9), ("j_a", "j_quote", 0.75), ("j_b", "j_quote", 0.85),
    ):  # fmt: skip
        edge("SYNERGIZES_WITH", source, target, strength=strength, confidence=0.99, games=30, trials=40, cluster=0)
    edge("SYNERGIZES_WITH", "j_a", "j_e", strength=1.0, stake="stake_gold", cluster=1)
    edge("COUNTERS", "j_a", "j_e", severity=0.6)
    edge("COUNTERS", "j_a", "j_cypher", severity=0.5, deck=ODD_NAMES["j_cypher"])
    edge("REQUIRES_CARD", "j_a", "King", strength=0.5, quantity=2, optimal_quantity=5)
    edge("REQUIRES_CARD", "j_b", "King", strength=0.25, quantity=5, optimal_quantity=10)
    edge("REQUIRES_CARD", "j_b", "Heart", strength=0.5)
    edge("ENABLES_STRATEGY", "j_c", f"{STAKE}/Flush", importance=0.3)
    edge("LEADS_TO", f"{STAKE}/Pair", f"{STAKE}/Flush", transition_rate=0.4, games=12)
    return tables
