"""The schemas ``state_v1``, ``action_v1`` and ``trace_v1``: runs, actions and recorded runs as JSON.

``python -m jimbo.engine.schemas`` prints their description, which stands in docs/schemas.md.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from jimbo.engine._core import Action, Run, schema_hash, schema_table

ACTION_SCHEMA = "action_v1"
TRACE_SCHEMA = "trace_v1"

Json = dict[str, Any]


# --- Actions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one kind of action is written: its type, the parameter that holds its index, and fixed parameters."""

    action_type: str
    index: str | None = None
    fixed: tuple[tuple[str, Any], ...] = ()
    cards: bool = False
    move: bool = False

    def params(self, action: Action) -> Json:
        params: Json = dict(self.fixed)
        if self.index is not None:
            params[self.index] = action.index
        if self.move:
            params |= {"src_index": action.index, "dst_index": action.to}
        return params

    def fits(self, action_type: str, params: Json) -> bool:
        wanted = {name for name, _ in self.fixed} | ({self.index} if self.index is not None else set())
        wanted |= {"src_index", "dst_index"} if self.move else set()
        return (
            action_type == self.action_type
            and set(params) == wanted
            and all(params[name] == value for name, value in self.fixed)
        )


_SHAPES: dict[str, _Shape] = {
    "select_blind": _Shape("SELECT"),
    "skip_blind": _Shape("SKIP"),
    "reroll_boss": _Shape("REROLL", fixed=(("boss", True),)),
    "play": _Shape("PLAY", cards=True),
    "discard": _Shape("DISCARD", cards=True),
    "cash_out": _Shape("CASH_OUT"),
    "buy": _Shape("BUY", "card"),
    "buy_and_use": _Shape("BUY", "card", fixed=(("use", True),), cards=True),
    "redeem": _Shape("BUY", "voucher"),
    "open_booster": _Shape("BUY", "pack"),
    "reroll": _Shape("REROLL"),
    "leave_shop": _Shape("NEXT_ROUND"),
    "pick": _Shape("PACK", "card", cards=True),
    "skip_pack": _Shape("PACK", fixed=(("skip", True),)),
    "use": _Shape("USE", "consumable", cards=True),
    "sell_joker": _Shape("SELL", "joker"),
    "sell_consumable": _Shape("SELL", "consumable"),
    "move_joker": _Shape("MOVE_JOKER", move=True),
    "move_consumable": _Shape("MOVE_CONSUMABLE", move=True),
    "move_card": _Shape("MOVE_HAND_CARD", move=True),
    "sort_hand_by_rank": _Shape("SORT_HAND", fixed=(("by", "rank"),)),
    "sort_hand_by_suit": _Shape("SORT_HAND", fixed=(("by", "suit"),)),
}


def action_to_json(action: Action, phase: str) -> Json:
    """An action as ``action_v1``; ``phase`` is the run's phase before it."""
    shape = _SHAPES[action.kind]
    record: Json = {"schema_version": ACTION_SCHEMA, "phase": phase, "action_type": shape.action_type}
    if action.cards:
        record["indices"] = action.cards
    if params := shape.params(action):
        record["params"] = params
    return record


