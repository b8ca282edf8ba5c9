"""The canary: one agent plays, another is asked at every decision, and a test that never ends watches both.

What the shadow would have done, and what each expects, is kept with each game. How games end is compared on the same
seeds: those that were played, be it in the simulator or at the real game, are played by the other agent in the
simulator. The evidence may be looked at after every round, for ever (``sequential.Watch``).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from jimbo.declared import Declared, declared
from jimbo.eval.rows import Shadow
from jimbo.eval.runner import Evaluation, Settings, evaluate, evaluate_all
from jimbo.eval.store import Store, write_json
from jimbo.league.champion import ChampionDecision, aliased, end_canary, note_status
from jimbo.league.entry import Entry
from jimbo.league.gate import Contestant, contestant_of
from jimbo.league.guards import SeedPair, fault_of
from jimbo.league.registry import CANARY, CHAMPION, PREVIOUS, Registry
from jimbo.league.sequential import Tally, Watch
from jimbo.league.shadow import ShadowSettings
from jimbo.league.spec import GatePlace
from jimbo.rollout.farm import Spread
from jimbo.run_folder import RunFolder
from jimbo.seeds.seed_sets import VERSION, SeedSet, gate_seeds
from jimbo.text import counted

SUMMARY, SKIPPED = "canary_summary.json", "canary_skip.json"
AB_RESULT, AB_SKIPPED = "real_ab_result.json", "real_ab_skip.json"
_SHADOWED, _ALONE = "shadowed", "alone"
_SHOWN = 20
_GAME_SECONDS = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CanarySpec(Declared):
    """What a canary may not do."""

    margin: float = declared(2.0, "how many points fewer than the champion it may win", min=0, max=50)
    alpha: float = declared(0.05, "the chance that one within the margin is ever rolled back", min=0.0001, max=0.5)
    time_ratio: float = declared(2.0, "how many times the champion's p95 its decisions may take", min=0.01)
    place: GatePlace = field(default_factory=GatePlace)


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryState:
    """What is known after some rounds."""

    watched: str
    reference: str
    tally: Tally
    evidence: float
    """1/alpha or more says: worse by more than the margin."""
    bound: float
    at_most: float
    """Points: the most that the watched agent can be better by, at any time."""
    slower: int
    """Games in which its decisions took too long."""
    shadow: Sequence[Shadow]
    reason: str
    """Why it is rolled back; empty if it is not."""

    @property
    def line(self) -> str:
        tally, found = self.tally, sum(len(each.disagreements) for each in self.shadow)
        return (
            f"E {self.evidence:.2f} ({self.bound:.0f}) | Games N: {tally.pairs} W: {tally.better} L: {tally.worse} "
            f"D: {tally.both + tally.neither} | difference at most {self.at_most:+.1f} | "
            f"{counted(found, 'disagreement')}"
        )

    @property
    def data(self) -> dict[str, Any]:
        decisions = sum(each.decisions for each in self.shadow)
        found = [asdict(one) for each in self.shadow for one in each.disagreements]
        return {
            "schema": "canary_summary_v1",
            "status": "FAIL" if self.reason else "PASS",
            "reason": self.reason,
            "watched": self.watched,
            "reference": self.reference,
            "games": self.tally.pairs,
            **asdict(self.tally),
            "points": self.tally.points,
            "at_most_points": self.at_most,
            "evidence": self.evidence,
            "evidence_bound": self.bound,
            "slower_games": self.slower,
            "decisions": decisions,
            "disagreements": len(found),
            "disagreement_rate": len(found) / decisions if decisions else 0.0,
            "first_disagreements": found[:_SHOWN],
        }


def canary_of(registry: Registry, entry: Entry | None) -> tuple[Entry, Entry]:
    """Who is watched, and against whom: the named entry, else the present canary, else the champion itself."""
    champion = aliased(registry, CHAMPION)
    watched = entry or aliased(registry, CANARY) or champion
    if champion is None or watched is None:
        raise ValueError("There is no champion yet. jimbo league promote NAME makes the first one.")
    reference = champion if watched.id != champion.id else aliased(registry, PREVIOUS)
    if reference is None:
        raise ValueError(f"{champion.name} is the champion, and there is none before it to compare it with.")
    return watched, reference


def watch(
    registry: Registry,
    watched: Entry,
    reference: Entry,
    spec: CanarySpec,
    folder: Path,
    *,
    games: int | None = None,
    workers: int = 1,
    spread: Spread | None = None,
    progress: Callable[[CanaryState], None] = lambda state: None,
) -> tuple[CanaryState, ChampionDecision | None]:
    """Play so many more games, or for ever; roll back by itself. The state is written after every round.

    The champion plays, be it the watched one or the other; ``spread`` says where, if not in the simulator.
    """
    champion = aliased(registry, CHAMPION)
    acts = watched if champion and champion.id == watched.id else reference
    if acts.id != watched.id and registry.aliases().get(CANARY) != watched.id:
        registry.move(CANARY, watched, f"shadows {reference.name}")
        note_status(registry, watched, "canary", f"shadows {reference.name}")
    with RunFolder(folder, writer="canary", schema="jimbo_canary_v1", option="--out") as run:
        panel = (run.config() or {}).get("panel") or secrets.token_hex(8)
        run.begin({"spec": asdict(spec), "watched": watched.id, "reference": reference.id, "panel": panel})
        done = Store(folder / _ALONE).seeds_held()
        last = None if games is None else done + games
        state: CanaryState | None = None
        while state is None or not state.reason:
            size = done + max(1, min(4 * workers, (last - done) if last is not None else 4 * workers))
            theirs = contestant_of(registry, reference)
            try:
                players = contestant_of(registry, watched), theirs
            except ValueError as error:
                return _ended(registry, watched, spec, run, players=(watched, reference), reason=str(error).rstrip("."))
            seeds = SeedSet(f"canary-{panel}", VERSION, tuple(islice(gate_seeds(panel), size)))
            pairs = _round(players, acts.id == watched.id, spec, seeds, folder, workers, spread)
            state = _state(players, pairs, spec)
            write_json(folder / SUMMARY, state.data)
            progress(state)
            done = size
            if state.reason:
                return state, _rolled_back(registry, watched, state.reason, folder)
            if last is not None and done >= last:
                break
        return state, None


def _ended(
    registry: Registry, watched: Entry, spec: CanarySpec, run: RunFolder, *, players: tuple[Entry, Entry], reason: str
) -> tuple[CanaryState, ChampionDecision]:
    """Before a game: an agent that cannot be made."""
    names = [Contestant(name=entry.name, agent="", entry=entry.id) for entry in players]
    state = replace(_state((names[0], names[1]), [], spec), reason=reason)
    run.write_json(SUMMARY, state.data)
    return state, _rolled_back(registry, watched, reason, run.folder)


def _rolled_back(registry: Registry, watched: Entry, reason: str, folder: Path) -> ChampionDecision:
    decision = end_canary(registry, watched, f"canary: {reason}")
    decision.keep(folder)
    return decision


def _round(
    players: tuple[Contestant, Contestant],
    watched_acts: bool,
    spec: CanarySpec,
    seeds: SeedSet,
    folder: Path,
    workers: int,
    spread: Spread | None,
) -> list[SeedPair]:
    """Games on the seeds that were not played yet; all pairs so far, as (watched, reference)."""
    acting, shadow = players if watched_acts else players[::-1]
    alone = Settings(
        agent=shadow.agent, options=shadow.options, deck=spec.place.deck, stake=spec.place.stake, seeds=seeds
    )
    shadowed = ShadowSettings(
        agent=acting.agent,
        options=acting.options,
        shadow=shadow,
        deck=spec.place.deck,
        stake=spec.place.stake,
        seeds=seeds,
        backend="real" if spread else "sim",
    )
    found: list[Evaluation] = []
    for plan, name, where in ((shadowed, _SHADOWED, spread), (alone, _ALONE, None)):
        with ExitStack() as held:
            store = held.enter_context(Store(folder / name))
            limit = None if where else _GAME_SECONDS
            found.append(evaluate(plan, workers=workers, store=store, spread=where, timeout=limit))
        if found[-1].stopped:
            raise KeyboardInterrupt
        if found[-1].trouble and not (where and len(found[-1].episodes) > found[-1].resumed):
            raise ValueError(found[-1].trouble)
    own = {row.episode_id: row for row in found[1].episodes}
    both = [(row, own[row.episode_id]) for row in found[0].episodes if row.episode_id in own]
    return [SeedPair(first, second) if watched_acts else SeedPair(second, first) for first, second in both]


def _state(players: tuple[Contestant, Contestant], pairs: Sequence[SeedPair], spec: CanarySpec) -> CanaryState:
    """The evidence of all games, and the first reason to roll back. Both tests share alpha."""
    games, pace = Watch(spec.margin, spec.alpha / 2), Watch(0.0, spec.alpha / 2)
    better = worse = slower = quick = 0
    reason, shadows = "", []
    for number, (ours, theirs) in enumerate(pairs, 1):
        better, worse = better + (ours.won and not theirs.won), worse + (theirs.won and not ours.won)
        shadow = ours.shadow or theirs.shadow
        assert shadow
        shadows.append(shadow)
        times = (shadow.p95_ms, shadow.acting_p95_ms)
        mine, other = times if theirs.shadow else times[::-1]
        if mine and other and not shadow.fault:  # what has failed was asked no more
            slower, quick = slower + (mine > spec.time_ratio * other), quick + (mine <= spec.time_ratio * other)
        if shadow.fault and theirs.shadow:
            found = shadow.fault
        elif fault := fault_of(ours):
            found = f"on seed {ours.seed} {fault}"
        elif games.is_worse(better, worse, number - better - worse):
            found = f"it is worse by more than {spec.margin:g} points, after {counted(number, 'game')}"
        elif pace.is_worse(quick, slower, 0):
            found = f"its decisions take more than {spec.time_ratio:g} times as long, after {counted(number, 'game')}"
        else:
            continue
        reason = reason or found
    equal = len(pairs) - better - worse
    return CanaryState(
        watched=players[0].name,
        reference=players[1].name,
        tally=Tally.of([(ours.won, theirs.won) for ours, theirs in pairs]),
        evidence=games.evidence(better, worse, equal),
        bound=1 / games.alpha,
        at_most=games.at_most(better, worse, equal),
        slower=slower,
        shadow=shadows,
        reason=reason,
    )


# --- A few games at the real game -------------------------------------------------------------------------------------


def micro_ab(
    registry: Registry,
    entry: Entry,
    champion: Entry,
    place: GatePlace,
    *,
    games: int,
    folder: Path,
    spread: Spread | None,
) -> dict[str, Any]:
    """Games of both at the real game, on the same seeds: whether they play there as they should, and who won."""
    with RunFolder(folder, writer="comparison", schema="jimbo_real_ab_v1", option="--out") as run, ExitStack() as held:
        panel = (run.config() or {}).get("panel") or secrets.token_hex(8)
        run.begin({"challenger": entry.id, "champion": champion.id, "panel": panel, "place": asdict(place)})
        seeds = SeedSet(f"ab-{panel}", VERSION, tuple(islice(gate_seeds(panel), games)))
        players = [contestant_of(registry, one) for one in (entry, champion)]
        plans = [
            Settings(
                agent=player.agent,
                options=player.options,
                deck=place.deck,
                stake=place.stake,
                seeds=seeds,
                backend="real" if spread else "sim",
            )
            for player in players
        ]
        stores = [held.enter_context(Store(folder / side)) for side in ("challenger", "champion")]
        both = evaluate_all(plans, workers=1, stores=stores, spread=spread)
        if both[0].stopped:
            raise KeyboardInterrupt
        champions = {row.episode_id: row for row in both[1].episodes}
        pairs = [SeedPair(row, champions[row.episode_id]) for row in both[0].episodes if row.episode_id in champions]
        faults = list(filter(None, map(fault_of, both[0].episodes)))
        data = {
            "schema": "real_ab_v1",
            "status": "FAIL" if faults else "PASS" if len(pairs) == games else "INCOMPLETE",
            "challenger": entry.name,
            "champion": champion.name,
            "games": len(pairs),
            "challenger_wins": sum(pair.challenger.won for pair in pairs),
            "champion_wins": sum(pair.champion.won for pair in pairs),
            "challenger_mean_ante": fmean(pair.challenger.ante_reached for pair in pairs) if pairs else None,
            "champion_mean_ante": fmean(pair.champion.ante_reached for pair in pairs) if pairs else None,
            "faults": faults,
            "trouble": both[0].trouble,
        }
        run.write_json(AB_RESULT, data)
    return data
