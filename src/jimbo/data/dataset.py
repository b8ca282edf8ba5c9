"""Files of decisions summarized, validated by replaying their games, and converted to the other form."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jimbo.data.columns import BESIDE, DecisionRows, GameRows
from jimbo.data.config_file import WHOLE_GAMES, config_path, read_config, write_config
from jimbo.data.record import Considered, Decision, versions
from jimbo.data.record_v1 import GameLines
from jimbo.data.record_v1_files import Step, replay
from jimbo.data.samples import MEASURES, OF_CANDIDATES, PHASES, BadData, Facts, Game, Samples, form_of, has_lines
from jimbo.engine import Action, ActionKind, PublicState, batch_schema_hash, describe
from jimbo.files import check_place, reason, replacing, sentence
from jimbo.seeds.seed_sets import rollout_seeds

_MOST = 1_000_000
"""Seeds that are compared, since it takes a while to list them."""
_KINDS = tuple(ActionKind)
_OF_STATES = [column.name for column in BESIDE if column.source.startswith("state.")]
_COMPARED = ("phases", "observations", "chosen", "blinds", "rewards")


def summarize(path: Path) -> dict[str, Any]:
    """What a file of decisions holds; BadData with a sentence if it cannot be read."""
    form = form_of(path)
    facts: Facts = form.facts_of(path)
    phases: Counter[str] = Counter()
    actions: Counter[str] = Counter()
    games: list[Game] = []
    listed = valued = 0
    for rows in form.iter_rows(path):
        samples = rows.samples
        counts = np.bincount(samples.phases, minlength=len(PHASES)).tolist()
        phases.update({str(phase): count for phase, count in zip(PHASES, counts, strict=True) if count})
        actions.update(map(str, rows.beside["action"]))
        games += samples.played
        listed += int((samples.chosen >= 0).sum())
        with_values = np.repeat(np.arange(len(samples)), np.diff(samples.starts))[~np.isnan(samples.values)]
        valued += len(np.unique(with_values))
    size, decisions = path.stat().st_size, phases.total()
    players = Counter(", ".join(filter(None, (game.agent, game.deck, game.stake, game.challenge))) for game in games)
    antes = Counter(game.ante for game in games)
    return {
        "file": str(path),
        "schema": facts.schema,
        "schema_hash": batch_schema_hash(),
        "versions": dict(facts.versions),
        "bytes": size,
        "bytes_per_decision": round(size / decisions, 1),
        "games": len(games),
        "total_records": decisions,
        "hand_records": phases["selecting_hand"],
        "shop_records": phases["shop"] + phases["pack_opening"],
        "players": dict(players.most_common()),
        "phases": dict(phases.most_common()),
        "actions": dict(actions.most_common()),
        "results": dict(Counter(game.result for game in games).most_common()),
        "final_antes": {str(ante): antes[ante] for ante in sorted(antes)},
        "listed_share": round(listed / decisions, 4),
        "valued_share": round(valued / decisions, 4),
    }


# --- Checking ---------------------------------------------------------------------------------------------------------


def validate(path: Path) -> int:
    """Counts the decisions of a file; BadData names the first that disagrees with the replayed game."""
    _check_whole_games(path)
    count = 0
    numbers = _Numbers(path)
    form = form_of(path)
    for rows in form.iter_rows(path, replayed=True) if has_lines(path) else form.iter_rows(path):
        numbers.check(rows, count)
        if not has_lines(path):  # lines are compared with their game when they are read
            _compare(path, rows, count)
        count += len(rows)
    return count


class _Numbers:
    """The numbers of the games of a file: each once and, where its settings are beside it, on its own seed."""

    def __init__(self, path: Path) -> None:
        settings = read_config(path)
        self._path, self._seen = path, set[int]()
        self._games, prefix = settings.get("games"), settings.get("seed_prefix")
        self._order = rollout_seeds(prefix) if isinstance(prefix, str) else iter(())
        self._seeds: list[str] = []

    def check(self, rows: DecisionRows, before: int) -> None:
        for game, first in zip(rows.samples.played, np.flatnonzero(rows.samples.steps == 1).tolist(), strict=False):
            if wrong := self._wrong(game):
                kind = "line" if has_lines(self._path) else "row"
                raise BadData(f"{self._path}, {kind} {before + first + 1}: {wrong}.")
            self._seen.add(game.number)

    def _wrong(self, game: Game) -> str:
        if game.number in self._seen:
            return f"game {game.number} is there twice"
        if isinstance(self._games, int) and not 0 <= game.number < self._games:
            return f"there is no game {game.number} among the {self._games:,} of {config_path(self._path).name}"
        self._seeds += islice(self._order, max(0, min(game.number, _MOST) + 1 - len(self._seeds)))
        if game.number < len(self._seeds) and game.seed != self._seeds[game.number]:
            return f"game {game.number} is on the seed {game.seed}, not on {self._seeds[game.number]}"
        return ""


def _compare(path: Path, rows: DecisionRows, before: int) -> None:
    gathered = GameRows()
    for game, steps in _replayed(path, rows, before):
        for step in steps:
            gathered.add(*step)
        gathered.end(game)
    again = gathered.rows()
    said, found = rows.samples, again.samples
    counts = np.diff(said.starts) != np.diff(found.starts)
    if counts.any():
        differ = {"candidates": counts}
    else:
        differ = {name: _differ(said, found, name) for name in _COMPARED}
        owners = np.repeat(np.arange(len(said)), np.diff(said.starts))
        differ |= {name: np.isin(np.arange(len(said)), owners[_differ(said, found, name)]) for name in OF_CANDIDATES}
        differ |= {name: np.array(rows.beside[name]) != np.array(again.beside[name]) for name in _OF_STATES}
    for name, wrong in differ.items():
        if wrong.any():
            row = before + int(np.argmax(wrong)) + 1
            raise BadData(f"{path}, row {row}: {name} is not as in the game, played again.")


def _differ(said: Samples, found: Samples, name: str) -> NDArray[np.bool_]:
    """Which rows of an array do, byte by byte."""
    one, other = (
        np.ascontiguousarray(getattr(samples, name)).view(np.uint8).reshape(len(getattr(samples, name)), -1)
        for samples in (said, found)
    )
    return np.asarray((one != other).any(axis=1))


def _replayed(path: Path, rows: DecisionRows, before: int) -> Iterator[tuple[Game, list[Step]]]:
    """Each game, and its decisions played again; ``before`` is how many rows of the file came before."""
    firsts = np.flatnonzero(rows.samples.steps == 1).tolist()
    for game, first in zip(rows.samples.played, firsts, strict=True):
        steps: list[Step] = []
        try:
            steps.extend(replay(game, partial(_decision, rows, first)))
        except ValueError as error:
            raise BadData(sentence(f"{path}, row {before + first + len(steps) + 1}: {error}")) from None
        yield game, steps


def _decision(rows: DecisionRows, first: int, state: PublicState, number: int) -> Decision:
    """A decision of a game whose first row is ``first``.

    Values are those of candidates; what else was considered, and in which words, columns do not tell.
    """
    row = first + number
    samples, beside = rows.samples, {name: values[row] for name, values in rows.beside.items()}
    start, end = samples.starts[row], samples.starts[row + 1]
    values, chosen = samples.values[start:end].tolist(), int(samples.chosen[row])
    considered: list[Considered] = []
    if not all(map(math.isnan, values)):
        actions = [_action(*parts) for parts in describe(state).actions.tolist()]
        if len(actions) != len(values):
            raise ValueError(f"there are {len(values)} candidates, but the game has {len(actions)}")
        considered = [
            Considered(action, value, "", chosen=place == chosen)
            for place, (action, value) in enumerate(zip(actions, values, strict=True))
            if not math.isnan(value)
        ]
    return Decision(
        action=Action(beside["action"], beside["index"], beside["to"], beside["cards"]),
        considered=tuple(sorted(considered, key=lambda other: -other.value)),
        explanation=beside["explanation"],
        measure=MEASURES[samples.measures[row]],
        win=beside["win"],
    )


def _action(kind: int, index: int, to: int, cards: int) -> Action:
    return Action(_KINDS[kind], index, to, [place for place in range(cards.bit_length()) if cards >> place & 1])


# --- Converting -------------------------------------------------------------------------------------------------------


def convert(source: Path, target: Path) -> int:
    """Writes a file in the other form and returns the number of decisions; BadData for a target of the same form."""
    if has_lines(source) == has_lines(target):
        raise BadData(f"{source} and {target} are of the same form. Convert .jsonl to .parquet, or the other way.")
    if target.exists():
        raise BadData(f"{target} is there already. Choose another file.")
    to_columns = has_lines(source)
    try:
        check_place(target)
        facts = _check_whole_games(source)
        settings = {
            **(read_config(source) or facts.config),
            "format": "parquet" if to_columns else "jsonl",
            "converted_from": source.name,
            "schema_hash": batch_schema_hash(),
            "versions": dict(versions()),
        }
        with replacing(target) as beside:
            count = _to_columns(source, beside, settings) if to_columns else _to_lines(source, beside)
        write_config(target, settings)
    except OSError as error:
        raise BadData(f"{target} cannot be written: {reason(error)}.") from None
    return count


def _check_whole_games(path: Path) -> Facts:
    """What a file says about itself; BadData for columns that say that they hold only some decisions of each game."""
    facts: Facts = form_of(path).facts_of(path)
    if facts.config.get(WHOLE_GAMES) is False:
        raise BadData(
            f"{path} holds only those decisions of its games in which a player was corrected, so the games cannot be "
            "played again. It can be learnt from as it is."
        )
    return facts


def _to_columns(source: Path, target: Path, settings: dict[str, Any]) -> int:
    from jimbo.data.parquet import table_of, writer

    count = 0
    with writer(target, settings) as out:
        for rows in form_of(source).iter_rows(source):
            out.write_table(table_of(rows, settings))
            count += len(rows)
    return count


def _to_lines(source: Path, target: Path) -> int:
    count = 0
    lines = GameLines()
    with target.open("w", encoding="utf-8") as out:
        for rows in form_of(source).iter_rows(source):
            for game, steps in _replayed(source, rows, count):
                for step in steps:
                    lines.add(*step)
                lines.end(game)
            out.writelines(lines.gathered() or ())
            lines.clear()
            count += len(rows)
    return count
