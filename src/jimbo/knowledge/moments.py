"""Recorded games played again: what each run owned whenever a blind was chosen, what it came to, and trials there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jimbo.data.samples import BadData, check_named_once
from jimbo.engine import Action, PublicState, Run
from jimbo.engine.bench import signature
from jimbo.engine.value import VALUE_BLINDS
from jimbo.extras import check_installed
from jimbo.knowledge.items import HAND_KEYS, PLACE
from jimbo.knowledge.trials import PairTrial, PairTrials, log_odds
from jimbo.models.value_file import load_value
from jimbo.rollout.pool import Lost, run_tasks

if TYPE_CHECKING:
    from jimbo.data.parquet import PlayedGame

Array = NDArray[Any]
Progress = Callable[[int], None]
"""Called with the number of games that are done."""
_CHOOSING = ("select_blind", "skip_blind")
_AT_ONCE = 100
"""Games that a process is given together."""
_BLINDS = 3
"""Blinds in an ante."""


class GameSource(NamedTuple):
    """Where games come from: what every number of the graph says of itself."""

    agent: str
    options: str
    deck: str
    stake: str
    rules: str


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """G games with M moments, at each of which a blind was chosen; the moments of a game stand together, in order."""

    stake: Array
    """[G]: key."""
    won: Array
    """[G] bool."""
    score: Array
    """[G]: chips scored in the whole game."""
    ante: Array
    """[G]: the last."""
    seed: Array
    """[G]: text."""
    used: Array
    """[G] object: the jokers that the run ever held when a blind was chosen, by number."""
    game: Array
    """[M]: which game."""
    blind: Array
    """[M]: the blind that comes next, 0 to 23."""
    dollars: Array
    """[M]"""
    value: Array
    """[M]: log odds of winning as the learnt value sees them."""
    hand: Array
    """[M]: the poker hand played most, by place; -1 where none was played yet."""
    held: Array
    """[M] object: what the run holds, as places in ``ITEMS``; copies count once."""

    def of_games(self, which: Array) -> Moments:
        """Some of the games, with their moments."""
        numbers = np.cumsum(which) - 1
        kept = which[self.game]
        of_games = {name: getattr(self, name)[which] for name in _OF_GAMES}
        of_moments = {name: getattr(self, name)[kept] for name in _OF_MOMENTS}
        return Moments(**of_games, **of_moments | {"game": numbers[self.game[kept]]})


_OF_GAMES = ("stake", "won", "score", "ante", "seed", "used")
_OF_MOMENTS = tuple(field.name for field in fields(Moments) if field.name not in _OF_GAMES)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that games were found to show."""

    sources: tuple[GameSource, ...]
    moments: Moments
    trials: Mapping[str, PairTrials]
    """By stake."""


def gather(
    paths: Sequence[Path],
    trials: int,
    *,
    seed: int = 0,
    workers: int = 1,
    model: Path | None = None,
    begun: Progress = lambda games: None,
    progress: Progress = lambda games: None,
) -> Gathered:
    """Play recorded games again; at ``trials`` of their moments jokers are tried, at each stake as many.

    BadData for a file that is not of a rollout, or of other rules.
    """
    check_installed(["pyarrow"], "data")
    from jimbo.data.parquet import iter_played

    check_named_once(paths)
    of_files = [_source(path) for path in paths]
    sources = _one_for_each_stake(of_files)
    stakes = [source.stake for path, source in zip(paths, of_files, strict=True) for _ in iter_played(path)]
    begun(len(stakes))
    tried = _shared_out(trials, np.array(stakes), np.random.default_rng(seed))
    names = [str(path) for path in paths]
    tasks = (
        (number, [(str(path), game, int(tried[number + i])) for i, (path, game) in enumerate(batch)])
        for number, batch in _batches((path, game) for path in paths for game in iter_played(path))
    )
    work = _Replays(names, seed, model)
    found: dict[int, tuple[list[Any], dict[str, PairTrials]]] = {}
    done = 0
    for (number, batch), result in run_tasks(work, tasks, workers, tries=2):
        if isinstance(result, Lost):
            raise BadData(f"Games from number {number} on cannot be played again: {result.why}.")
        if isinstance(result, str):
            raise BadData(result)
        found[number] = result
        done += len(batch)
        progress(done)
    by_stake: dict[str, PairTrials] = {}
    rows: list[Any] = []
    for number in sorted(found):
        rows += found[number][0]
        for stake, part in found[number][1].items():
            by_stake.setdefault(stake, PairTrials()).extend(part)
    return Gathered(sources, _moments(rows), by_stake)


def _one_for_each_stake(of_files: Sequence[GameSource]) -> tuple[GameSource, ...]:
    sources = tuple(dict.fromkeys(of_files))
    for first, second in combinations(sources, 2):
        if first.stake == second.stake:
            raise BadData(
                f"The games at {first.stake} are of several players or decks: {first.agent} {first.options} with "
                f"{first.deck}, and {second.agent} {second.options} with {second.deck}. Build a graph of each."
            )
    return sources


