"""RecordV1: one line of JSON for each decision, with every field of the project that the format comes from.

A line tells the exact action, and a game's lines its seed, deck and stake: that is enough to play the game again, so
reading checks every line against the game itself (``record_v1_files``).
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import Any

from jimbo.data.action_json import SHAPES
from jimbo.data.decision import Considered, Decision
from jimbo.data.features import PHASE_NAMES, hand_features, shop_features
from jimbo.data.record_lines import action_data
from jimbo.data.results import LARGEST, Outcome
from jimbo.data.samples import Game
from jimbo.data.seed_ids import (
    MAX_HAND,
    hand_action_id,
    legal_action_ids,
    legal_shop_action_ids,
    shop_action_id,
)
from jimbo.data.versions import versions
from jimbo.engine import Action, PublicState, batch_schema_hash
from jimbo.files import finite, writable

RECORD_SCHEMA = "record_v1"
REWARD_INFO = "chips_scored"
_MACRO = {"select_blind": "select", "skip_blind": "skip", "cash_out": "cash_out", "leave_shop": "next_round"}

FIELDS = {
    "schema_version": "`record_v1`",
    "timestamp": "when the decision was written down, UTC",
    "episode_id": "which game of the rollout, from 0",
    "step_id": "which decision of its game, from 1",
    "instance_id": "which worker process played it, from 0",
    "base_url": "where it was played: `sim://` and the worker, or the address of the real game",
    "phase": "what was decided: `BLIND_SELECT`, `SELECTING_HAND`, `ROUND_EVAL`, `SHOP`, `SMODS_BOOSTER_OPENED`",
    "done": "the decision ended the game",
    "hand_size": "cards in hand, at most 10",
    "legal_action_ids": "hand ids that the rules allow; empty outside of a hand",
    "expert_action_id": "hand id of the action taken; null where it has none",
    "macro_action": "what was done, where it is no play or discard: `select`, `cash_out`, `next_round`, `BUY`...",
    "reward": "chips scored by the decision",
    "reward_info": "what the reward is: `chips_scored`",
    "features": "feature_v2: ten cards and twelve named numbers",
    "shop_legal_action_ids": "shop ids that the rules allow; empty outside of shops and packs",
    "shop_expert_action_id": "shop id of the action taken; null where it has none",
    "shop_features": "sixteen numbers of a shop or pack; null elsewhere",
    "value_target": "what the player found its action worth; null where it did not say",
    "seed": "seed of the game",
    "deck": "key of the deck",
    "stake": "key of the stake",
    "challenge": "key of the challenge; null without one",
    "policy": "the agent that played",
    "nonce": "seed of the agent's own random choices",
    "versions": "package, engine and rules",
    "schema_hash": "of observations and candidates (`batch_schema_hash()`)",
    "action": "the action itself: kind, index, to, cards",
    "measure": "what the values are: `value`, `score`, `clear`, `win` or `choice`",
    "candidates": "what the player looked at: action, value, text, clear, error, chosen",
    "win": "chance to win as the player saw it; null where it had none",
    "explanation": "the player's reason",
    "blinds": "blinds beaten before the decision",
    "return": "the rewards from this decision to the end of the game",
    "result": "how the game ended: `win`, `loss`, or `open` where it was left before its end",
    "final_ante": "the ante in which it ended",
    "final_round": "the round in which it ended",
    "blinds_total": "blinds beaten in the whole game",
    "steps": "decisions in the whole game",
}
"""The fields in their order, each with its meaning."""
OBS_RAW = "obs_raw"
"""One more field, where it was asked for: the public state before the decision (public_v1)."""

Json = dict[str, Any]


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
        line = {
            "schema_version": RECORD_SCHEMA,
            "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
            "episode_id": 0,
            "step_id": len(self._lines) + 1,
            "instance_id": instance,
            "base_url": url or f"sim://{instance}",
            **state_part(state, decision),
            "reward": outcome.reward,
            "done": outcome.done,
            "blinds": self.beaten,
        }
        if self._include_obs_raw:
            line[OBS_RAW] = state.to_data()
        self._lines.append(line)
        self.beaten += outcome.beaten

    def ended(self, game: Game) -> list[Json]:
        """All fields in their order."""
        head = game_part(game)
        total = 0.0
        for line in reversed(self._lines):
            total = min(total + line["reward"], LARGEST)
            line |= head
            line["return"] = total
        names = [*FIELDS, OBS_RAW] if self._include_obs_raw else list(FIELDS)
        return [{name: line[name] for name in names} for line in self._lines]


def game_part(game: Game) -> Json:
    """What is the same in all lines of a game."""
    return {
        "episode_id": game.number,
        "seed": game.seed,
        "deck": game.deck,
        "stake": game.stake,
        "challenge": game.challenge,
        "policy": game.agent,
        "nonce": game.nonce,
        "versions": dict(versions()),
        "schema_hash": batch_schema_hash(),
        "result": game.result,
        "final_ante": game.ante,
        "final_round": game.round,
        "blinds_total": game.blinds,
        "steps": game.steps,
    }


def state_part(state: PublicState, decision: Decision) -> Json:
    """What follows from a state and what was decided in it."""
    action = decision.action
    is_hand = action.kind in ("play", "discard")
    in_shop = state.phase in ("shop", "pack_opening")
    return {
        "phase": PHASE_NAMES[state.phase],
        "hand_size": min(len(state.hand), MAX_HAND),
        "legal_action_ids": legal_action_ids(state),
        "expert_action_id": hand_action_id(len(state.hand), action) if is_hand else None,
        "macro_action": None if is_hand else macro_action(action),
        "reward_info": REWARD_INFO,
        "features": hand_features(state),
        "shop_legal_action_ids": legal_shop_action_ids(state),
        "shop_expert_action_id": shop_action_id(action) if in_shop else None,
        "shop_features": shop_features(state),
        "value_target": next((_number(other.value) for other in decision.considered if other.chosen), None),
        "action": action_data(action),
        "measure": decision.measure,
        "candidates": [_considered(other) for other in decision.considered],
        "win": _number(decision.win),
        "explanation": writable(decision.explanation),
    }


def macro_action(action: Action) -> str:
    """The name of an action that is no play or discard."""
    return _MACRO.get(action.kind) or SHAPES[action.kind].action_type


def _considered(other: Considered) -> Json:
    return {
        "action": action_data(other.action),
        "value": _number(other.value),
        "text": writable(other.text),
        "clear": _number(other.clear),
        "error": _number(other.error),
        "chosen": other.chosen,
    }


def _number(value: float | None) -> float | None:
    """JSON knows no infinities, and what is not a number is nothing."""
    return None if value is None or math.isnan(value) else finite(value, LARGEST)


def line_text(line: Json) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
