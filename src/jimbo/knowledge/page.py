"""docs/knowledge.md: what works together, stake by stake, with pictures; made from a graph."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jimbo.engine.catalog import HANDS, STAKES
from jimbo.files import write_text
from jimbo.knowledge.questions import stakes_of
from jimbo.knowledge.stores import Graph
from jimbo.report import svg
from jimbo.text import counted

_SHOWN, _FEWER = 20, 15
_OF_ONE = 2
"""Pairs of one joker in the list that has many jokers, and in the picture."""
_LINKS, _LINKS_OF_ONE = 60, 5
_DOUBTS = 10
Row = dict[str, Any]

_INTRODUCTION = """\
Made by `{command}`; do not edit it by hand.

Two jokers work together where owning both raises the chance to win by more than both do alone. That is measured here
twice. First the value that the agents [`expert` and `fast`](value.md) decide by is asked about the same position four
times: without the two jokers, with either, with both; positions, jokers and the decks they stand in are drawn by lot,
so nothing is favoured because strong runs like to buy it. Then the ends of the games correct that: where runs that held
both won more often than the value had thought, the pair counts for more, as far as there are games enough.

**Strength** is what the pair has over the typical pair: 0.5 raises the odds of winning by half of a doubling (x 1.41),
1 doubles them or more. Any two jokers are worth a little less than their sum, as they share five places; the tables
say by how much. In brackets are 95 % intervals. There are 11,175 pairs, so some look good by luck: one that is less
than three standard errors from zero is **doubtful** and says so. *Deck* names the cards that were added, ten of them,
where that is what shows the pair best. *Naive* is the way of tier lists, which compares the scores of games that held
both with those that held one: it adjusts for nothing, and a dash means too few games.