def _shared_out(trials: int, stakes: Array, random: np.random.Generator) -> Array:
    """How many trials each game has: as many at each stake, spread evenly over its games."""
    counts = np.zeros(len(stakes), np.int64)
    known = np.unique(stakes)
    for stake in known:
        of_stake = random.permutation(np.flatnonzero(stakes == stake))
        each, more = divmod(trials // len(known), len(of_stake))
        counts[of_stake] = each
        counts[of_stake[:more]] += 1
    return counts


def _source(path: Path) -> GameSource:
    from jimbo.data.parquet import facts_of

    facts = facts_of(path)
    rules, config = str(facts.versions.get("rules", "")), facts.config
    if rules != signature():
        raise BadData(
            f"{path} was played by other rules ({rules or 'unknown'}, here {signature()}). "
            "Record games with this version, by jimbo rollout."
        )
    options = ", ".join(f"{name}={value}" for name, value in dict(config.get("options", {})).items())
    names = (str(config.get(name, "")) for name in ("agent", "deck", "stake"))
    agent, deck, stake = names
    return GameSource(agent, options, deck, stake, rules)


def _batches(games: Iterable[Any]) -> Iterator[tuple[int, list[Any]]]:
    batch: list[Any] = []
    first = 0
    for number, game in enumerate(games):
        batch.append(game)
        if len(batch) == _AT_ONCE:
            yield first, batch
            first, batch = number + 1, []
    if batch:
        yield first, batch


# --- In the processes -------------------------------------------------------------------------------------------------


class _Replays:
    """Plays games again, some at a time."""

    def __init__(self, paths: Sequence[str], seed: int, model: Path | None) -> None:
        self._paths, self._seed, self._model = paths, seed, model
        self._net: Any = None

    def __call__(self, task: tuple[int, list[Any]]) -> tuple[list[Any], dict[str, PairTrials]] | str:
        if self._net is None:
            self._net, _ = load_value(self._model)
        number, games = task
        rows, trials = [], dict[str, PairTrials]()
        for i, (path, played, count) in enumerate(games):
            random = np.random.default_rng([self._seed, number + i])
            try:
                row, found = self._game(played, count, random)
            except ValueError as error:
                return f"{path}, game {played.game.number}, does not go as it was recorded: {error}."
            rows.append(row)
            for one in found:
                trials.setdefault(played.game.stake, PairTrials()).extend(one)
        return rows, trials

    def _game(self, played: PlayedGame, count: int, random: np.random.Generator) -> tuple[Any, list[PairTrials]]:
        game = played.game
        run = Run(
            deck=None if game.challenge else game.deck, stake=game.stake, seed=game.seed, challenge=game.challenge
        )
        seen, moments = [], []
        for kind, index, to, cards in played.moves:
            if kind in _CHOOSING and run.ante * _BLINDS <= VALUE_BLINDS:
                state = run.public_state()
                seen.append(_row(self._net, run, state))
                moments.append(run.clone())
            run.step(Action(kind, index=index, to=to, cards=cards))
        if run.won != (game.result == "win"):
            raise ValueError("it ends otherwise")
        tried = [PairTrial(self._net, moments[_spread(seen, random)], random).everything() for _ in range(count)]
        found = [one for one in tried if one]
        return ((game.stake, bool(run.won), played.score, game.ante, game.seed), seen), found


def _row(net: Any, run: Run, state: PublicState) -> tuple[int, int, float, int, list[int]]:
    blind = min(_BLINDS * max(run.ante - 1, 0) + _next_blind(run), VALUE_BLINDS - 1)  # vouchers lead back to ante 0
    most = max(state.hands, key=lambda hand: hand.played)
    hand = HAND_KEYS.index(most.hand) if most.played else -1
    keys = {*run.joker_keys, *run.voucher_keys, *(one.key for one in state.consumables)}
    held = sorted(PLACE[key] for key in keys if key in PLACE)
    return blind, run.dollars, log_odds(net, run), hand, held


def _next_blind(run: Run) -> int:
    return ("small", "big", "boss").index(run.on_deck)


def _spread(seen: Sequence[Any], random: np.random.Generator) -> int:
    """A moment by lot: first the ante, then the moment, so that late antes count as much as early ones."""
    antes = np.array([row[0] // _BLINDS for row in seen])
    ante = random.choice(np.unique(antes))
    return int(random.choice(np.flatnonzero(antes == ante)))


def _moments(rows: Sequence[Any]) -> Moments:
    games = [game for game, _ in rows]
    counts = [len(seen) for _, seen in rows]
    seen = [row for _, moments in rows for row in moments]
    stakes, won, score, ante, seeds = zip(*games, strict=True) if games else ([],) * 5
    blind, dollars, value, hand, held = zip(*seen, strict=True) if seen else ([],) * 5
    return Moments(
        stake=np.array(stakes, object),
        won=np.array(won, np.bool_),
        score=np.array(score, np.float64),
        ante=np.array(ante, np.int16),
        seed=np.array(seeds, object),
        used=_lists(sorted({item for row in moments for item in row[4]}) for _, moments in rows),
        game=np.repeat(np.arange(len(rows)), counts),
        blind=np.array(blind, np.int16),
        dollars=np.array(dollars, np.int64),
        value=np.array(value, np.float64),
        hand=np.array(hand, np.int16),
        held=_lists(held),
    )


def _lists(values: Iterable[Any]) -> Array:
    """An array of arrays."""
    parts = [np.array(value, np.int64) for value in values]
    made = np.empty(len(parts), object)
    made[:] = parts
    return made
