"""The page docs/schemas.md, from the lists of fields.

``python tools/schema_page.py`` prints it.
"""

from __future__ import annotations

import json

from jimbo.data.action_json import SHAPES, ActionShape
from jimbo.engine import public_schema_hash, public_schema_table, schema_hash, schema_table


def markdown() -> str:
    """The whole page."""
    actions = "\n".join(
        f"| `{kind}` | {shape.action_type} | {_describe_params(shape)} | {'yes' if shape.cards else ''} |"
        for kind, shape in SHAPES.items()
    )
    return _PAGE.format(
        state=_rows(schema_table()),
        public=_rows(public_schema_table()),
        actions=actions,
        hash=schema_hash(),
        public_hash=public_schema_hash(),
    )


def _rows(table: str) -> str:
    cells = (line.split("\t") for line in table.splitlines())
    return "\n".join(f"| `{path}` | {kind} | {meaning} |" for path, kind, meaning in cells)


def _describe_params(shape: ActionShape) -> str:
    parts = [f"{name}: {json.dumps(value)}" for name, value in shape.fixed]
    parts += [f"{name}: place" for name in (shape.index, shape.to) if name]
    return ", ".join(parts)


_PAGE = """# Schemas

Written by `python tools/schema_page.py`, from the lists of fields in `engine/store/state_fields.hpp` and
`engine/view/public_state.hpp`.

## state_v1

`Run.to_json()` writes the complete state, `Run.from_json()` reads it. A field that is missing or unknown, or holds what
no run can have, is refused by its path (`state.jokers[0].colour: the field is unknown`). Fields of kind *derived* are
written for readers; they may be left out and are ignored when read.

A number that JSON cannot hold is written as the text `"inf"` or `"nan"`. Scores and targets may be infinite. `"nan"` is
allowed in three places only: the target from ante 39 on, where the game's own formula fails; scores in a challenge that
caps the chips at the money held, where no chips can meet infinite mult; and a random stream whose hash fails.

`Run.save()` stores the same with the schema hash (now `{hash}`); a run saved under another hash is refused. Pickled
runs hold the bytes of `Run.save()`.

A card is `{{"uid", "rank", "suit", "key", "modifier", "state", "bonus"?, "created_suit"?}}`: `uid` its place in the
creation order, `key` such as `H_T` (`rank` and `suit` are derived from it), `modifier` at most one enhancement
(`m_glass`), one edition (`e_foil`) and one seal (`seal_gold`), `state` out of `debuffed`, `face_down`, `forced`,
`played_this_ante` and `worn` (debuffed for good), `bonus` the chips it gained for good, `created_suit` the suit it was
created with, where that is another (equal cards lie in its order).

| field | kind | meaning |
|---|---|---|
| `schema_version` | text | `state_v1` |
{state}

## public_v1

`PublicState.to_json()` writes what the player of a run may know, and nothing else; `PublicState.from_json()` reads it,
and `to_data()` and `from_data()` do the same with dicts and lists. It can be made of plain data by any program: fields
of kind *derived* follow from the others by the rules and are made anew when a state is read. Items of lists (cards,
jokers, offers...) leave out members that have their usual value: nothing, 0, false, or 1 for `x_mult` and 5 for
`perish_left`. A field that is missing or unknown, or holds what no run can look like, is refused by its path. The hash
of the schema is `{public_hash}`.

| field | kind | meaning |
|---|---|---|
| `schema_version` | text | `public_v1` |
{public}

## action_v1

`{{"schema_version", "phase", "action_type", "indices"?, "params"?}}`: `phase` is the phase before the action, `indices`
are selected hand positions (from 0, left to right).

| action | action_type | params | indices |
|---|---|---|---|
{actions}

## jimbo_record_v2

The record of a run, as JSON lines: `jimbo play` saves it and `jimbo watch --record` writes it. The first is the header:
`schema`, `seed`, `deck`, `stake`, `challenge`, `agent`, `options`, `nonce`, `versions` and, where the run does not
begin as its seed does, `start` (state_v1). Then one line for each decision, written at once: `step` (from 1), `action`
(`kind`, `index`, `to`, `cards`), `explanation`, `seconds`, `measure`, `win` (the chance to win as things stand, or
null) and `candidates` (what was considered: `action`, `value`,
`text`, `clear`, `error`, `chosen`). A line with `snapshot` has the public state (public_v1) after a `step`; records
have them only where they were asked for. The last line is `end`: `result` (`win`, `loss` or `open`), `ante`, `round`,
`steps`, `public_hash` and, where the world that was played in knows it, `state_hash`. A line that was cut at the end of
a file is left out; any other that does not fit is refused by its number. A hash is the SHA-256 of the compact JSON with
sorted names: `public_hash` of public_v1, `state_hash` of state_v1.

## trace_v1

A projection of a record, as JSON lines (`jimbo.data.trace_of`; `jimbo trace record --format trace_v1`). The first is
the start: `schema_version`, `type` = `start`, `deck`, `stake`, `seed`, `challenge`, `schema_hash`, and the two state
hashes. Then one line for each action, written after it: `type` = `step`, `step_id` (from 0), `phase` (before), `action`
(action_v1), `state_hash_full`, `state_hash_hand_core`, `reward` (chips scored by the action), `done`, `info`,
and after every N steps, where asked for, `canonical_state_snapshot` (state_v1). `state_hash_full` is the hash of
state_v1; `hand_core` covers phase, hand, hands and discards left, ante, round, blind, chips, mult, target, money
and flags.
"""


if __name__ == "__main__":
    print(markdown(), end="")
