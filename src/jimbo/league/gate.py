"""A gate, run: pairs of games until the question is answered, then the guards, then the decision.

Games are counted in the order of their seeds, not in that in which they end: lost games end sooner. What was played is
kept in the folder of the gate, so that the same command goes on where a killed one was.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from jimbo.agents.registry import agent_options, make_agent
from jimbo.data import versions
from jimbo.declared import fields_of
from jimbo.eval.rows import Episode
from jimbo.eval.runner import Settings, evaluate, evaluate_all
from jimbo.eval.store import Store
from jimbo.league.decision import GateDecision, StageResult, decided
from jimbo.league.entry import Entry
from jimbo.league.guards import SeedPair, fault_of, judge
from jimbo.league.players import player_of
from jimbo.league.registry import Registry
from jimbo.league.sequential import Outcome, Tally
from jimbo.league.spec import GateSpec, GateStage, schedule
from jimbo.rollout.farm import Enough
from jimbo.rollout.games import GameId
from jimbo.run_folder import RunFolder
from jimbo.seeds.seed_sets import VERSION, SeedSet, gate_seeds

SCHEMA = "jimbo_gate_v1"
GAMES = "games"
BEGUN = "gate"
"""The event of the registry that counts a test."""
_EFFORT = "effort"
_CHALLENGER, _CHAMPION = 0, 1
_SIDES = ("challenger", "champion")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """An agent in a gate."""

    name: str
    agent: str
    options: Mapping[str, Any] = field(default_factory=dict)
    entry: str = ""
    """Its id in the registry."""
    number: int = 0
    """The seed of its own random choices."""

    @property
    def data(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def key(self) -> str:
        """What tells it from others."""
        return self.entry or self.name


def contestant_of(registry: Registry, entry: Entry) -> Contestant:
    """The agent that an entry describes; ValueError for one that cannot be made, Damaged where files were changed."""
    agent, options = player_of(entry.id, registry)
    make_agent(agent, **options)
    return Contestant(name=entry.name, agent=agent, options=options, entry=entry.id)


# --- Tests of a champion ----------------------------------------------------------------------------------------------


def gates_of(registry: Registry, champion: str) -> list[Mapping[str, Any]]:
    """The gates that were begun against a champion."""
    return [event["data"] for event in registry.events(BEGUN) if event["data"]["champion"] == champion]


def _seeds_used(tests: list[Mapping[str, Any]], panel: str) -> set[str]:
    """The seeds of the tests before that of this panel."""
    names = [test["panel"] for test in tests]
    before = tests[: names.index(panel)] if panel in names else tests
    return set().union(*(_seeds_of(test["panel"], test["seeds"]) for test in before))


@lru_cache(maxsize=1024)
def _seeds_of(panel: str, size: int) -> tuple[str, ...]:
    return tuple(islice(gate_seeds(panel), size))


# --- A gate -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GateMoment:
    """How a gate stands."""

    stage: GateStage
    tally: Tally
    outcome: Outcome


Progress = Callable[[GateMoment], None]


def run_gate(
    spec: GateSpec,
    challenger: Contestant,
    champion: Contestant,
    *,
    registry: Registry,
    folder: Path | None = None,
    workers: int | None = None,
    progress: Progress = lambda moment: None,
) -> GateDecision:
    """Play until there is a decision; ValueError where that cannot be.

    KeyboardInterrupt after Ctrl-C. With a folder the same call goes on, and one that has ended says the same again.
    """
    with ExitStack() as held:
        run = held.enter_context(RunFolder(folder, writer="gate", schema=SCHEMA, option="--out")) if folder else None
        panel = ((run and run.config()) or {}).get("panel") or secrets.token_hex(8)
        if run:
            run.begin({"spec": spec.data, "challenger": challenger.data, "champion": champion.data, "panel": panel})
        stages = spec.games.stages()[0 if _have_efforts(challenger, champion) else -1 :]
        if panel not in (test["panel"] for test in gates_of(registry, champion.key)):
            data = {"gate": spec.name, "spec": spec.hash, "kind": spec.games.kind, "alpha": spec.games.alpha}
            data |= {"champion": champion.key, "challenger": challenger.key, "panel": panel}
            registry.note(BEGUN, {**data, "seeds": sum(stage.pairs for stage in stages)})
        tests = gates_of(registry, champion.key)
        used = _seeds_used(tests, panel)
        seeds = (seed for seed in gate_seeds(panel) if seed not in used)
        results: list[StageResult] = []
        for stage in stages:
            games = _StageGames(spec, stage, (challenger, champion), list(islice(seeds, stage.pairs)), panel)
            games.last = stage is stages[-1]
            games.play(folder, workers, progress)
            results.append(games.result())
            if games.fault or results[-1].outcome == "h0":
                break
        replayed = games.replayed() if games.last and games.outcome == "h1" and not games.fault else []
        decision = decided(
            spec,
            stages=results,
            guards=judge(games.pairs, spec.guards, replayed),
            about={
                "challenger": challenger.data,
                "champion": champion.data,
                "panel": panel,
                "tests_of_champion": len(tests),
                "expected_false_promotions": round(sum(test["alpha"] for test in tests), 6),
                "versions": dict(versions()),
            },
        )
        if run:
            decision.keep(run.folder)
        return decision


class _StageGames:
    """The games of a stage, and how far the test has come."""

    last = False

    def __init__(
        self, spec: GateSpec, stage: GateStage, players: tuple[Contestant, Contestant], seeds: list[str], panel: str
    ) -> None:
        self._spec, self._stage = spec, stage
        self._order: list[tuple[int, int]] = []
        """The place of each pair, and its number there."""
        at_place: list[list[str]] = [[] for _ in spec.games.places]
        for place, seed in zip(schedule(spec.games.places, len(seeds)), seeds, strict=True):
            self._order.append((place, len(at_place[place])))
            at_place[place].append(seed)
        options = _with_effort(players, stage.effort)
        self._used = [place for place, own in enumerate(at_place) if own]
        """Places that are played at; few pairs may leave some out."""
        self._plans = [
            Settings(
                agent=player.agent,
                options=given,
                deck=spec.games.places[place].deck,
                stake=spec.games.places[place].stake,
                seeds=SeedSet(f"gate-{panel}-{stage.name}", VERSION, tuple(at_place[place])),
                agent_number=player.number,
            )
            for place in self._used
            for player, given in zip(players, options, strict=True)
        ]
        self._rows: dict[GameId, Episode] = {}
        self.pairs: list[SeedPair] = []
        self._tally = Tally()
        self.outcome: Outcome = "open"
        self.fault = ""

    def play(self, folder: Path | None, workers: int | None, progress: Progress) -> None:
        with ExitStack() as held:
            stores = [Store(folder / GAMES / name) if folder else None for name in self._names()]
            for place, (store, plan) in enumerate(zip(stores, self._plans, strict=True)):
                if store:
                    held.enter_context(store)
                    self._rows |= {(place, row.episode_id): row for row in store.rows(plan.to_data())}
            self._advance()
            progress(self._moment)

            def ended(place: int, row: Episode) -> None:
                self._rows[place, row.episode_id] = row
                self._advance()
                progress(self._moment)
                if self._is_over:
                    raise Enough

            if self._is_over:
                return
            done = evaluate_all(
                self._plans,
                workers=workers,
                stores=stores,
                progress=ended,
                timeout=self._spec.games.seconds,
                order=[game for pair in range(len(self._order)) for game in self._games_of(pair)],
            )
        if done[0].stopped:
            raise KeyboardInterrupt
        if not self._is_over:
            raise ValueError(done[0].trouble or "The games of the gate ended before there was a decision.")

    def result(self) -> StageResult:
        return StageResult.of(self._stage, self._tally, self.outcome, self.fault)

    def replayed(self) -> list[SeedPair]:
        """Games of the challenger that were played, and the same again, in another process."""
        size = self._spec.guards.determinism
        first = replace(self._plans[0], seeds=replace(self._plans[0].seeds, seeds=self._plans[0].seeds.seeds[:size]))
        if not size:
            return []
        again = evaluate(first, workers=1, timeout=self._spec.games.seconds)
        if again.stopped:
            raise KeyboardInterrupt
        if again.trouble:
            raise ValueError(again.trouble)
        played = [(self._rows.get((0, row.episode_id)), row) for row in again.episodes]
        return [SeedPair(before, row) for before, row in played if before]

    @property
    def _moment(self) -> GateMoment:
        return GateMoment(self._stage, self._tally, self.outcome)

    @property
    def _is_over(self) -> bool:
        if self.fault or len(self.pairs) == len(self._order):
            return True
        return self.outcome != "open" and not (self.outcome == "h1" and self.last and self._slices_too_small())

    def _slices_too_small(self) -> bool:
        played = Counter(place for place, _ in self._order[: len(self.pairs)])
        return min(played[place] for place in self._used) < self._spec.guards.slice_pairs

    def _advance(self) -> None:
        """Count the pairs that are complete, up to the first that is not."""
        while not self._is_over:
            ours, theirs = (self._rows.get(game) for game in self._games_of(len(self.pairs)))
            if not ours or not theirs:
                return
            self.pairs.append(SeedPair(ours, theirs))
            self.fault = fault_of(ours)
            if self.outcome == "open":
                name = {(True, True): "both", (True, False): "better", (False, True): "worse"}
                which = name.get((ours.won, theirs.won), "neither")
                self._tally = replace(self._tally, **{which: getattr(self._tally, which) + 1})
                low, high = self._stage.test.bounds
                ratio = self._stage.test.ratio(self._tally)
                self.outcome = "h1" if ratio >= high else "h0" if ratio <= low else "open"

    def _games_of(self, pair: int) -> tuple[GameId, GameId]:
        place, number = self._order[pair]
        first = 2 * self._used.index(place)
        return (first + _CHALLENGER, number), (first + _CHAMPION, number)

    def _names(self) -> Iterator[str]:
        """The folders of the plans."""
        for place in self._used:
            at = self._spec.games.places[place]
            yield from (f"{self._stage.name}-{place + 1}-{at.deck}-{at.stake}-{side}" for side in _SIDES)


def _have_efforts(*players: Contestant) -> bool:
    return all(_default_effort(player) for player in players)


def _default_effort(player: Contestant) -> float:
    """0 for an agent without such an option."""
    entries = fields_of(agent_options(player.agent))
    default = next((entry.default for entry in entries if entry.name == _EFFORT), 0.0)
    return default if isinstance(default, float) else 0.0


def _with_effort(players: tuple[Contestant, Contestant], factor: float) -> list[dict[str, Any]]:
    """The options of both, with their efforts scaled, if both agents have such an option."""
    options = [dict(player.options) for player in players]
    if factor != 1 and _have_efforts(*players):
        for given, player in zip(options, players, strict=True):
            given[_EFFORT] = given.get(_EFFORT, _default_effort(player)) * factor
    return options
