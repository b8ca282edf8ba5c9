"""RecordV1: one line of JSON for each decision, with every field of the project that the format comes from.

A line tells the exact action, and a game's lines its seed, deck and stake: that is enough to play the game again, so
reading checks every line against the game itself (``record_v1_files``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from jimbo.data.action_json import SHAPES
from jimbo.data.columns import columns
from jimbo.data.record import Considered, Decision, versions
from jimbo.data.record_files import action_data, considered_data
from jimbo.data.record_v1_actions import (
    MAX_HAND,
    hand_action_id,
    legal_action_ids,
    legal_shop_action_ids,
    shop_action_id,
)
from jimbo.data.record_v1_features import PHASE_NAMES, hand_features, shop_features
from jimbo.data.results import LARGEST, Outcome
from jimbo.data.samples import Game
from jimbo.engine import Action, PublicState, batch_schema_hash
from jimbo.files import finite, writable

RECORD_SCHEMA = "record_v1"
OBS_RAW = "obs_raw"
"""One more field, where it was asked for: the public state before the decision (public_v1)."""
_MACRO = {"select_blind": "select", "skip_blind": "skip", "cash_out": "cash_out", "leave_shop": "next_round"}
_COLUMNS = {column.name: column for column in columns()}

Json = dict[str, Any]


# --- Fields -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of a game: what a line is made of."""

    step: int
    """From 1."""
    state: PublicState
    decision: Decision
    outcome: Outcome
    blinds: int
    """Beaten before."""
    instance: int
    url: str | None

    @property
    def is_hand(self) -> bool:
        """A play or a discard."""
        return self.decision.action.kind in ("play", "discard")


@dataclass(frozen=True, slots=True)
class Field:
    doc: str
    decided: Callable[[Decided], Any] | None = None
    game: Callable[[Game], Any] | None = None
    """What is the same in all lines of a game."""
    attribute: str = ""
    """Of the game, where it is no more than that."""


def _decided(column: str, read: Callable[[Decided], Any] | None) -> Field:
    return Field(_COLUMNS[column].doc, read)


def _of_game(column: str) -> Field:
    attribute = _COLUMNS[column].attribute
    return Field(_COLUMNS[column].doc, game=attrgetter(attribute), attribute=attribute)


def macro_action(action: Action) -> str:
    """The name of an action that is no play or discard."""
    return _MACRO.get(action.kind) or SHAPES[action.kind].action_type


def _considered(other: Considered) -> Json:
    return considered_data(other) | {
        "value": _number(other.value),
        "text": writable(other.text),
        "clear": _number(other.clear),
        "error": _number(other.error),
    }


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _number(value: float | None) -> float | None:
    """JSON knows no infinities, and what is not a number is nothing."""
    return None if value is None or math.isnan(value) else finite(value, LARGEST)


