"""From recorded games to a graph: gathered, estimated, put into tables."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.engine.catalog import HANDS, JOKERS
from jimbo.extras import require
from jimbo.knowledge.effects import Effect, naive_kind, strength_of
from jimbo.knowledge.items import HAND_KEYS, JOKER_KEYS, PLACE, card_kinds
from jimbo.knowledge.moments import GameSource, Gathered, Moments
from jimbo.knowledge.pairs import (
    MOST_PAIRS,
    SHOWN,
    PairFound,
    StakePairs,
    deck_effects,
    find_cards,
    find_hands,
    find_pairs,
)
from jimbo.knowledge.schema import VERSION, Tables
from jimbo.knowledge.trials import PairTrials

Told = Callable[[str], None]
"""Called with what is being done."""
_EARLY_BLINDS = 6
"""Those of antes 1 and 2."""
_FEWEST_RUNS = 20
"""That play a poker hand most, for it to count as a strategy."""
_MULT = re.compile(r"^\+(\d+) Mult|\+(\d+) Mult\b")
_CHIPS = re.compile(r"\+(\d+) Chips\b")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Where the numbers of one stake come from; it stands in every row that holds one."""

    source: GameSource
    games: int

    def row(self, effect: Effect, trials: int, games: int | None = None) -> dict[str, Any]:
        return {
            "effect": effect.mean,
            "low": effect.low,
            "high": effect.high,
            "confidence": effect.confidence,
            "doubtful": effect.doubtful,
            "stake": self.source.stake,
            "games": self.games if games is None else games,
            "trials": trials,
            "agent": " ".join(filter(None, [self.source.agent, self.source.options])),
            "rules": self.source.rules,
        }


def tables_of(
    gathered: Gathered,
    embedding: NDArray[Any],
    *,
    sessions: int | None = None,
    built: str = "",
    told: Told = lambda doing: None,
) -> Tables:
    """All nodes and edges; ``sessions`` limits how many games have a node of their own."""
    tables = Tables()
    moments = gathered.moments
    tables.nodes["Joker"] = list(_joker_rows(moments, embedding))
    tables.nodes["PlayingCard"] = list(_card_rows())
    tables.nodes["HandType"] = list(_hand_rows(moments))
    for source in gathered.sources:
        of_stake = moments.of_games(moments.stake == source.stake)
        trials = gathered.trials.get(source.stake, PairTrials())
        told(f"{source.stake}: pairs")
        found = find_pairs(of_stake, trials)
        evidence = _Evidence(source, len(of_stake.won))
        _add_pairs(tables, found, evidence)
        _add_cards(tables, trials, evidence)
        _add_strategies(tables, of_stake, trials, evidence)
        tables.nodes["SchemaMetadata"].append(
            {
                "key": source.stake, "version": VERSION, "stake": source.stake, "games": len(of_stake.won),
                "won": int(of_stake.won.sum()), "trials": trials.positions, "agent": source.agent,
                "settings": source.options, "deck": source.deck, "rules": source.rules,
                "built": built or datetime.now(UTC).isoformat(timespec="seconds"), "usual": found.usual,
                "corrections": found.outcomes.spread,
            }
        )  # fmt: skip
    _add_sessions(tables, moments, sessions, built)
    return tables


# --- Items ------------------------------------------------------------------------------------------------------------


def _joker_rows(moments: Moments, embedding: NDArray[Any]) -> Iterator[dict[str, Any]]:
    held, score = Counter[int](), defaultdict[int, float](float)
    for used, scored in zip(moments.used, moments.score, strict=True):
        for item in used:
            held[int(item)] += 1
            score[int(item)] += float(scored)
    for key, fact in JOKERS.items():
        place = PLACE[key]
        yield {
            "key": key,
            "name": fact.name,
            "rarity": str(fact.rarity),
            "cost": fact.cost,
            "base_mult": _first_number(_MULT, fact.text),
            "base_chips": _first_number(_CHIPS, fact.text),
            "description": fact.text,
            "scaling_type": scaling_type(fact.text),
            "times_purchased": held[place],
            "total_score_contribution": score[place],
            "embedding": [float(x) for x in embedding[place]],
        }


