"""Events in words, for people who watch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jimbo.engine.catalog import BLINDS, BOOSTERS, CONSUMABLES, DECKS, JOKERS, STAKES, VOUCHERS
from jimbo.text.numbers import counted, money_text, number_text, percent_text

Data = Mapping[str, Any]
NOISY = ("joker_triggered", "strategy.decision")
"""Types of which there are several for everything that happens."""
_LONGEST = 160
_MOST_NUMBERS = 10


def event_words(event: Mapping[str, Any]) -> str:
    """Return one line about an event. Nobody promises that it holds more than its type."""
    kind, data = str(event.get("type")), event.get("data")
    words = _WORDS.get(kind)
    if words is not None and isinstance(data, Mapping):
        try:
            return words(data)
        except (KeyError, TypeError, ValueError, AttributeError):
            pass
    text = json.dumps(data, ensure_ascii=False)
    return f"{kind}: {text if len(text) <= _LONGEST else f'{text[: _LONGEST - 4]} ...'}"


def _name(key: Any) -> str:
    """Return the name of an item; a key that nobody knows stays as it is."""
    for table in (JOKERS, CONSUMABLES, VOUCHERS, BLINDS, DECKS, STAKES, BOOSTERS):
        if key in table:
            return str(table[key].name)
    return str(key)


def _start(data: Data) -> str:
    by = f", played by {data['agent']}" if data.get("agent") else ""
    return f"New run: {_name(data['deck'])}, {_name(data['stake'])}, seed {data['seed'] or 'unknown'}{by}"


def _hand(data: Data) -> str:
    cards, score = " ".join(map(str, data["cards"])), number_text(data["score"])
    so_far = f" ({number_text(data['total'])} of {number_text(data['required_score'])})" if "total" in data else ""
    return f"{data['hand_type']}, {cards}: {score}{so_far}"


def _round(data: Data) -> str:
    return f"Ante {data['ante']}, {_name(data['blind'])}: score at least {number_text(data['required_score'])}"


def _beaten(data: Data) -> str:
    score, needed = number_text(data["score"]), number_text(data["required_score"])
    return f"{_name(data.get('blind', data['blind_type']))} beaten with {score} of {needed}"


def _over(data: Data) -> str:
    where = (
        f"in ante {data['ante']}, round {data['round_reached']}" if "ante" in data else f"round {data['round_reached']}"
    )
    words = {"won": "Won", "lost": "Lost", "left": "Left", "error": "Broken off"}
    return f"{words.get(data['reason'], data['reason'])} {where}, last score {number_text(data['final_score'])}"


def _decision(data: Data) -> str:
    win = f", P(win) {percent_text(data['win'])}" if "win" in data else ""
    took = f", {data['milliseconds']:.1f} ms" if "milliseconds" in data else ""
    return f"Decision {data['step']}: {data.get('words', data['action'])}{win}{took}"


def _progress(data: Data) -> str:
    unit, note = f" {data['unit']}" if data.get("unit") else "", f", {data['note']}" if data.get("note") else ""
    return f"{data['phase']}: {data['done']:,.0f} of {data['total']:,.0f}{unit}{note}"


def _row(data: Data) -> str:
    numbers = [f"{name} {value:.4g}" for name, value in _flat(data["row"])][:_MOST_NUMBERS]
    return f"{', '.join(numbers)}{', the best so far' if data['best'] else ''}"


def _flat(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name} ")
        elif isinstance(value, int | float):
            yield f"{before}{name}", value


def _shop(data: Data) -> str:
    return f"Shop with {money_text(data['money'])}: {', '.join(map(_name, data['available_items']))}"


_WORDS: Mapping[str, Callable[[Data], str]] = {
    "game_start": _start,
    "hand_played": _hand,
    "card_discarded": lambda data: f"Discarded {' '.join(map(str, data['cards']))}",
    "joker_triggered": lambda data: f"{_name(data['joker_id'])}: {data['effect']}",
    "card_enhanced": lambda data: f"{data['card']} {data['change']}",
    "round_started": _round,
    "blind_defeated": _beaten,
    "round_ended": lambda data: (
        f"Round {data['round']} {'won' if data['won'] else 'lost'}, {money_text(data['money'])}"
    ),
    "shop_entered": _shop,
    "card_purchased": lambda data: f"Bought {_name(data['card_id'])} for {money_text(data['cost'])}",
    "card_sold": lambda data: f"Sold {_name(data['card_id'])} for {money_text(data['value'])}",
    "game_over": _over,
    "state_snapshot": lambda data: f"Ante {data['ante']}, round {data['round']}, {data['phase'].replace('_', ' ')}",
    "error": lambda data: f"Error: {data['message']}",
    "strategy.decision": _decision,
    "training.progress": _progress,
    "training.row": _row,
    "training.note": lambda data: str(data["text"]),
    "monitoring.started": lambda data: f"{data['program']} has started",
    "monitoring.ended": lambda data: f"{data['program']} has ended",
    "monitoring.skipped": lambda data: f"{counted(data['games'], 'game')} were not told of, to save time",
    "gap": lambda data: f"{counted(data['missed'], 'event')} missed here: this terminal was too slow",
}
