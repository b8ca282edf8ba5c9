"""An agent that plays while another one is asked at every decision what it would do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.loading import error_text
from jimbo.data import Decision
from jimbo.engine import PublicState
from jimbo.eval.episodes import EpisodeBuffer, has_not_numbers, p95_ms
from jimbo.eval.rows import Disagreement, Episode, Shadow
from jimbo.eval.runner import Settings
from jimbo.league.gate import Contestant
from jimbo.rollout.games import EndedGame, GameBuffer
from jimbo.text import action_words


class ShadowedAgent:
    """Plays as one agent does, and notes what another would have done."""

    def __init__(self, acting: Agent, shadow: Agent, name: str) -> None:
        if shadow.clairvoyant:
            raise ValueError(f"{name} must be shown what is hidden, so it cannot shadow another agent.")
        self.name, self.clairvoyant = acting.name, acting.clairvoyant
        self._acting, self._shadow, self._name = acting, shadow, name
        self._forget()

    def __repr__(self) -> str:
        return f"<ShadowedAgent {self._acting!r}, {self._shadow!r}>"

    def _forget(self) -> None:
        self._times: tuple[list[float], list[float]] = ([], [])
        self._found: list[Disagreement] = []
        self._fault = ""

    def reset(self, nonce: int) -> None:
        self._forget()
        self._acting.reset(nonce)
        self._ask(lambda: self._shadow.reset(nonce))

    def act(self, state: PublicState, /) -> Decision:
        began = time.process_time()
        decision = self._acting.act(state)
        self._times[0].append(time.process_time() - began)
        if not self._fault:
            began = time.process_time()
            other = self._ask(lambda: self._shadow.act(state))
            self._times[1].append(time.process_time() - began)
            if other:
                self._compare(state, decision, other)
        return decision

    def _ask(self, question: Callable[[], Decision | None]) -> Decision | None:
        try:
            return question()
        except Exception as error:
            self._fault = f"it failed in decision {len(self._times[0])}: {error_text(error)}"
            return None

    def _compare(self, state: PublicState, decision: Decision, other: Decision) -> None:
        step = len(self._times[0])
        if refusal := state.refusal(other.action):
            self._fault = f"it chose what is not allowed in decision {step}: {refusal.sentence}"
        elif has_not_numbers(other):
            self._fault = f"it valued actions by what is not a number in decision {step}"
        elif other.action != decision.action:
            self._found.append(
                Disagreement(
                    step=step,
                    ante=state.ante,
                    phase=state.phase,
                    action=action_words(decision.action, state),
                    other=action_words(other.action, state),
                    value=_expected(decision),
                    other_value=_expected(other),
                )
            )

    def notes(self) -> Shadow:
        """What was seen since the run began."""
        return Shadow(
            agent=self._name,
            decisions=len(self._times[1]),
            p95_ms=p95_ms(self._times[1]),
            acting_p95_ms=p95_ms(self._times[0]),
            disagreements=tuple(self._found),
            fault=self._fault,
        )


def _expected(decision: Decision) -> float | None:
    chosen = next((one for one in decision.considered if one.chosen), None)
    if decision.win is not None:
        return decision.win
    return None if chosen is None else chosen.value if chosen.clear is None else chosen.clear


class _ShadowBuffer(EpisodeBuffer):
    def __init__(self, player: ShadowedAgent) -> None:
        super().__init__()
        self._player = player

    def _row(self, ended: EndedGame, reason: str) -> Episode:
        return replace(super()._row(ended, reason), shadow=self._player.notes())


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadowSettings(Settings):
    """Games of an agent that another one shadows."""

    shadow: Contestant

    def make_player(self) -> Agent:
        other = make_agent(self.shadow.agent, **self.shadow.options)
        return ShadowedAgent(make_agent(self.agent, **self.options), other, self.shadow.name)

    def make_buffer(self, player: Agent, url: str | None) -> GameBuffer:
        assert isinstance(player, ShadowedAgent)
        return _ShadowBuffer(player)

    def to_data(self) -> dict[str, Any]:
        return {**Settings.to_data(self), "shadow": self.shadow.data}
