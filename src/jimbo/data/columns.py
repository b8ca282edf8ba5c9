"""The columns of a file of decisions, and what each of them holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from jimbo.engine import candidate_fields, observation_dtype


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    """As pyarrow spells it."""
    doc: str


_ABOUT_GAMES = (
    Column("game", "int32", "which game of the rollout, from 0; the same in all its rows"),
    Column("seed", "string", "the seed of the game"),
    Column("deck", "string", "key of the deck"),
    Column("stake", "string", "key of the stake"),
    Column("challenge", "string", "key of the challenge; null without one"),
    Column("agent", "string", "who played"),
    Column("nonce", "int64", "seed of the agent's own random choices"),
    Column("result", "string", "how the game ended: win, loss, or open where it was left before its end"),
    Column("final_ante", "int16", "the ante in which it ended; beating a boss begins the next"),
    Column("final_round", "int16", "the round in which it ended"),
    Column("blinds_total", "int16", "blinds beaten in the whole game"),
    Column("steps", "int32", "decisions in the whole game"),
)
_ABOUT_STATES = (
    Column("step", "int32", "which decision of its game, from 1"),
    Column("phase", "string", "what is decided: blind_select, selecting_hand, round_eval, shop, pack_opening"),
    Column("ante", "int16", "the present ante"),
    Column("round", "int16", "blinds started so far"),
    Column("blinds", "int16", "blinds beaten before this decision"),
    Column("dollars", "int32", "money held"),
    Column("hands_left", "int16", "hands left in the round"),
    Column("discards_left", "int16", "discards left in the round"),
    Column("chips", "double", "scored in the round so far"),
    Column("target", "double", "score to reach in the blind last selected"),
)
_ABOUT_DECISIONS = (
    Column("action", "string", "kind of the action taken, such as play"),
    Column("index", "uint8", "which card, joker or consumable it is about"),
    Column("to", "uint8", "where a moved card goes"),
    Column("cards", "list<item: uint8>", "selected hand positions, from 0"),
    Column("chosen", "int16", "place of the action among the candidates; -1 where it is not listed"),
    Column("measure", "string", "what the values are: value, score, clear, win or choice"),
    Column("win", "float", "chance to win as the player saw it; null where it had none"),
    Column("explanation", "string", "the player's reason"),
    Column("reward", "float", "chips scored by the decision"),
    Column("return", "double", "the rewards from this decision to the end of the game"),
    Column("done", "bool", "the decision ended the game"),
    Column("candidate_values", "list<item: float>", "what each candidate was worth to the player; NaN: not looked at"),
)

_NAMED = {"game": "number", "final_ante": "ante", "final_round": "round", "blinds_total": "blinds"}
GAME_ATTRIBUTES = {column.name: _NAMED.get(column.name, column.name) for column in _ABOUT_GAMES}
"""The attributes of a ``Game`` that the columns about games hold."""


@cache
def candidate_shape() -> tuple[int, int]:
    """How many ids and how many numbers describe a candidate."""
    ids = sum(field.dtype == "int16" for field in candidate_fields())
    return ids, len(candidate_fields()) - ids


@cache
def columns() -> tuple[Column, ...]:
    ids, numbers = candidate_shape()
    size = observation_dtype().itemsize
    arrays = (
        Column("observation", f"fixed_size_binary[{size}]", "one observation_dtype()"),
        Column("candidate_ids", "binary", f"{ids} uint8 for each candidate"),
        Column("candidate_rows", "binary", f"{numbers} float32 for each candidate"),
    )
    return (*_ABOUT_GAMES, *_ABOUT_STATES, *_ABOUT_DECISIONS, *arrays)