What this cannot know: the value has learnt from games of its own and thinks little of builds it never played to their
end; jokers that grow are given fresh, as if bought now; only the Red Deck was played. [How it is made, and how to ask
it](graph.md).
"""


def write_page(path: Path, graph: Graph) -> list[Path]:
    """The page and its pictures; returns all that was written."""
    pictures: dict[Path, str] = {}
    lines = ["# What works together\n", _INTRODUCTION.format(command=f"jimbo graph export --out {path.name}")]
    for about in stakes_of(graph):
        lines += _stake_lines(path, graph, about, pictures)
    for place, drawn in pictures.items():
        write_text(place, drawn)
    write_text(path, "\n".join(lines))
    return [path, *pictures]


def _stake_lines(path: Path, graph: Graph, about: Row, pictures: dict[Path, str]) -> Iterator[str]:
    stake = about["stake"]
    name, short = STAKES[stake].name, stake.removeprefix("stake_")
    pairs, counters = _pairs(graph, "SYNERGIZES_WITH", stake), _pairs(graph, "COUNTERS", stake)
    sure = [row for row in pairs if not row["doubtful"]]
    share = 100 * about["won"] / max(about["games"], 1)
    player = " ".join(filter(None, [about["agent"], about["settings"]]))
    yield f"## {name}\n"
    yield (
        f"From {counted(about['games'], 'game')} of `{player}`, {share:.1f} % won, and trials at "
        f"{counted(about['trials'], 'position')}; rules {about['rules']}. {len(sure):,} pairs are surely stronger than "
        f"the typical one, {len(pairs) - len(sure):,} more look so but are doubtful. The typical pair: "
        f"{about['usual'] / math.log(2):+.2f}. {_corrections(about['corrections'])}\n"
    )
    varied = _varied(sure, _OF_ONE)[:_SHOWN]
    pictures[path.with_name(f"{path.stem}-{short}-pairs.svg")] = _spans(varied)
    pictures[path.with_name(f"{path.stem}-{short}-graph.svg")] = _network(_varied(sure, _LINKS_OF_ONE)[:_LINKS])
    yield "### The strongest pairs\n"
    yield from _table(pairs[:_SHOWN])
    yield f"### The strongest pairs, each joker {_OF_ONE} times at most\n"
    yield f"![The strongest pairs at {name}, with intervals]({path.stem}-{short}-pairs.svg)\n"
    yield from _table(varied)
    yield f"![Who works with whom at {name}: the surest pairs as lines]({path.stem}-{short}-graph.svg)\n"
    yield "### In each other's way\n"
    yield from _table(_varied([row for row in counters if not row["doubtful"]], _OF_ONE)[:_FEWER])
    yield from _doubts(pairs)
    yield from _cards(graph, stake)
    yield from _hands(graph, stake)
    yield from _against_naive(pairs)


def _corrections(spread: float) -> str:
    if spread <= 0.011:
        return "The ends of games tell of no pair that the value is wrong, beyond chance: they correct next to nothing."
    return (
        f"The ends of games correct a pair by {spread / math.log(2):.2f} of strength (standard deviation of the truth)."
    )


def _pairs(graph: Graph, kind: str, stake: str) -> list[Row]:
    naive = ", r.naive_strength AS naive" if kind == "SYNERGIZES_WITH" else ""
    rows = graph.ask(
        f"MATCH (a:Joker)-[r:{kind}]->(b:Joker) WHERE r.stake = $stake RETURN a.name AS first, b.name AS second, "
        f"r.effect AS effect, r.usual AS usual, r.low AS low, r.high AS high, r.deck AS deck, r.doubtful AS doubtful, "
        f"r.trials AS trials, r.games AS games, r.win_rate AS win_rate{naive}",
        {"stake": stake},
    ).rows
    for row in rows:
        for end in ("effect", "low", "high"):
            row[end] = (row[end] - row["usual"]) / math.log(2)
    return sorted(rows, key=lambda row: (-abs(row["effect"]), row["first"], row["second"]))


def _varied(rows: Sequence[Row], most: int) -> list[Row]:
    """The rows in their order, without more than so many of one joker."""
    seen, found = Counter[str](), []
    for row in rows:
        if max(seen[row["first"]], seen[row["second"]]) < most:
            seen.update((row["first"], row["second"]))
            found.append(row)
    return found


def _table(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        yield "None.\n"
        return
    yield "| pair | strength (95 %) | deck | trials | games that held both | won | naive |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        doubt = ", doubtful" if row["doubtful"] else ""
        won = f"{100 * row['win_rate']:.0f} %" if row["games"] else "-"
        naive = f"{row['naive']:.2f}" if row.get("naive", -1) >= 0 else "-"
        cells = [_name(row), _interval(row) + doubt, row["deck"] or "any", f"{row['trials']:,}", f"{row['games']:,}"]
        yield f"| {' | '.join([*cells, won, naive])} |"
    yield ""


def _doubts(pairs: Sequence[Row]) -> Iterator[str]:
    doubtful = [row for row in pairs if row["doubtful"]][:_DOUBTS]
    if doubtful:
        named = "; ".join(f"{_name(row)} {_interval(row)}" for row in doubtful)
        yield f"Doubtful, though they look strong: {named}.\n"


def _spans(rows: Sequence[Row]) -> str:
    labels = [f"{_name(row)} ({row['deck']})" if row["deck"] else _name(row) for row in rows]
    highest = max((row["high"] for row in rows), default=1.0)
    top = max(1.0, math.ceil(2 * highest) / 2)
    ticks = [(half / 2, f"{half / 2:g}") for half in range(int(2 * top) + 1)]
    axis = svg.Axis(
        min(0.0, min((row["low"] for row in rows), default=0.0)), top, ticks, "strength; 1 doubles the odds"
    )
    return svg.spans(labels, [(row["low"], row["effect"], row["high"]) for row in rows], axis)


def _network(rows: Sequence[Row]) -> str:
    """Jokers that are linked stand close together on the circle, as far as a walk along the strongest links can do."""
    links: dict[str, list[tuple[float, str]]] = {}
    for row in rows:
        for here, there in ((row["first"], row["second"]), (row["second"], row["first"])):
            links.setdefault(here, []).append((row["effect"], there))
    order: list[str] = []
    for start in sorted(links, key=lambda name: (-len(links[name]), name)):
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name not in order:
                order.append(name)
                waiting += [other for _, other in sorted(links[name]) if other not in order]
    places = {name: place for place, name in enumerate(order)}
    drawn = [(places[row["first"]], places[row["second"]], min(row["effect"], 1.0)) for row in rows]
    return svg.network(order, drawn)


def _cards(graph: Graph, stake: str) -> Iterator[str]:
    rows = graph.ask(
        "MATCH (j:Joker)-[r:REQUIRES_CARD]->(c:PlayingCard) WHERE r.stake = $stake RETURN j.name AS joker, "
        "c.name AS cards, r.strength AS strength, r.effect AS effect, r.low AS low, r.high AS high, "
        "r.optimal_quantity AS amount, r.trials AS trials",
        {"stake": stake},
    ).rows
    rows.sort(key=lambda row: (-row["low"], row["joker"], row["cards"]))
    yield "### Jokers and the cards that they want\n"
    yield "Strength of adding that many cards to the deck beyond what they do with the typical joker.\n"
    yield "| joker | cards | added | strength (95 %) | trials |"
    yield "|---|---|---|---|---|"
    for row in rows[:_SHOWN]:
        row |= {end: row[end] / math.log(2) for end in ("low", "effect", "high")}
        yield f"| {row['joker']} | {row['cards']} | {row['amount']} | {_interval(row)} | {row['trials']} |"
    yield ""


def _hands(graph: Graph, stake: str) -> Iterator[str]:
    rows = graph.ask(
        "MATCH (j:Joker)-[r:ENABLES_STRATEGY]->(s:Strategy) WHERE r.stake = $stake AND r.doubtful = false "
        "RETURN j.name AS joker, s.hand AS hand, r.effect AS effect",
        {"stake": stake},
    ).rows
    played = graph.ask(
        "MATCH (s:Strategy) WHERE s.stake = $stake AND s.games_played > 0 RETURN s.hand AS hand, "
        "s.games_played AS games, s.win_rate AS win_rate, s.ante_reached AS ante",
        {"stake": stake},
    ).rows
    of_hand = {row["hand"]: row for row in played}
    yield "### Poker hands\n"
    yield "Games by the hand they played most, and the jokers that three more levels of it make strongest.\n"
    yield "| hand | games | won | mean ante | jokers |"
    yield "|---|---|---|---|---|"
    for hand in HANDS:
        best = sorted((row for row in rows if row["hand"] == hand), key=lambda row: (-row["effect"], row["joker"]))[:5]
        jokers = ", ".join(f"{row['joker']} {row['effect'] / math.log(2):+.2f}" for row in best) or "-"
        one = of_hand.get(hand)
        told = f"{one['games']:,} | {100 * one['win_rate']:.0f} % | {one['ante']:.1f}" if one else "0 | - | -"
        yield f"| {hand} | {told} | {jokers} |"
    yield ""


def _against_naive(pairs: Sequence[Row]) -> Iterator[str]:
    """What the naive formula says of the same pairs."""
    known = [row for row in pairs if row["naive"] >= 0]
    if len(known) < 2 * _SHOWN:
        return
    both = set(map(_name, known[:_SHOWN])) & set(map(_name, sorted(known, key=lambda row: -row["naive"])[:_SHOWN]))
    full = sum(row["naive"] >= 1 for row in known)
    yield "### Beside the naive formula\n"
    yield (
        f"Of the {len(known):,} pairs above zero that enough games held, the {_SHOWN} strongest by either way have "
        f"{len(both)} in common. The naive formula gives {full:,} of them its highest strength, 1.\n"
    )


def _name(row: Row) -> str:
    return f"{row['first']} + {row['second']}"


def _interval(row: Row) -> str:
    return f"{row['effect']:+.2f} ({row['low']:+.2f} to {row['high']:+.2f})"
