"""Advice as JSON, schema ``advice_v1``: all that a page or another program needs to show it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jimbo.data.action_json import action_to_json
from jimbo.files import finite
from jimbo.serve.assistant.advice import Advice, Suggestion
from jimbo.serve.assistant.prospects import Score
from jimbo.text import MEASURES, Told, place_name

ADVICE_SCHEMA = "advice_v1"

Json = dict[str, Any]


def advice_data(advice: Advice, suggestions: Sequence[Suggestion], *, with_state: bool = False) -> Json:
    """Write some suggestions of an advice. ``with_state`` adds what the player sees (public_v1)."""
    state, decision = advice.state, advice.decision
    data: Json = {
        "schema": ADVICE_SCHEMA,
        "agent": advice.agent,
        "phase": state.phase,
        "place": place_name(state),
        "waits_for": advice.waits_for,
        "ante": state.ante,
        "round": state.round,
        "money": state.dollars,
        "won": state.won,
        "over": state.over,
        "win": _number(advice.win),
        "measure": advice.measure,
        "measure_text": MEASURES[advice.measure][1],
        "seconds": decision.seconds if decision else 0.0,
        "suggestions": [_suggestion(one, state.phase, rank) for rank, one in enumerate(suggestions, 1)],
    }
    return data | ({"state": state.to_data()} if with_state else {})


def _suggestion(one: Suggestion, phase: str, rank: int) -> Json:
    return {
        "rank": rank,
        "action": action_to_json(one.action, phase),
        "words": one.words,
        "then": one.then,
        "chosen": one.chosen,
        "probability": _number(one.probability),
        "value": _number(one.value),
        "value_text": one.value_text,
        "clear": _number(one.clear),
        "clear_error": _number(one.clear_error),
        "score": _score(one.score) if one.score else None,
        "money": one.money,
        "expected": one.expected,
        "reason": one.reason,
    }


def _score(score: Score) -> Json:
    return {
        "hand": score.hand,
        "expected": _number(score.expected),
        "least": _number(score.least),
        "most": _number(score.most),
        "needed": _number(score.needed),
        "share": _number(score.share),
        "guessed": score.guessed,
        "breakdown": [_line(line) for line in score.told],
    }


def _line(line: Told) -> Json:
    chips, mult = line.totals or (None, None)
    return {"kind": line.kind, "who": line.who, "what": line.what, "chips": _number(chips), "mult": _number(mult)}


def _number(value: float | None) -> float | None:
    """The largest number in place of infinity, which a score can reach and JSON does not have."""
    return None if value is None or math.isnan(value) else finite(value)
