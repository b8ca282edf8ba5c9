"""What runs are lost to: each lost run in a bucket by its cause, with the state in which it could have been saved.

Each run is played again, and every hand and discard of its last blind is looked at by the solver at high effort. Where
that sees a much better chance, it plays on from there: if it clears the blind, the run was misplayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from jimbo.agents import make_agent
from jimbo.agents.value_player import scaled
from jimbo.data.curriculum import Emphasis, FailureCurriculum, Where
from jimbo.engine import LAST_ANTE, Action, Run, SolvedAction, solve_blind
from jimbo.eval.diagnosis import RICH
from jimbo.eval.rows import BlindScore, Episode
from jimbo.eval.runner import Evaluation, Settings
from jimbo.eval.statistics import Interval, share_difference, wilson
from jimbo.eval.summary import watch_command
from jimbo.models.value_file import load_value
from jimbo.rollout import Moment
from jimbo.rollout.farm import Stop, play_games
from jimbo.rollout.games import EndedGame, GameBuffer, GamePlayer
from jimbo.rollout.output import Sink

SCHEMA = "jimbo_failures_v1"
WIN, OTHER, STALL = "win", "other", "phase_stall"
MISPLAYED, BOSS, ECONOMY, SHOP, SHORT = (
    "resource_exhausted",
    "boss_blind_specific",
    "econ_collapse",
    "shop_misplay",
    "blind_score_shortfall",
)
BUCKETS: Mapping[str, str] = {
    WIN: "won",
    MISPLAYED: "misplayed hands",
    BOSS: "the boss's ability",
    ECONOMY: "weak and poor, from ante 3 on",
    SHOP: "weak, with unspent money or no multiplier",
    SHORT: "weak for no such reason",
    STALL: "no end",
    OTHER: "the agent failed",
}
"""The buckets, in the order in which they are shown; a run is in the first that fits, by the numbers below."""
_WHERE: Mapping[str, Where] = {MISPLAYED: "hands", ECONOMY: "shops", SHOP: "shops"}
_STALLS = ("step_limit", "time_limit", "engine_capacity", "worker_died")
_LOST = "blind_score_shortfall"
REGRET = 0.1
"""A chance to clear that is given away, from which a hand or discard counts as misplayed if the blind was cleared."""
_POOR, _POOR_FROM = 5, 3
"""Fewer dollars than these on entering the last blind, from this ante on: there they can be more."""
_BARE_FROM = 4
"""The ante from which a run needs a joker that multiplies Mult."""
_WEAKENED = 0.5
"""A boss is to blame if power is less than this share of what the blind before foretold, or at least 1."""
_HANDS = ("play", "discard")


@dataclass(frozen=True, slots=True, kw_only=True)
class Misplay:
    """The worst hand or discard of the last blind, by the solver at high effort."""

    step: int
    """Its number among the decisions of the run."""
    action: str
    better: str
    regret: float
    """Its chance to clear below that of the better one."""
    clear: float
    """The chance of the better one."""
    saved: bool
    """Playing on from the better one, at high effort and with the cards that were to come, clears the blind."""
    state: Mapping[str, Any]
    """What the player saw (public_v1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostRun:
    """A run that was not won."""

    number: int
    seed: str
    bucket: str
    causes: tuple[str, ...]
    ante: int
    blind: str
    clear: float | None
    """The chance to clear the last blind on entering it."""
    power: float | None
    money: int | None
    multipliers: int | None
    misplay: Misplay | None
    entered: Mapping[str, Any] | None
    """What the player saw on entering the last blind (public_v1); None where the run could not be played again."""
    watch: str


@dataclass(frozen=True, slots=True)
class Mined:
    """The failures of an evaluation."""

    evaluation: Evaluation
    failures: tuple[LostRun, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Runs by bucket."""
        found = Counter(failure.bucket for failure in self.failures)
        won = len(self.evaluation.episodes) - len(self.failures)
        return {bucket: won if bucket == WIN else found[bucket] for bucket in BUCKETS}

    def is_in(self, bucket: str) -> dict[tuple[int, str], bool]:
        """Whether each run is in a bucket."""
        inside = {failure.number for failure in self.failures if failure.bucket == bucket}
        return {
            (row.episode_id, row.seed): row.won if bucket == WIN else row.episode_id in inside
            for row in self.evaluation.episodes
        }


# --- Buckets ----------------------------------------------------------------------------------------------------------


def bucket_of(row: Episode, misplay: Misplay | None = None) -> tuple[str, tuple[str, ...]]:
    """The bucket of a run and all that speaks for it."""
    if row.won:
        return WIN, ()
    if row.failure_reason in _STALLS:
        return STALL, (row.failure_reason,)
    if row.failure_reason != _LOST or not row.score_by_round:
        return OTHER, (row.failure_reason,)
    last, money = row.score_by_round[-1], row.money_by_round[len(row.score_by_round) - 1]
    weak = last.entry is None or last.entry.power is None or last.entry.power < 1
    found = {
        "misplayed": misplay is not None and misplay.saved and misplay.regret >= REGRET,
        "boss": _is_to_blame(last, row.score_by_round[:-1]),
        "poor": weak and money < _POOR and last.ante >= _POOR_FROM,
        "rich": weak and money >= RICH,
        "no multiplier": weak and last.entry is not None and not last.entry.multipliers and last.ante >= _BARE_FROM,
        "power": weak,
    }
    causes = tuple(name for name, is_so in found.items() if is_so)
    buckets = {"misplayed": MISPLAYED, "boss": BOSS, "poor": ECONOMY, "rich": SHOP, "no multiplier": SHOP}
    return next((buckets[cause] for cause in causes if cause in buckets), SHORT), causes


def _is_to_blame(last: BlindScore, before: Sequence[BlindScore]) -> bool:
    """Whether it is the boss: the run was strong enough for it, or far weaker than its blind before foretold."""
    if last.blind in ("bl_small", "bl_big") or last.entry is None or last.entry.power is None:
        return False
    if last.entry.power >= 1:
        return True
    same = [blind for blind in before if blind.ante == last.ante and blind.entry and blind.entry.power]
    if not same or not same[-1].entry or not same[-1].entry.power:
        return False
    return last.entry.power < _WEAKENED * same[-1].entry.power * same[-1].target / last.target


# --- Runs played again ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Replays(Settings):
    """Lost runs of an evaluation, played again and looked at."""

    effort: float
    """Of the second look, as the expert's."""
    steps: Mapping[int, int] = field(default_factory=dict)
    """The decisions of each run, by which the same run is known."""

    def make_buffer(self, player: Any, url: str | None) -> GameBuffer:
        return _LastBlind(self)


Looked = tuple[int, Mapping[str, Any] | None, Misplay | None]
"""The number of a run, what was seen on entering its last blind, and its worst hand or discard."""


class _LastBlind(GameBuffer):
    """Follows a run, then looks at its last blind again."""

    def __init__(self, spec: Replays) -> None:
        model = str(spec.options.get("model") or "")
        model = model if model.endswith(".safetensors") else ""  # others are networks, and the solver needs a value
        self._spec, self._found = spec, list[Looked]()
        self._net, _ = load_value(Path(model) if model else None)
        self._solver = make_agent("expert", effort=spec.effort, **({"model": model} if model else {}))

    def __len__(self) -> int:
        return len(self._found)

    def gathered(self) -> list[Looked] | None:
        return self._found or None

    def clear(self) -> None:
        self._found = []

    def started(self, state: Any) -> None:
        self._moments: list[Moment] = []

    def happened(self, moment: Moment) -> None:
        self._moments.append(moment)

    def ended(self, ended: EndedGame) -> int:
        number = ended.id[1]
        entered = [i for i, moment in enumerate(self._moments) if moment.decision.action.kind == "select_blind"]
        is_same = ended.steps == self._spec.steps[number] and not ended.failure
        if is_same and entered and ended.state.over:
            self._found.append((number, self._moments[entered[-1]].before.to_data(), self._worst(ended, entered[-1])))
        else:
            self._found.append((number, None, None))
        return number

    def _worst(self, ended: EndedGame, entered: int) -> Misplay | None:
        deck, stake, challenge = ended.spec.start(ended.id[1])
        run = Run(deck=deck, stake=stake, seed=ended.seed, challenge=challenge)
        worst: tuple[float, int, SolvedAction, Run] | None = None
        for place, moment in enumerate(self._moments):
            if place > entered and (found := self._second_look(moment, ended.nonce + place)):
                regret, best = found
                if worst is None or regret > worst[0]:
                    worst = (regret, place, best, run.clone())
            run.step(moment.decision.action)
        if worst is None or worst[0] <= 0:
            return None
        regret, place, best, there = worst
        moment = self._moments[place]
        return Misplay(
            step=moment.step,
            action=str(_intended(moment)),
            better=str(best.action),
            regret=regret,
            clear=best.clear,
            saved=regret >= REGRET and self._clears(there, best.action, ended.nonce),
            state=moment.before.to_data(),
        )

    def _second_look(self, moment: Moment, nonce: int) -> tuple[float, SolvedAction] | None:
        """What a hand or discard gave away, and what would have been better."""
        action = _intended(moment)
        if moment.before.phase != "selecting_hand" or action.kind not in _HANDS:
            return None
        rollouts, bits = scaled(self._spec.effort).rollouts, 2**63 - 1
        solved = solve_blind(moment.before.imagine(0), rollouts=rollouts, nonce=nonce & bits, value=self._net)
        same = next((one for one in solved if _is_same(one.action, action)), None)
        best = max(solved[:2], key=lambda one: one.clear)
        return (best.clear - same.clear, best) if same and same.worlds else None

    def _clears(self, run: Run, action: Action, nonce: int) -> bool:
        """Whether the solver clears the blind that was lost, beginning with this action."""
        self._solver.reset(nonce)
        run.step(action)
        while run.phase == "selecting_hand":
            run.step(self._solver.act(run.public_state()).action)
        return run.phase != "game_over"


def _intended(moment: Moment) -> Action:
    """A hand as it was decided on: its cards may be put in order before it is played."""
    chosen = (considered.action for considered in moment.decision.considered if considered.chosen)
    return next(chosen, moment.decision.action)


def _is_same(one: Action, other: Action) -> bool:
    return one.kind == other.kind and set(one.cards) == set(other.cards)


class _Looks(Sink):
    def __init__(self) -> None:
        self.found: dict[int, Looked] = {}

    def add(self, gathered: list[Looked]) -> None:
        self.found |= {look[0]: look for look in gathered}


def mine(
    evaluation: Evaluation, *, effort: float, workers: int, progress: Callable[[], None] = lambda: None
) -> tuple[Mined, Stop]:
    """Play the lost runs again and put each run in a bucket; a run that cannot be repeated by its numbers alone."""
    settings, lost = evaluation.settings, [row for row in evaluation.episodes if not row.won]
    again = {row.episode_id: row.steps for row in lost if row.failure_reason == _LOST}
    spec = Replays(
        **{name: getattr(settings, name) for name in settings.__dataclass_fields__}, effort=effort, steps=again
    )
    looks, games = _Looks(), [(0, number) for number in again]
    stop = play_games(
        GamePlayer([spec]), games, looks, lambda game, end: progress(), workers=workers if len(games) > 1 else 1
    )
    return Mined(evaluation, tuple(_failure(settings, row, looks.found.get(row.episode_id)) for row in lost)), stop


def _failure(settings: Settings, row: Episode, look: Looked | None) -> LostRun:
    _, entered, misplay = look or (0, None, None)
    bucket, causes = bucket_of(row, misplay)
    last = row.score_by_round[-1] if row.score_by_round else None
    entry = last.entry if last else None
    return LostRun(
        number=row.episode_id,
        seed=row.seed,
        bucket=bucket,
        causes=causes,
        ante=last.ante if last else row.final_ante,
        blind=row.death_blind,
        clear=entry.clear if entry else None,
        power=entry.power if entry else None,
        money=row.money_by_round[len(row.score_by_round) - 1] if last else None,
        multipliers=entry.multipliers if entry else None,
        misplay=misplay,
        entered=entered,
        watch=watch_command(settings, row),
    )


# --- What comes of it -------------------------------------------------------------------------------------------------


def curriculum_of(mined: Mined) -> FailureCurriculum:
    """Each bucket weighs as much as its share of the lost runs."""
    settings, lost = mined.evaluation.settings, max(1, len(mined.failures))
    buckets = {}
    for bucket in BUCKETS:
        antes = Counter(min(max(one.ante, 0), LAST_ANTE) for one in mined.failures if one.bucket == bucket)
        if bucket in _TAUGHT and antes:
            runs = antes.total()
            shares = {str(ante): round(count / runs, 4) for ante, count in sorted(antes.items())}
            buckets[bucket] = Emphasis(weight=round(runs / lost, 4), phase=_WHERE.get(bucket, "both"), antes=shares)
    source = {
        "agent": settings.agent,
        "options": dict(settings.options),
        "deck": settings.deck,
        "stake": settings.stake,
        "seeds_hash": settings.seeds.hash,
        "games": len(mined.evaluation.episodes),
    }
    return FailureCurriculum(source=source, buckets=buckets)


_TAUGHT = (MISPLAYED, BOSS, ECONOMY, SHOP, SHORT)


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketDelta:
    """The share of a bucket in two evaluations."""

    share: float
    ci95: Interval
    other: float
    other_ci95: Interval
    delta: float
    """The first less the other."""
    delta_ci95: Interval | None
    """Seed by seed, where both have played the same seeds."""


def deltas(mined: Mined, other: Mined) -> dict[str, BucketDelta]:
    return {bucket: _delta(mined, other, bucket) for bucket in BUCKETS}


def _delta(mined: Mined, other: Mined, bucket: str) -> BucketDelta:
    ours, theirs = mined.is_in(bucket), other.is_in(bucket)
    counts = [(sum(runs.values()), len(runs)) for runs in (ours, theirs)]
    shares = [count / max(1, of) for count, of in counts]
    paired = None
    if common := [key for key in ours if key in theirs]:
        paired = share_difference([ours[key] for key in common], [theirs[key] for key in common])
    return BucketDelta(
        share=shares[0],
        ci95=wilson(*counts[0]),
        other=shares[1],
        other_ci95=wilson(*counts[1]),
        delta=paired.mean if paired else shares[0] - shares[1],
        delta_ci95=paired.ci95 if paired else None,
    )


def mined_data(mined: Mined) -> dict[str, Any]:
    """The buckets for machines, without the states."""
    settings = mined.evaluation.settings.to_data()
    del settings["seeds"]
    games = len(mined.evaluation.episodes)
    return {
        "schema": SCHEMA,
        **settings,
        "games": games,
        "not_repeated": sum(one.entered is None for one in mined.failures if one.bucket not in (OTHER, STALL)),
        "buckets": {
            bucket: {"runs": count, "share": count / games, "ci95": wilson(count, games), "means": BUCKETS[bucket]}
            for bucket, count in mined.counts.items()
        },
        "causes": dict(Counter(cause for one in mined.failures for cause in one.causes).most_common()),
        "failures": [_without_states(one) for one in mined.failures],
    }


def _without_states(failure: LostRun) -> dict[str, Any]:
    data = asdict(replace(failure, entered=None, misplay=failure.misplay and replace(failure.misplay, state={})))
    del data["entered"]
    if data["misplay"]:
        del data["misplay"]["state"]
    return data


def states_of(mined: Mined) -> Iterator[dict[str, Any]]:
    """The states to study: the one in which a run was misplayed, or that in which its last blind was entered."""
    for one in mined.failures:
        misplayed = one.misplay if one.bucket == MISPLAYED else None
        state = misplayed.state if misplayed else one.entered
        if state is not None:
            regret = one.misplay.regret if one.misplay else None
            yield {"seed": one.seed, "bucket": one.bucket, "regret": regret, "watch": one.watch, "state": state}
