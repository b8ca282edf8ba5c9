"""The columns of a file of decisions: what each holds, its type, and where it comes from.

A number of the game, of the state or of the decision becomes a column by one row here: games are gathered, files
written, read and checked, and docs/data.md made (``tools/data_page.py``) by this list. What is learnt from stands in
``Samples`` as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from jimbo.data.samples import MEASURES, PHASES, candidate_widths
from jimbo.engine import observation_dtype
from jimbo.files import writable


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    type: str
    """As pyarrow spells it."""
    source: str
    """An attribute of ``game``, ``state``, ``decision`` or ``samples``; ``derived``: a method of samples."""
    doc: str
    labels: tuple[str, ...] = ()
    """The texts whose places ``samples`` holds."""
    kept: Callable[[Any], Any] | None = None
    """What is kept of an attribute of the decision."""
    nullable: bool = False

    @property
    def owner(self) -> str:
        return self.source.partition(".")[0]

    @property
    def attribute(self) -> str:
        return self.source.partition(".")[2]


_PLAIN = (
    Column("game", "int32", "game.number", "which game of the rollout, from 0; the same in all its decisions"),
    Column("seed", "string", "game.seed", "the seed of the game"),
    Column("deck", "string", "game.deck", "key of the deck"),
    Column("stake", "string", "game.stake", "key of the stake"),
    Column("challenge", "string", "game.challenge", "key of the challenge; null without one", nullable=True),
    Column("agent", "string", "game.agent", "who played"),
    Column("nonce", "int64", "game.nonce", "seed of the agent's own random choices"),
    Column(
        "result", "string", "game.result",
        "how the game ended: `win`, `loss`, or `open` where it was left before its end",
    ),
    Column("final_ante", "int16", "game.ante", "the ante in which it ended; beating a boss begins the next"),
    Column("final_round", "int16", "game.round", "the round in which it ended"),
    Column("blinds_total", "int16", "game.blinds", "blinds beaten in the whole game"),
    Column("steps", "int32", "game.steps", "decisions in the whole game"),
    Column("step", "int32", "samples.steps", "which decision of its game, from 1"),
    Column("phase", "string", "samples.phases", f"what is decided: {', '.join(PHASES[:-1])}", PHASES),
    Column("ante", "int16", "state.ante", "the present ante"),
    Column("round", "int16", "state.round", "blinds started so far"),
    Column("blinds", "int16", "samples.blinds", "blinds beaten before this decision"),
    Column("dollars", "int32", "state.dollars", "money held"),
    Column("hands_left", "int16", "state.hands_left", "hands left in the round"),
    Column("discards_left", "int16", "state.discards_left", "discards left in the round"),
    Column("chips", "double", "state.chips", "scored in the round so far"),
    Column("target", "double", "state.blind.target", "score to reach in the blind last selected"),
    Column("action", "string", "decision.action.kind", "kind of the action taken, such as play"),
    Column("index", "uint8", "decision.action.index", "which card, joker or consumable it is about"),
    Column("to", "uint8", "decision.action.to", "where a moved card goes"),
    Column("cards", "list<item: uint8>", "decision.action.cards", "selected hand positions, from 0", kept=bytes),
    Column(
        "chosen", "int16", "samples.chosen", "place of the action among the candidates; -1 where it is not listed"
    ),
    Column(
        "measure", "string", "samples.measures",
        "what the values are: `value`, `score`, `clear`, `win` or `choice`", MEASURES,
    ),
    Column("win", "float", "decision.win", "chance to win as the player saw it; null where it had none", nullable=True),
    Column("explanation", "string", "decision.explanation", "the player's reason", kept=writable),
    Column("reward", "float", "samples.rewards", "chips scored by the decision"),
    Column("return", "double", "derived.returns", "the rewards from this decision to the end of the game"),
    Column("done", "bool", "derived.done", "the decision ended the game"),
    Column(
        "candidate_values", "list<item: float>", "samples.values",
        "what each candidate was worth to the player; NaN: not looked at",
    ),
)  # fmt: skip


@cache
def columns() -> tuple[Column, ...]:
    """All columns in their order."""
    ids, numbers = candidate_widths()
    size = observation_dtype().itemsize
    return (
        *_PLAIN,
        Column("observation", f"fixed_size_binary[{size}]", "samples.observations", "one observation_dtype()"),
        Column("candidate_ids", "binary", "samples.candidate_ids", f"{ids} uint8 for each candidate"),
        Column("candidate_rows", "binary", "samples.candidate_rows", f"{numbers} float32 for each candidate"),
    )


def columns_of(*owners: str) -> tuple[Column, ...]:
    """Columns that hold attributes of these."""
    return tuple(column for column in columns() if column.owner in owners)