def scaling_type(text: str) -> str:
    """What a joker's text says it changes: chips, mult, x mult, money, or none of these; and whether it grows."""
    kinds = {
        r"\bX\d": "x_mult",
        r"\bMult\b": "mult",
        r"\bChips\b": "chips",
        r"\$\d": "money",
        r"[Rr]etrigger": "retrigger",
    }
    kind = next((kind for pattern, kind in kinds.items() if re.search(pattern, text)), "other")
    return f"growing_{kind}" if re.search(r"\b[Gg]ains\b|\brises\b", text) else kind


def _first_number(pattern: re.Pattern[str], text: str) -> float:
    found = pattern.search(text)
    return float(next(group for group in found.groups() if group)) if found else 0.0


def _card_rows() -> Iterator[dict[str, Any]]:
    for key, kind in card_kinds().items():
        yield {
            "key": key,
            "name": kind.name,
            "suit": kind.suit,
            "rank": kind.rank,
            "enhancement": kind.enhancement or "",
            "seal": kind.seal or "",
            "base_chips": kind.chips,
        }


def _hand_rows(moments: Moments) -> Iterator[dict[str, Any]]:
    last = _last_moments(moments)
    plays = Counter(moments.hand[last].tolist())
    for place, (key, fact) in enumerate(HANDS.items()):
        chips, mult = float(fact.chips), float(fact.mult)
        yield {"key": key, "name": fact.name, "base_chips": chips, "base_mult": mult, "level": 1, "plays": plays[place]}


def _last_moments(moments: Moments) -> NDArray[Any]:
    return (
        np.flatnonzero(np.append(moments.game[1:] != moments.game[:-1], True))
        if len(moments.game)
        else np.zeros(0, int)
    )


# --- Edges ------------------------------------------------------------------------------------------------------------


def _add_pairs(tables: Tables, found: StakePairs, evidence: _Evidence) -> None:
    together = _strongest(found, lambda pair: pair.strength)
    groups = _clusters(together)
    for pair in together:
        first, second = _names(pair)
        tables.edges["SYNERGIZES_WITH"].append(
            _pair_row(pair, evidence)
            | {
                "strength": pair.strength,
                "synergy_type": naive_kind(pair.strength),
                "naive_strength": float(pair.naive.strength) if pair.naive else -1.0,
                "cluster": groups[first] if groups.get(first) == groups.get(second, -2) else -1,
            }
        )
    for pair in _strongest(found, lambda pair: pair.severity):
        tables.edges["COUNTERS"].append(_pair_row(pair, evidence) | {"severity": pair.severity})


def _strongest(found: StakePairs, by: Callable[[PairFound], float]) -> list[PairFound]:
    shown = [pair for pair in found.pairs.values() if by(pair) >= SHOWN]
    return sorted(shown, key=lambda pair: (-by(pair), pair.key))[:MOST_PAIRS]


def _names(pair: PairFound) -> tuple[str, str]:
    return JOKER_KEYS[pair.key.first], JOKER_KEYS[pair.key.second]


def _pair_row(pair: PairFound, evidence: _Evidence) -> dict[str, Any]:
    source, target = _names(pair)
    return {
        "source": source,
        "target": target,
        **evidence.row(pair.effect, pair.trials, pair.games),
        "confidence": pair.beyond.confidence,
        "doubtful": pair.doubtful,
        "usual": pair.usual,
        "deck": card_kinds()[pair.deck].name if pair.deck else "",
        "win_rate": pair.won / pair.games if pair.games else -1.0,
    }


def _clusters(pairs: Sequence[PairFound]) -> dict[str, int]:
    """Groups of jokers by Louvain's method, the largest first; by pairs that are not doubtful."""
    networkx = require("networkx", "graph")
    graph = networkx.Graph()
    for pair in pairs:
        if not pair.doubtful:
            graph.add_edge(*_names(pair), weight=pair.strength)
    groups = networkx.community.louvain_communities(graph, weight="weight", seed=0)
    ordered = sorted(groups, key=lambda group: (-len(group), min(group)))
    return {key: number for number, group in enumerate(ordered) for key in group}