def action_from_json(record: Json) -> Action:
    """The action of an ``action_v1`` record; ValueError says what does not fit."""
    if record.get("schema_version") != ACTION_SCHEMA:
        raise ValueError(f"only {ACTION_SCHEMA} actions can be read, not {record.get('schema_version')!r}")
    for name in record:
        if name not in ("schema_version", "phase", "action_type", "indices", "params"):
            raise ValueError(f"an action has no field {name!r}")
    action_type, params, cards = record.get("action_type"), record.get("params", {}), record.get("indices", [])
    if not isinstance(params, dict):
        raise ValueError(f"params must be an object, not {params!r}")
    if not (isinstance(cards, list) and all(map(_is_whole, cards))):
        raise ValueError(f"indices must be a list of whole numbers, not {cards!r}")
    for kind, shape in _SHAPES.items():
        if shape.fits(str(action_type), params):
            places = (params["src_index"] if shape.move else params.get(shape.index, 0), params.get("dst_index", 0))
            if not all(map(_is_whole, places)):
                raise ValueError(f"the places of an action are whole numbers: {params}")
            return Action(kind, *places, cards)
    raise ValueError(f"there is no action {action_type!r} with the parameters {sorted(params)}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# --- State hashes -----------------------------------------------------------------------------------------------------


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _hand_core(state: Json) -> Json:
    """What the scope ``hand_core`` looks at: the hand and the round's numbers."""
    return {
        "phase": state["phase"],
        "hand": state["zones"]["hand"],
        "round": {name: state["round"][name] for name in ("hands_left", "discards_left", "ante", "round_num", "blind")},
        "score": {name: state["score"][name] for name in ("chips", "mult", "target_chips")},
        "money": state["economy"]["money"],
        "flags": state["flags"],
    }


_SCOPES: dict[str, Callable[[Json], object]] = {"full": lambda state: state, "hand_core": _hand_core}


def state_hashes(run: Run) -> dict[str, str]:
    """``state_hash_full`` and ``state_hash_hand_core``: SHA-256 of the compact JSON with sorted names."""
    state = json.loads(run.to_json())
    return {f"state_hash_{scope}": _hash(project(state)) for scope, project in _SCOPES.items()}


# --- Traces -----------------------------------------------------------------------------------------------------------


class TraceRecorder:
    """Plays a run and keeps what ``trace_v1`` asks for: the start, then a record of each action, written after it."""

    def __init__(self, run: Run, *, snapshot_every: int = 0) -> None:
        self.run = run
        self.snapshot_every = snapshot_every
        self.records: list[Json] = [
            {
                "schema_version": TRACE_SCHEMA,
                "type": "start",
                "deck": run.deck,
                "stake": run.stake,
                "seed": run.seed,
                "challenge": run.challenge,
                "schema_hash": schema_hash(),
                **state_hashes(run),
            }
        ]

    def step(self, action: Action) -> Json:
        """Applies an action and returns its record."""
        phase, chips, step_id = self.run.phase, self.run.chips, len(self.records) - 1
        events = self.run.step(action)
        record: Json = {
            "schema_version": TRACE_SCHEMA,
            "type": "step",
            "step_id": step_id,
            "phase": phase,
            "action": action_to_json(action, phase),
            **state_hashes(self.run),
            "reward": max(0.0, self.run.chips - chips),
            "done": self.run.phase == "game_over",
            "info": {"events": len(events)},
        }
        if self.snapshot_every and (step_id + 1) % self.snapshot_every == 0:
            record["canonical_state_snapshot"] = json.loads(self.run.to_json())
        self.records.append(record)
        return record

    def dumps(self) -> str:
        """The trace as JSON lines."""
        return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in self.records)


def replay_trace(lines: Iterable[str]) -> Run:
    """Replays a trace from its start and checks every hash; ValueError names the first step that differs."""
    records = [json.loads(line) for line in lines if line.strip()]
    if not all(isinstance(record, dict) for record in records):
        raise ValueError(f"this is no {TRACE_SCHEMA} trace: every line must be an object")
    if not records or records[0].get("type") != "start" or records[0].get("schema_version") != TRACE_SCHEMA:
        raise ValueError(f"this is no {TRACE_SCHEMA} trace: its first line must be the start of a run")
    try:
        return _replayed(records[0], records[1:])
    except KeyError as error:
        raise ValueError(f"a line of the trace lacks the field {error}") from None


