"""One run of an agent, from the first blind to the end, as the row that is kept of it.

All of the row is seen from outside: the public state, the actions, and what the agent says with its decisions. Nothing
of it reaches the agent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from jimbo.agents import Agent
from jimbo.backends.protocol import Backend
from jimbo.data.record import Decision
from jimbo.engine import LAST_ANTE, PublicState, forecast
from jimbo.engine.catalog import JOKERS
from jimbo.eval.rows import BlindEntry, BlindScore, Episode, PhaseWins
from jimbo.files import finite, writable
from jimbo.rollout.games import EndedGame, GameBuffer, GameId, GamesSpec, Seating
from jimbo.rollout.loop import MAX_STEPS, AgentFailed, Moment

PlacedRow = tuple[GameId, Episode]
_ORDERING = ("move_", "sort_")
MULTIPLIERS = frozenset(key for key, fact in JOKERS.items() if re.search(r"\bX\d", fact.text))
"""Jokers that multiply Mult, by what their texts say."""
SOON = 2
"""Rounds: a joker that is sold so soon after it was bought was bought for nothing."""
_POLYCHROME = "e_polychrome"
_WORLDS = 8
_LARGEST_LOG = 700.0


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
    spec = GamesSpec(agent=agent.name, deck=deck, stake=stake, challenge=challenge, max_steps=max_steps)
    row: Episode = Seating(agent, backend, EpisodeBuffer()).play(spec, (0, episode_id), seed, nonce)
    return row


class EpisodeBuffer(GameBuffer):
    """Follows runs by what can be seen of them, and keeps a row of each."""

    def __init__(self) -> None:
        self._rows: list[PlacedRow] = []

    def __len__(self) -> int:
        return len(self._rows)

    def gathered(self) -> list[PlacedRow] | None:
        return self._rows or None

    def clear(self) -> None:
        self._rows = []

    def started(self, state: PublicState) -> None:
        self._actions = 0
        self._phase = ""
        self._blind: tuple[int, int, str, float] | None = None
        self._boss = ""
        self._money: list[int] = []
        self._scores: list[BlindScore] = []
        self._cleared = 0
        self._best = (0.0, "")
        self._notes = Notebook()
        self._not_numbers = 0
        self._times: dict[bool, list[float]] = {True: [], False: []}

    def happened(self, moment: Moment) -> None:
        kind, before, after = moment.decision.action.kind, moment.before, moment.after
        self._decided(before, moment.processor_seconds)
        self._notes.happened(moment)
        self._not_numbers += has_not_numbers(moment.decision)
        self._actions += not kind.startswith(_ORDERING)
        if kind == "select_blind":
            self._boss = before.boss
            self._money.append(before.dollars)
            self._blind = (after.ante, after.round, after.blind.key, after.blind.target)
        if kind == "play":
            self._best = max(self._best, (finite(after.last_hand.score), after.last_hand.hand))
        if after.phase in ("round_eval", "game_over") and self._blind:
            self._cleared += after.phase == "round_eval"
            self._end_blind(after)

    def _decided(self, state: PublicState, processor_seconds: float) -> None:
        self._phase = state.phase
        self._times[state.phase == "selecting_hand"].append(processor_seconds)

    def _end_blind(self, state: PublicState) -> None:
        if self._blind:
            ante, round_, blind, target = self._blind
            score, target, entry = finite(state.chips), finite(target), self._notes.end_page()
            self._scores.append(
                BlindScore(ante=ante, round=round_, blind=blind, score=score, target=target, entry=entry)
            )
            self._blind = None

    def ended(self, ended: EndedGame) -> Episode:
        state, failure = ended.state, ended.failure
        if failure:  # a decision without an action
            self._decided(state, failure.processor_seconds)
        row = self._row(ended, _failure_reason(state, failure))
        self._rows.append((ended.id, row))
        return row

    def _row(self, ended: EndedGame, reason: str) -> Episode:
        state = ended.state
        won = state.won and not reason
        lost = reason in ("blind_score_shortfall", "agent_error", "illegal_action")
        self._end_blind(state)
        in_blind = not won and self._phase == "selecting_hand"
        hand, macro = self._times[True], self._times[False]
        return Episode(
            episode_id=ended.id[1],
            agent=ended.spec.agent,
            deck=state.deck,
            stake=state.stake,
            challenge=state.challenge,
            seed=ended.seed,
            nonce=ended.nonce,
            result="win" if won else "loss" if lost else "open",
            final_ante=state.ante,
            ante_reached=LAST_ANTE if won else min(state.ante, LAST_ANTE),
            round=state.round,
            blinds_cleared=self._cleared,
            final_money=state.dollars,
            final_chips=finite(state.chips),
            failure_reason="" if won else reason,
            failure_phase="" if won else self._phase or str(state.phase),
            death_blind=state.blind.key if in_blind else "",
            boss_blind_id=self._boss or state.boss,
            steps=len(hand) + len(macro),
            hand_steps=len(hand),
            actions=self._actions,
            seconds=ended.seconds,
            decision_ms=_mean_ms(hand + macro),
            hand_ms=_mean_ms(hand),
            macro_ms=_mean_ms(macro),
            decision_p95_ms=p95_ms(hand + macro),
            not_numbers=self._not_numbers,
            best_hand=self._best[0],
            best_hand_name=self._best[1],
            money_by_round=tuple(self._money),
            score_by_round=tuple(self._scores),
            jokers=_owned(state),
            error=writable(ended.failure.what) if ended.failure else None,
        )


def _failure_reason(state: PublicState, failure: AgentFailed | None) -> str:
    """Empty for a win."""
    if failure:
        return failure.reason
    if state.over:
        return "blind_score_shortfall" if state.end == "lost" else "engine_capacity"
    return "" if state.won else "step_limit"


def _owned(state: PublicState) -> tuple[str, ...]:
    """Known by name, even those that lie face down; only their places are not."""
    hidden = iter(state.hidden_jokers)
    known = (next(hidden) if joker.face_down else joker for joker in state.jokers)
    return tuple(joker.key for joker in known if joker.key)


def _mean_ms(seconds: list[float]) -> float:
    return 1000 * sum(seconds) / len(seconds) if seconds else 0.0


def has_not_numbers(decision: Decision) -> bool:
    return any(math.isnan(one.value) for one in decision.considered)


def p95_ms(seconds: Sequence[float]) -> float:
    return 1000 * sorted(seconds)[math.ceil(0.95 * len(seconds)) - 1] if seconds else 0.0


# --- How blinds are entered, and what was traded before: needed to say why runs are lost ------------------------------


_WIN_PHASES = frozenset(entry.name for entry in fields(PhaseWins))
_NEW_PAGE = BlindEntry(
    clear=None, win=None, power=None, jokers=0, multipliers=0, interest=0, bought=0, sold=0, sold_soon=0
)


class Notebook:
    """Follows a run; a page holds what belongs to one blind, from the end of the blind before it to its own end."""

    def __init__(self) -> None:
        self._bought_in: dict[int, int] = {}
        self._page = _NEW_PAGE

    def happened(self, moment: Moment) -> None:
        action, before, page = moment.decision.action, moment.before, self._page
        self._listen(before, moment.decision)
        if action.kind == "cash_out":
            self._note(interest=page.interest + before.payout.interest)
        elif action.kind in ("buy", "pick"):
            offers = before.shop if action.kind == "buy" else before.pack.cards if before.pack else []
            if (offer := offers[action.index]).kind == "joker":
                self._bought_in[offer.id] = before.round
                self._note(bought=page.bought + 1)
        elif action.kind == "sell_joker":
            held = before.round - self._bought_in.get(before.jokers[action.index].id, -math.inf)
            self._note(sold=page.sold + 1, sold_soon=page.sold_soon + (held <= SOON))
        elif action.kind == "select_blind":
            self._note(power=power(before), jokers=len(before.jokers), multipliers=multipliers(before))

    def _note(self, **changes: Any) -> None:
        self._page = replace(self._page, **changes)

    def _listen(self, state: PublicState, decision: Decision) -> None:
        """Note the chances that the agent reports."""
        if (win := _chance(decision.win)) is not None:
            if state.phase in _WIN_PHASES:
                self._note(wins=replace(self._page.wins, **{state.phase: win}))
            if state.phase != "selecting_hand":
                self._note(win=win)
        clear = _chance(next((each.clear for each in decision.considered if each.chosen), None))
        if state.phase == "selecting_hand" and clear is not None:
            is_first = state.hands_played == state.discards_used == 0
            if not is_first:
                self._note(last_clear=clear)
            elif self._page.clear is None:
                self._note(clear=clear)

    def end_page(self) -> BlindEntry:
        """What belongs to the blind that has ended."""
        page, self._page = self._page, _NEW_PAGE
        return page


def power(state: PublicState) -> float | None:
    """What a quick player would score with all hands of the next blind, over its target; in the geometric mean.

    The worlds are drawn anew from what is public, always by the same numbers.
    """
    rounds = forecast(state.imagine(0), rounds=1, worlds=_WORLDS)
    return math.exp(min(rounds[0].log_score - rounds[0].target, _LARGEST_LOG)) if rounds else None


def multipliers(state: PublicState) -> int:
    """Jokers held that multiply Mult, Polychrome ones among them, without those that do nothing any more."""
    working = (joker for joker in state.jokers if not joker.debuffed)
    return sum(joker.key in MULTIPLIERS or joker.edition == _POLYCHROME for joker in working)


def _chance(reported: float | None) -> float | None:
    """None for what cannot be a chance, too: agents may say anything."""
    return float(reported) if reported is not None and 0 <= reported <= 1 else None