def _add_cards(tables: Tables, trials: PairTrials, evidence: _Evidence) -> None:
    kinds = card_kinds()
    for found in find_cards(trials):
        kind = kinds[found.kind]
        tables.edges["REQUIRES_CARD"].append(
            {
                "source": JOKER_KEYS[found.joker],
                "target": found.kind,
                "condition": f"{found.best} more {kind.name} in the deck",
                "quantity": found.least,
                "optimal_quantity": found.best,
                "strength": strength_of(found.effect.mean),
                **evidence.row(found.effect, found.trials),
            }
        )
    for key, (effect, count) in deck_effects(trials).items():
        row = evidence.row(effect, count)
        row.pop("effect")
        name = f"many {kinds[key].name}"
        tables.nodes["DeckArchetype"].append(
            {"key": f"{evidence.source.stake}/{key}", "name": name, "viability_score": effect.mean, **row}
        )


def _add_strategies(tables: Tables, moments: Moments, trials: PairTrials, evidence: _Evidence) -> None:
    """A strategy is the poker hand that a run plays most."""
    stake = evidence.source.stake
    last = _last_moments(moments)
    final = dict(zip(moments.game[last].tolist(), moments.hand[last].tolist(), strict=True))
    games = defaultdict(list)
    for game, hand in final.items():
        games[hand].append(game)
    for place, hand in enumerate(HAND_KEYS):
        own = games.get(place, [])
        tables.nodes["Strategy"].append(
            {
                "key": f"{stake}/{hand}", "name": f"{hand} runs", "hand": hand, "stake": stake,
                "win_rate": float(moments.won[own].mean()) if own else -1.0,
                "avg_score": float(moments.score[own].mean()) if own else 0.0,
                "games_played": len(own),
                "ante_reached": float(moments.ante[own].mean()) if own else 0.0,
            }
        )  # fmt: skip
    for found in find_hands(trials):
        if strength_of(found.effect.mean) >= SHOWN:
            tables.edges["ENABLES_STRATEGY"].append(
                {
                    "source": JOKER_KEYS[found.joker],
                    "target": f"{stake}/{found.hand}",
                    "importance": strength_of(found.effect.mean),
                    **evidence.row(found.effect, found.trials),
                }
            )
    is_early = moments.blind < _EARLY_BLINDS
    early = dict(
        zip(moments.game[is_early].tolist(), moments.hand[is_early].tolist(), strict=True)
    )  # the last one counts
    late = {game: final[game] for game in early if moments.ante[game] > _EARLY_BLINDS // 3}
    moves = Counter((early[game], hand) for game, hand in late.items() if early[game] >= 0 and hand >= 0)
    starts = Counter(early[game] for game in late)
    for (first, then), count in sorted(moves.items()):
        if starts[first] >= _FEWEST_RUNS:
            tables.edges["LEADS_TO"].append(
                {
                    "source": f"{stake}/{HAND_KEYS[first]}",
                    "target": f"{stake}/{HAND_KEYS[then]}",
                    "transition_rate": count / starts[first],
                    "games": count,
                    "stake": stake,
                }
            )


def _add_sessions(tables: Tables, moments: Moments, most: int | None, built: str) -> None:
    count = len(moments.won) if most is None else min(most, len(moments.won))
    for game in range(count):
        key = f"{moments.stake[game]}/{game}"
        tables.nodes["GameSession"].append(
            {
                "key": key, "session_id": key, "timestamp": built, "final_ante": int(moments.ante[game]),
                "final_score": float(moments.score[game]), "won": bool(moments.won[game]),
                "seed": str(moments.seed[game]), "stake": str(moments.stake[game]),
            }
        )  # fmt: skip
        for item in moments.used[game]:
            if item < len(JOKERS):
                tables.edges["USED_JOKER"].append({"source": key, "target": JOKER_KEYS[item]})


def sizes_text(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in sizes.items() if count)