def _replayed(start: Json, steps: Iterable[Json]) -> Run:
    if start["schema_hash"] != schema_hash():
        raise ValueError("the trace was recorded by another version of Jimbo (the fields of the state differ)")
    run = Run(deck=start["deck"], stake=start["stake"], seed=start["seed"], challenge=start["challenge"])
    _check_hashes(run, start, "the start")
    for record in steps:
        run.step(action_from_json(record["action"]))
        _check_hashes(run, record, f"step {record['step_id']}")
    return run


def _check_hashes(run: Run, record: Json, where: str) -> None:
    for name, value in state_hashes(run).items():
        if record[name] != value:
            raise ValueError(f"the replay differs from the trace at {where}: {name}")


# --- Documentation ----------------------------------------------------------------------------------------------------


def markdown() -> str:
    """docs/schemas.md, from the one list of fields."""
    rows = [line.split("\t") for line in schema_table().splitlines()]
    state = "\n".join(f"| `{path}` | {kind} | {meaning} |" for path, kind, meaning in rows)
    actions = "\n".join(
        f"| `{kind}` | {shape.action_type} | {_describe_params(shape)} | {'yes' if shape.cards else ''} |"
        for kind, shape in _SHAPES.items()
    )
    return _PAGE.format(state=state, actions=actions, hash=schema_hash())


def _describe_params(shape: _Shape) -> str:
    parts = [f"{name}: {json.dumps(value)}" for name, value in shape.fixed]
    if shape.index is not None:
        parts.append(f"{shape.index}: place")
    if shape.move:
        parts += ["src_index: place", "dst_index: place"]
    return ", ".join(parts)


_PAGE = """# Schemas

Written by `python -m jimbo.engine.schemas`, from the list of fields in `engine/store/state_fields.hpp`.

## state_v1

`Run.to_json()` writes the complete state, `Run.from_json()` reads it. A field that is missing or unknown, or holds what
no run can have, is refused by its path (`state.jokers[0].colour: the field is unknown`). Fields of kind *derived* are
written for readers; they may be left out and are ignored when read.

A number that JSON cannot hold is written as the text `"inf"` or `"nan"`. Scores and targets may be infinite. `"nan"` is
allowed in three places only: the target from ante 39 on, where the game's own formula fails; scores in a challenge that
caps the chips at the money held, where no chips can meet infinite mult; and a random stream whose hash fails.

`Run.save()` stores the same with the schema hash (now `{hash}`); a run saved under another hash is refused. Pickled
runs hold the bytes of `Run.save()`.

A card is `{{"uid", "rank", "suit", "key", "modifier", "state", "bonus"?}}`: `uid` its place in the creation order,
`key` such as `H_T` (`rank` and `suit` are derived from it), `modifier` at most one enhancement (`m_glass`), one edition
(`e_foil`) and one seal (`seal_gold`), `state` out of `debuffed`, `face_down`, `forced`, `played_this_ante` and `worn`
(debuffed for good), `bonus` the chips it gained for good.

| field | kind | meaning |
|---|---|---|
| `schema_version` | text | `state_v1` |
{state}

## action_v1

`{{"schema_version", "phase", "action_type", "indices"?, "params"?}}`: `phase` is the phase before the action, `indices`
are selected hand positions (from 0, left to right).

| action | action_type | params | indices |
|---|---|---|---|
{actions}

## trace_v1

JSON lines. The first is the start: `schema_version`, `type` = `start`, `deck`, `stake`, `seed`, `challenge`,
`schema_hash`, and the two state hashes. Then one line for each action, written after it: `type` = `step`, `step_id`
(from 0), `phase` (before), `action` (action_v1), `state_hash_full`, `state_hash_hand_core`, `reward` (chips scored by
the action), `done`, `info`, and every so many steps `canonical_state_snapshot` (state_v1). A hash is the SHA-256 of the
compact JSON with sorted names; `hand_core` covers phase, hand, hands and discards left, ante, round, blind, chips,
mult, target, money and flags.
"""


if __name__ == "__main__":
    print(markdown(), end="")
