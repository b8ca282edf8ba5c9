"""RecordV1: one line of JSON for each decision, with every field of the project that the format comes from.

A line tells the exact action, and a game's lines its seed, deck and stake: that is enough to play the game again, so
reading checks every line against the game itself (``record_v1_files``). Hand and shop features (feature_v2) are for
programs that read them; what networks of this package see is an observation, which tells everything.
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
from jimbo.data.columns import Decided, columns
from jimbo.data.record import LARGEST_VALUE, Considered, Decision, Outcome, versions
from jimbo.data.record_files import action_data, considered_data
from jimbo.data.record_v1_actions import (
    MAX_HAND,
    hand_action_id,
    legal_action_ids,
    legal_shop_action_ids,
    shop_action_id,
)
from jimbo.data.samples import Game
from jimbo.engine import Phase, PublicCard, PublicState, batch_schema_hash
from jimbo.files import finite, writable

RECORD_SCHEMA = "record_v1"
OBS_RAW = "obs_raw"
"""One more field, where it was asked for: the public state before the decision (public_v1)."""

Json = dict[str, Any]

# --- Features ---------------------------------------------------------------------------------------------------------

PHASE_NAMES = {
    Phase.blind_select: "BLIND_SELECT",
    Phase.selecting_hand: "SELECTING_HAND",
    Phase.round_eval: "ROUND_EVAL",
    Phase.shop: "SHOP",
    Phase.pack_opening: "SMODS_BOOSTER_OPENED",
    Phase.game_over: "GAME_OVER",
}
IN_SHOPS = (Phase.shop, Phase.pack_opening)
_RANKS = {name: rank for rank, name in enumerate(("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"), 2)}
_SUITS = {"C": 1, "D": 2, "H": 3, "S": 4}
_MORE_CHIPS = {"m_bonus": 30, "m_stone": 50, "e_foil": 50}
_LARGEST_SCORE = 1e300
"""In place of larger ones."""


def hand_features(state: PublicState) -> Json:
    """The first ``MAX_HAND`` cards of the hand, and twelve numbers, none of them scaled."""
    hand = state.hand[:MAX_HAND]
    values = _context(state)
    return {
        "phase": PHASE_NAMES[state.phase],
        "hand_size": len(hand),
        "card_rank_ids": _padded([_RANKS.get(card.rank or "", 0) for card in hand]),
        "card_suit_ids": _padded([_SUITS.get(card.suit or "", 0) for card in hand]),
        "card_chip_hint": _padded([_chips(card) for card in hand]),
        "card_has_enhancement": _padded([int(card.enhancement is not None) for card in hand]),
        "card_has_edition": _padded([int(card.edition is not None) for card in hand]),
        "card_has_seal": _padded([int(card.seal is not None) for card in hand]),
        "hand_pad_mask": _padded([1] * len(hand)),
        "context": list(values.values()),
        "context_values": values,
    }


def shop_features(state: PublicState) -> Json | None:
    """Sixteen numbers of a shop or an open pack; None elsewhere."""
    if state.phase not in IN_SHOPS:
        return None
    offers = len(state.shop), len(state.shop_vouchers), len(state.shop_boosters)
    choices = len(state.pack.cards) if state.pack else 0
    context = (
        int(state.phase == "shop"),
        int(state.phase == "pack_opening"),
        state.dollars / 100,
        state.reroll_price / 20,
        state.hands_left / 10,
        state.discards_left / 10,
        finite(state.chips, _LARGEST_SCORE) / 1000,
        finite(state.blind.target, _LARGEST_SCORE) / 5000,
        *offers,
        len(state.consumables),
        len(state.jokers),
        choices,
        int(state.dollars > 0),
        int(any(offers) or choices > 0),
    )
    return {"shop_context": list(context)}


def _context(state: PublicState) -> Json:
    small, big, boss = (finite(blind.target, _LARGEST_SCORE) for blind in state.blinds)
    return {
        "hands_left": state.hands_left,
        "discards_left": state.discards_left,
        "round_chips": finite(state.chips, _LARGEST_SCORE),
        "money": state.dollars,
        "reroll_cost": state.reroll_price,
        "small_blind_score": small,
        "big_blind_score": big,
        "boss_blind_score": boss,
        "jokers_count": len(state.jokers),
        "consumables_count": len(state.consumables),
        "ante_num": state.ante,
        "round_num": state.round,
    }


def _padded(values: list[int]) -> list[int]:
    return values + [0] * (MAX_HAND - len(values))


def _chips(card: PublicCard) -> int:
    """What the card itself scores; nothing while it is debuffed or lies face down."""
    if card.debuffed or card.face_down:
        return 0
    rank = _RANKS.get(card.rank or "", 0)
    chips = 11 if rank == 14 else min(rank, 10)
    return chips + card.bonus + _MORE_CHIPS.get(card.enhancement or "", 0) + _MORE_CHIPS.get(card.edition or "", 0)


# --- Fields -----------------------------------------------------------------------------------------------------------

_MACRO = {"select_blind": "select", "skip_blind": "skip", "cash_out": "cash_out", "leave_shop": "next_round"}
_COLUMNS = {column.name: column for column in columns()}


@dataclass(frozen=True, slots=True)
class Field:
    doc: str
    of_decision: Callable[[Decided], Any] | None = None
    of_game: Callable[[Game], Any] | None = None
    """For fields that are equal in all lines of a game."""
    attribute: str = ""
    """The attribute of a game that the field holds, if it is one."""


def _field(name: str, read: Callable[[Decided], Any] | None = None) -> Field:
    """What a column holds; ``read`` in another way."""
    column = _COLUMNS[name]
    if column.of_game:
        return Field(column.doc, of_game=attrgetter(column.attribute), attribute=column.attribute)
    return Field(column.doc, read or attrgetter(column.source))


def _is_hand(line: Decided) -> bool:
    """A play or a discard."""
    return line.decision.action.kind in ("play", "discard")


def _macro_action(line: Decided) -> str | None:
    """The name of an action that is no play or discard."""
    kind = line.decision.action.kind
    return None if _is_hand(line) else _MACRO.get(kind) or SHAPES[kind].action_type


def _considered(other: Considered) -> Json:
    return considered_data(other) | {
        "value": _number(other.value),
        "text": writable(other.text),
        "clear": _number(other.clear),
        "error": _number(other.error),
    }


def _number(value: float | None) -> float | None:
    """JSON knows no infinities, and what is not a number is nothing."""
    return None if value is None or math.isnan(value) else finite(value, LARGEST_VALUE)


FIELDS: dict[str, Field] = {
    "schema_version": Field("`record_v1`", of_game=lambda _: RECORD_SCHEMA),
    "timestamp": Field(
        "when the decision was written down, UTC", lambda _: datetime.now(UTC).isoformat(timespec="seconds")
    ),
    "episode_id": _field("game"),
    "step_id": _field("step"),
    "instance_id": Field("which worker process played it, from 0"),
    "base_url": Field("where it was played: `sim://` and the worker, or the address of the real game"),
    "phase": Field(
        f"what was decided: {', '.join(f'`{name}`' for name in PHASE_NAMES.values() if name != 'GAME_OVER')}",
        lambda line: PHASE_NAMES[line.state.phase],
    ),
    "done": _field("done", lambda line: line.outcome.done),
    "hand_size": Field("cards in hand, at most 10", lambda line: min(len(line.state.hand), MAX_HAND)),
    "legal_action_ids": Field(
        "hand ids that the rules allow; empty outside of a hand", lambda line: legal_action_ids(line.state)
    ),
    "expert_action_id": Field(
        "hand id of the action taken; null where it has none",
        lambda line: hand_action_id(len(line.state.hand), line.decision.action),
    ),
    "macro_action": Field(
        "what was done, where it is no play or discard: `select`, `cash_out`, `next_round`, `BUY`...", _macro_action
    ),
    "reward": _field("reward"),
    "reward_info": Field("what the reward is: `chips_scored`", of_game=lambda _: "chips_scored"),
    "features": Field("feature_v2: ten cards and twelve named numbers", lambda line: hand_features(line.state)),
    "shop_legal_action_ids": Field(
        "shop ids that the rules allow; empty outside of shops and packs",
        lambda line: legal_shop_action_ids(line.state),
    ),
    "shop_expert_action_id": Field(
        "shop id of the action taken; null where it has none",
        lambda line: shop_action_id(line.decision.action) if line.state.phase in IN_SHOPS else None,
    ),
    "shop_features": Field("sixteen numbers of a shop or pack; null elsewhere", lambda line: shop_features(line.state)),
    "value_target": Field(
        "what the player found its action worth; null where it did not say",
        lambda line: next((_number(other.value) for other in line.decision.considered if other.chosen), None),
    ),
    "seed": _field("seed"),
    "deck": _field("deck"),
    "stake": _field("stake"),
    "challenge": _field("challenge"),
    "policy": _field("agent"),
    "nonce": _field("nonce"),
    "versions": Field("package, engine and rules", of_game=lambda _: dict(versions())),
    "schema_hash": Field(
        "of observations and candidates (`batch_schema_hash()`)", of_game=lambda _: batch_schema_hash()
    ),
    "action": Field("the action itself: kind, index, to, cards", lambda line: action_data(line.decision.action)),
    "measure": _field("measure"),
    "candidates": Field(
        "what the player looked at: action, value, text, clear, error, chosen",
        lambda line: [_considered(other) for other in line.decision.considered],
    ),
    "win": _field("win", lambda line: _number(line.decision.win)),
    "explanation": _field("explanation", lambda line: writable(line.decision.explanation)),
    "blinds": _field("blinds"),
    "return": Field(_COLUMNS["return"].doc),
    "result": _field("result"),
    "final_ante": _field("final_ante"),
    "final_round": _field("final_round"),
    "blinds_total": _field("blinds_total"),
    "steps": _field("steps"),
}
"""The fields in their order. Those that are not of the decision are filled in when the game has ended."""
_OF_DECISIONS = [(name, field.of_decision) for name, field in FIELDS.items()]
_OF_GAMES = [(name, field.of_game) for name, field in FIELDS.items() if field.of_game]
GAME_ATTRIBUTES = {field.attribute: name for name, field in FIELDS.items() if field.attribute}
"""The attributes of a game, and the fields that hold them."""


# --- Lines ------------------------------------------------------------------------------------------------------------


class GameLines:
    """Takes the decisions of one game after another, and gives out those of all that have ended, as texts of lines."""

    def __init__(self, *, include_obs_raw: bool = False, instance: int = 0, url: str | None = None) -> None:
        """``instance``: number of this process; ``url``: of the real game, None for the simulator."""
        self._include_obs_raw = include_obs_raw
        self._where = {"instance_id": instance, "base_url": url or f"sim://{instance}"}
        self.clear()

    def __len__(self) -> int:
        """Decisions of games that have ended."""
        return self._ended

    def clear(self) -> None:
        """Forgets everything."""
        self._texts: list[str] = []
        self._ended = 0
        self.drop()

    def drop(self) -> None:
        """The present game is not kept."""
        self._lines: list[Json] = []
        self.beaten = 0
        """Blinds so far in the present game."""

    def add(self, state: PublicState, decision: Decision, outcome: Outcome) -> None:
        decided = Decided(len(self._lines) + 1, self.beaten, state, decision, outcome)
        line = {name: read and read(decided) for name, read in _OF_DECISIONS}
        if self._include_obs_raw:
            line[OBS_RAW] = state.to_data()
        self._lines.append(line)
        self.beaten += outcome.beaten

    def lines(self, game: Game) -> list[Json]:
        """The present game, which is over, with all fields."""
        same = {name: read(game) for name, read in _OF_GAMES} | self._where
        total = 0.0
        for line in reversed(self._lines):
            total = min(total + line["reward"], LARGEST_VALUE)
            line |= same
            line["return"] = total
        return self._lines

    def end(self, game: Game) -> None:
        """The present game is over."""
        lines = self.lines(game)
        self._texts.append("".join(f"{_line_text(line)}\n" for line in lines))
        self._ended += len(lines)
        self.drop()

    def gathered(self) -> list[str] | None:
        """A text of whole lines for each game that has ended, if there are any."""
        return self._texts or None


def _line_text(line: Json) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
