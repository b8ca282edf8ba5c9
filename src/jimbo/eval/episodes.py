"""One run of an agent, from the first blind to the end."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

from jimbo.agents import Agent
from jimbo.backends import Backend, PublicView
from jimbo.engine.run import Action, IllegalAction
from jimbo.eval.rows import LAST_ANTE, BlindScore, Episode, finite

MAX_STEPS = 20_000
"""More decisions than any run needs; an agent that only rearranges cards is stopped by it."""
_ORDERING = ("move_", "sort_")


def play_episode(
    agent: Agent,
    backend: Backend,
    *,
    seed: str,
    deck: str = "b_red",
    stake: str = "stake_white",
    challenge: str | None = None,
    nonce: int = 0,
    episode_id: int = 0,
    max_steps: int = MAX_STEPS,
) -> Episode:
    """Plays until the run is won or lost. An agent that fails loses the run, and the row says why."""
    log = _Log(agent.name, seed, nonce, episode_id)
    view = backend.reset(deck=deck, stake=stake, seed=seed, challenge=challenge)
    reason, error = "", None
    try:
        agent.reset(nonce)
        while not view.over and not view.won:
            if log.steps == max_steps:
                reason = "step_limit"
                break
            with log.timed(view.phase):
                action = agent.act(view).action
            log.before(view, action)
            view = backend.apply(action)
            log.after(view, action)
    except IllegalAction as refused:
        reason, error = "illegal_action", str(refused)
    except Exception as failed:
        reason, error = "agent_error", _writable(f"{type(failed).__name__}: {failed}")
    return log.episode(view, reason, error)


class _Log:
    """Follows a run by what can be seen of it."""

    def __init__(self, agent: str, seed: str, nonce: int, episode_id: int) -> None:
        self._agent, self._seed, self._nonce, self._episode_id = agent, seed, nonce, episode_id
        self._began = time.perf_counter()
        self.steps = 0
        self._actions = 0
        self._phase = ""
        self._blind: tuple[int, int, str, float] | None = None
        self._boss = ""
        self._money: list[int] = []
        self._scores: list[BlindScore] = []
        self._cleared = 0
        self._best = (0.0, "")
        self._times: dict[bool, list[float]] = {True: [], False: []}

    @contextmanager
    def timed(self, phase: str) -> Iterator[None]:
        self.steps += 1
        self._phase = phase
        began = time.process_time()
        yield
        self._times[phase == "selecting_hand"].append(time.process_time() - began)

    def before(self, view: PublicView, action: Action) -> None:
        if action.kind == "select_blind":
            self._boss = view.state.blinds[-1].key
            self._money.append(view.seen.dollars)

    def after(self, view: PublicView, action: Action) -> None:
        seen = view.seen
        self._actions += not action.kind.startswith(_ORDERING)
        if action.kind == "select_blind":
            self._blind = (seen.ante, seen.round, view.state.blind, seen.target)
        if action.kind == "play":
            score = json.loads(seen.to_json())["score"]
            self._best = max(self._best, (finite(float(score["last_score"])), str(score["last_hand"])))
        if view.phase in ("round_eval", "game_over") and self._blind:
            self._cleared += view.phase == "round_eval"
            self._end_blind(view)

    def _end_blind(self, view: PublicView) -> None:
        if self._blind:
            ante, round_, blind, target = self._blind
            score = finite(view.seen.chips)
            self._scores.append(BlindScore(ante=ante, round=round_, blind=blind, score=score, target=finite(target)))
            self._blind = None

    def episode(self, view: PublicView, reason: str, error: str | None) -> Episode:
        state = view.state
        if view.over and not reason:
            reason = "blind_score_shortfall" if state.end == "lost" else "engine_capacity"
        won = view.won and not reason
        lost = reason in ("blind_score_shortfall", "agent_error", "illegal_action")
        self._end_blind(view)
        in_blind = not won and self._phase == "selecting_hand"
        hand, macro = self._times[True], self._times[False]
        return Episode(
            episode_id=self._episode_id,
            agent=self._agent,
            deck=state.deck,
            stake=state.stake,
            challenge=state.challenge,
            seed=self._seed,
            nonce=self._nonce,
            result="win" if won else "loss" if lost else "stuck",
            final_ante=state.ante,
            ante_reached=LAST_ANTE if won else min(state.ante, LAST_ANTE),
            round=state.round,
            blinds_cleared=self._cleared,
            final_money=state.dollars,
            final_chips=finite(state.chips),
            failure_reason="" if won else reason,
            failure_phase="" if won else self._phase or state.phase,
            death_blind=state.blind if in_blind else "",
            boss_blind_id=self._boss or state.blinds[-1].key,
            steps=self.steps,
            hand_steps=len(hand),
            actions=self._actions,
            seconds=time.perf_counter() - self._began,
            decision_ms=_mean_ms(hand + macro),
            hand_ms=_mean_ms(hand),
            macro_ms=_mean_ms(macro),
            best_hand=self._best[0],
            best_hand_name=self._best[1],
            money_by_round=tuple(self._money),
            score_by_round=tuple(self._scores),
            jokers=tuple(joker.key for joker in state.jokers),
            error=error,
        )


def _writable(text: str) -> str:
    """Without what no file can hold; names of files may bring such signs along."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _mean_ms(seconds: list[float]) -> float:
    return 1000 * sum(seconds) / len(seconds) if seconds else 0.0
