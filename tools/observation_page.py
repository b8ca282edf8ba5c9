"""docs/observation.md, from the engine's lists of fields: ``python tools/observation_page.py`` prints it."""

import itertools
import re

from jimbo.engine.observation import (
    FieldSpec,
    action_dtype,
    candidate_fields,
    observation_dtype,
    observation_fields,
    reward_terms,
    stats_fields,
    step_names,
)


def markdown() -> str:
    """The whole page."""
    return _PAGE.format(
        size=observation_dtype().itemsize,
        observation="\n".join(_observation_row(field) for field in observation_fields()),
        steps="\n".join(_step_rows()),
        step_count=len(step_names()),
        actions=", ".join(f"`{name}`" for name in action_dtype().names or ()),
        candidates="\n".join(
            f"| `{field.name}` | {field.offset} of {field.dtype} | {_values(field)} | {field.doc} |"
            for field in candidate_fields()
        ),
        terms="\n".join(f"| `{name}` | {doc} |" for name, doc in reward_terms().items()),
        stats="\n".join(f"| `{field.name}` | {field.dtype} | {field.doc} |" for field in stats_fields()),
    )


def _observation_row(field: FieldSpec) -> str:
    kind = field.dtype + (f" {list(field.shape)}" if field.shape else "")
    parts = f" Columns: {', '.join(field.parts)}." if field.parts else ""
    return f"| `{field.name}` | {kind} | {_values(field)} | {field.doc}{parts} |"


def _values(field: FieldSpec) -> str:
    if field.is_id:
        return f"{field.vocabulary} id, {field.categories} values"
    return f"{field.low:g} to {field.high:g}"


def _step_rows() -> list[str]:
    """One row for each run of steps that differ only in their number."""
    rows = []
    numbered = [(re.sub(r"_\d+$", "", name), id_, name) for id_, name in enumerate(step_names())]
    for _, group in itertools.groupby(numbered, key=lambda step: step[0]):
        steps = list(group)
        first, last = steps[0], steps[-1]
        if first is last:
            rows.append(f"| {first[1]} | `{first[2]}` |")
        else:
            rows.append(f"| {first[1]} to {last[1]} | `{first[2]}` to `{last[2]}` |")
    return rows


_PAGE = """# Observations, actions and rewards

Written by `python tools/observation_page.py`, from the lists of fields in `engine/learn/observation_fields.hpp`
and `engine/learn/candidate_fields.hpp`.

`jimbo.engine.Batch` plays many runs at once and writes what happens into numpy arrays. `batch_schema_hash()` changes
whenever observations, steps or candidates do.

## Observation

What a player sees, and nothing else: no seed, no draw order, no card that lies face down. `observation_dtype()` is
one structured numpy type of {size} bytes; `observation_fields()` describes it. Values are ids for an embedding (0 is
always nothing, `vocabulary(name)` gives their names) or numbers; those with `_log` in their name hold sign(x) ln(1 +
|x|). Lists are filled from row 0 on and hold 0 after their end.

What a mask allows can reveal a little more, as trying would: whether a joker that lies face down is eternal, and
whether a card that lies face down has an edition (Aura).

| field | type | values | meaning |
|---|---|---|---|
{observation}

## Actions

A batch takes actions in one of three encodings.

- `actions`: rows of `action_dtype()` ({actions}); `kind` is the place in `ActionKind`, `cards` the selected hand
  positions as bits.
- `steps`: one of {step_count} numbers. Cards of the hand are selected one by one, at most five, and what needs cards
  takes the selected ones; the field `selected` shows them. The selection is empty again once it has been used or the
  hand has changed.
- `candidates`: the number of one of at most K listed whole actions, each described by ids and numbers.

| step | name |
|---|---|
{steps}

The steps from `move_joker_left_1` on are allowed only in a batch with `moves=True`. A mask marks what is allowed.
Once an episode is over only entry 0 is marked: whatever comes next is ignored.

## Candidates

Plays come first, by exact expected score, then discards by what stays in the hand, actions without cards,
uses on cards, sales, and moves (a joker changes places with its left neighbour). When K is too small, actions without
cards are all kept, and half of the remaining room is for plays, a third for discards, a tenth for uses; the others get
what one kind does not need. Of their kind those that the blind solver thinks of come first, then the best play of each
poker hand and number of cards and the best three discards of each number of cards; several consumables take turns. In
hands of more than 12 cards only the 12 with the most others of their rank or suit are considered, and at most 256 plays
are scored. While anything lies face down, plays are scored in a world that `determinize` made with a fixed nonce.

| field | column | values | meaning |
|---|---|---|---|
{candidates}

## Rewards

The reward of a step is the weighted sum of these terms, minus the penalty for a refused action.

| term | meaning |
|---|---|
{terms}

## Statistics

| field | type | meaning |
|---|---|---|
{stats}
"""


if __name__ == "__main__":
    print(markdown(), end="")
