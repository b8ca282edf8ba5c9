"""One game of the expert with varied constants, watched: what it saw before each blind, and what came of it."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace

from jimbo.agents import Decision
from jimbo.agents.expert_v1 import ExpertConfig, ExpertV1Agent, ExpertV1Options
from jimbo.agents.expert_v1.options import is_larger, pack_kind, paid_for
from jimbo.agents.expert_v1.value import Forecaster
from jimbo.agents.seen import Seen
from jimbo.backends import SimBackend
from jimbo.engine import Action, PublicState, Run
from jimbo.eval import Episode, play_episode
from jimbo.train.expert_constants.lines import BlindLine, EndLine, Game, PackLine, Place, SkipLine
from jimbo.train.expert_constants.variation import varied

WORLDS = 24
"""In which each position is forecast."""
_NONCE_BITS = 63
_CAME_TO_AN_END = ("", "blind_score_shortfall")


@dataclass(frozen=True, slots=True)
class PlayGame:
    """Plays games by their numbers, in any process."""

    base: ExpertConfig
    seeds: tuple[str, ...]
    effort: float
    deck: str
    stake: str

    def __call__(self, game: int) -> Game:
        config, draws = varied(self.base, game)
        nonce = _nonce(game)
        expert = ExpertV1Agent(expert_options(self.effort), config)
        watched = WatchedExpert(expert, Forecaster(self.base, nonce))
        episode = play_episode(
            watched, SimBackend(), seed=self.seeds[game], deck=self.deck, stake=self.stake, nonce=nonce
        )
        result = episode.result if episode.failure_reason in _CAME_TO_AN_END else "stuck"
        end = EndLine(game, episode.seed, nonce, result, draws)
        blinds = _blinds(watched.entered, episode, result)
        return Game(blinds, tuple(watched.skips), tuple(watched.packs), end).as_kept()


class WatchedExpert:
    """Decides as the expert does, and keeps what is to be learnt from. It sees what any player sees."""

    name = "expert-v1"
    clairvoyant = False

    def __init__(self, expert: ExpertV1Agent, forecaster: Forecaster) -> None:
        """``forecaster``: in other worlds than the expert's own, or what it chose would look better than it is."""
        self._expert = expert
        self._forecaster = forecaster
        self._tag = ""
        self._pack: PackLine | None = None
        self.entered: list[Place] = []
        self.skips: list[SkipLine] = []
        self.packs: list[PackLine] = []

    def reset(self, nonce: int) -> None:
        self._expert.reset(nonce)

    def act(self, state: PublicState, /) -> Decision:
        seen = Seen(state)
        self._look_back(seen)
        decision = self._expert.act(state)
        self._look_ahead(seen, decision.action)
        return decision

    def _look_back(self, seen: Seen) -> None:
        """At what the last decision brought."""
        if self._tag:
            self.skips.append(SkipLine(self._place(seen.run), self._tag, len(self.entered)))
            self._tag = ""
        if self._pack and seen.state.phase == "shop":
            self.packs.append(replace(self._pack, after=self._place(seen.run)))
            self._pack = None

    def _look_ahead(self, seen: Seen, action: Action) -> None:
        """At what a decision is about."""
        if action.kind == "select_blind":
            self.entered.append(self._place(seen.run))
        elif action.kind == "skip_blind":
            self._tag = next(blind.tag.key for blind in seen.state.blinds if blind.progress == "now" and blind.tag)
        elif action.kind == "open_booster":
            booster = seen.state.shop_boosters[action.index]
            paid = self._place(paid_for(seen, booster))
            self._pack = PackLine(pack_kind(seen.state, booster), is_larger(booster), paid, paid)

    def _place(self, run: Run) -> Place:
        position = replace(self._forecaster.position(run, WORLDS), unseen=0.0)
        return Place(position, tuple(run.joker_keys), tuple(run.voucher_keys))


def expert_options(effort: float) -> ExpertV1Options:
    """ValueError for an effort that the expert does not take."""
    return ExpertV1Options(effort=effort)


def _blinds(entered: list[Place], episode: Episode, result: str) -> tuple[BlindLine, ...]:
    """The blinds with what came of them; none but the last can be lost, and of a stuck one nothing is known."""
    lines = []
    for place, score in zip(entered, episode.score_by_round, strict=False):
        margin = math.log(max(1.0, score.score)) - math.log(score.target)
        lines.append(BlindLine(place, score.blind, margin, cleared=True))
    if lines and result != "win" and len(lines) > episode.blinds_cleared:
        lost = lines.pop()
        lines += [replace(lost, cleared=False)] if result == "loss" else []
    return tuple(lines)


def _nonce(game: int) -> int:
    digest = hashlib.sha256(f"jimbo-nonce/expert-constants/{game}".encode()).digest()
    return int.from_bytes(digest, "big") >> (8 * len(digest) - _NONCE_BITS)