FIELDS: dict[str, Field] = {
    "schema_version": Field("`record_v1`", lambda _: RECORD_SCHEMA),
    "timestamp": Field("when the decision was written down, UTC", lambda _: _now()),
    "episode_id": _of_game("game"),
    "step_id": _decided("step", lambda line: line.step),
    "instance_id": Field("which worker process played it, from 0", lambda line: line.instance),
    "base_url": Field(
        "where it was played: `sim://` and the worker, or the address of the real game",
        lambda line: line.url or f"sim://{line.instance}",
    ),
    "phase": Field(
        f"what was decided: {', '.join(f'`{name}`' for name in PHASE_NAMES.values() if name != 'GAME_OVER')}",
        lambda line: PHASE_NAMES[line.state.phase],
    ),
    "done": _decided("done", lambda line: line.outcome.done),
    "hand_size": Field("cards in hand, at most 10", lambda line: min(len(line.state.hand), MAX_HAND)),
    "legal_action_ids": Field(
        "hand ids that the rules allow; empty outside of a hand", lambda line: legal_action_ids(line.state)
    ),
    "expert_action_id": Field(
        "hand id of the action taken; null where it has none",
        lambda line: hand_action_id(len(line.state.hand), line.decision.action) if line.is_hand else None,
    ),
    "macro_action": Field(
        "what was done, where it is no play or discard: `select`, `cash_out`, `next_round`, `BUY`...",
        lambda line: None if line.is_hand else macro_action(line.decision.action),
    ),
    "reward": _decided("reward", lambda line: line.outcome.reward),
    "reward_info": Field("what the reward is: `chips_scored`", lambda _: "chips_scored"),
    "features": Field("feature_v2: ten cards and twelve named numbers", lambda line: hand_features(line.state)),
    "shop_legal_action_ids": Field(
        "shop ids that the rules allow; empty outside of shops and packs",
        lambda line: legal_shop_action_ids(line.state),
    ),
    "shop_expert_action_id": Field(
        "shop id of the action taken; null where it has none",
        lambda line: shop_action_id(line.decision.action) if line.state.phase in ("shop", "pack_opening") else None,
    ),
    "shop_features": Field("sixteen numbers of a shop or pack; null elsewhere", lambda line: shop_features(line.state)),
    "value_target": Field(
        "what the player found its action worth; null where it did not say",
        lambda line: next((_number(other.value) for other in line.decision.considered if other.chosen), None),
    ),
    "seed": _of_game("seed"),
    "deck": _of_game("deck"),
    "stake": _of_game("stake"),
    "challenge": _of_game("challenge"),
    "policy": _of_game("agent"),
    "nonce": _of_game("nonce"),
    "versions": Field("package, engine and rules", game=lambda _: dict(versions())),
    "schema_hash": Field("of observations and candidates (`batch_schema_hash()`)", game=lambda _: batch_schema_hash()),
    "action": Field("the action itself: kind, index, to, cards", lambda line: action_data(line.decision.action)),
    "measure": _decided("measure", lambda line: line.decision.measure),
    "candidates": Field(
        "what the player looked at: action, value, text, clear, error, chosen",
        lambda line: [_considered(other) for other in line.decision.considered],
    ),
    "win": _decided("win", lambda line: _number(line.decision.win)),
    "explanation": _decided("explanation", lambda line: writable(line.decision.explanation)),
    "blinds": _decided("blinds", lambda line: line.blinds),
    "return": _decided("return", None),
    "result": _of_game("result"),
    "final_ante": _of_game("final_ante"),
    "final_round": _of_game("final_round"),
    "blinds_total": _of_game("blinds_total"),
    "steps": _of_game("steps"),
}
"""The fields in their order. The sums of rewards follow when the game has ended."""
_OF_DECISIONS = [(name, field.decided) for name, field in FIELDS.items() if field.decided]
_OF_GAMES = [(name, field.game) for name, field in FIELDS.items() if field.game]
GAME_ATTRIBUTES = {field.attribute: name for name, field in FIELDS.items() if field.attribute}
"""The attributes of a game, and the fields that hold them."""


# --- Lines ------------------------------------------------------------------------------------------------------------


class GameRecords:
    """The lines of one game, gathered decision by decision; they are whole when it has ended."""

    def __init__(self, *, include_obs_raw: bool = False) -> None:
        self._include_obs_raw = include_obs_raw
        self._lines: list[Json] = []
        self.beaten = 0
        """Blinds so far."""

    def __len__(self) -> int:
        return len(self._lines)

    def add(
        self, state: PublicState, decision: Decision, outcome: Outcome, *, instance: int = 0, url: str | None = None
    ) -> None:
        decided = Decided(len(self._lines) + 1, state, decision, outcome, self.beaten, instance, url)
        line = {name: read(decided) for name, read in _OF_DECISIONS}
        if self._include_obs_raw:
            line[OBS_RAW] = state.to_data()
        self._lines.append(line)
        self.beaten += outcome.beaten

    def ended(self, game: Game) -> list[Json]:
        """All fields in their order."""
        head = {name: read(game) for name, read in _OF_GAMES}
        total = 0.0
        for line in reversed(self._lines):
            total = min(total + line["reward"], LARGEST)
            line |= head
            line["return"] = total
        names = [*FIELDS, OBS_RAW] if self._include_obs_raw else list(FIELDS)
        return [{name: line[name] for name in names} for line in self._lines]


def line_text(line: Json) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
