"""The agent claude: it plays as another one does, and asks a model where that one is in doubt."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from jimbo.agents import Agent, make_agent
from jimbo.agents.registry import read_options
from jimbo.data.record import Decision, Route
from jimbo.declared import declared
from jimbo.engine import LAST_ANTE, PublicState
from jimbo.eval.rows import ModelUse
from jimbo.llm.access import Access, Withheld
from jimbo.llm.account import Meter
from jimbo.llm.bodies import clean
from jimbo.llm.cache import AnswerCache, Asked, Remembered
from jimbo.llm.doubt import Need, confidence_of
from jimbo.llm.options import AccessOptions, make_access, with_variables
from jimbo.llm.protocol import NoAnswer, Usage
from jimbo.llm.questions import AnswerOption, adviser_question, asked_of, options_of
from jimbo.llm.store import StoreFailed
from jimbo.serve.assistant.advice import suggestions_of
from jimbo.serve.assistant.reasons import THEN
from jimbo.telemetry.program import metric
from jimbo.text import action_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeOptions(AccessOptions):
    """Who plays, and when the model is asked."""

    agent: str = declared("expert", "the agent that plays, and asks where it is in doubt", nonempty=True)
    agent_options: Mapping[str, str] = declared(
        default_factory=dict, help='options of that agent, such as {"effort": "2"}'
    )
    share: float = declared(0.05, "decisions of which the model is asked about, at most", min=0, max=1)
    confidence: float | None = declared(
        None, "confidence below which it is; else 0.3, 0.5 and 0.7 in antes 1, 4 and 7", min=0, max=1
    )
    cache_size: int | None = declared(None, "answers kept; LLM_CACHE_SIZE, or else 10000", min=0, max=10_000_000)
    similarity: float = declared(0.85, "how alike a question must be to get the answer of another one", min=0, max=1)


class ClaudeAgent:
    """Plays as another agent does, and asks a language model where that one is in doubt and a mistake costs most."""

    Options = ClaudeOptions

    def __init__(self, options: ClaudeOptions | None = None, access: Access | None = None) -> None:
        given: ClaudeOptions = with_variables(options or ClaudeOptions())
        self.access = access or make_access(given)
        texts = [f"{name}={value}" for name, value in given.agent_options.items()]
        self._inner: Agent = make_agent(given.agent, **read_options(given.agent, texts))
        if self._inner.clairvoyant:
            raise ValueError(f"the agent {given.agent} must be shown what is hidden, and a model must not")
        self._cache = AnswerCache(
            self.access.limits.store, given.cache_size if given.cache_size is not None else 10_000, given.similarity
        )
        self._need, self._max_tokens = Need(given.confidence, given.share), given.max_tokens
        self.found: Counter[str] = Counter()
        """Questions that the cache answered, by how; and those that it did not, ``miss``."""
        self.fell_back: Counter[str] = Counter()
        """Doubtful decisions that the other agent took after all, by why."""
        self._used: Counter[str] = Counter()
        self._last: PublicState | None = None
        self.reset(0)

    def __repr__(self) -> str:
        return "<ClaudeAgent>"

    def reset(self, nonce: int) -> None:
        if self._used and self._last and self._last.ante < LAST_ANTE:  # the last blind of all may have been beaten
            self._count(beaten=False)
        self._inner.reset(nonce)
        self._nonce, self._step, self._win, self._then = nonce, 0, 0.5, ""
        self._used, self._last = Counter(), None
        self._meter = Meter(self.access.account)

    def act(self, state: PublicState) -> Decision:
        self._step += 1
        if self._used and state.phase == "round_eval" and self._last and self._last.phase == "selecting_hand":
            self._count(beaten=True)
        self._last = state
        if (planned := self._planned(state)) is not None:
            return planned
        decision = self._inner.act(state)
        self._win = self._win if decision.win is None else decision.win
        confidence = confidence_of(decision, self._win)
        if not self._need(confidence, state.ante):
            return decision
        options = options_of(list(suggestions_of(decision, state)), state)
        if len(options) < 2:
            return decision
        risk = 1.0 - confidence
        try:
            letter, why = self._chosen(state, decision, options, confidence)
        except (NoAnswer, Withheld) as error:
            self.fell_back[error.kind] += 1
            self._meter.fallbacks += 1
            why = f"{self.access.client.name} did not help: {clean(error)}"
            route = Route(self._inner.name, risk, f"{error.kind}: {clean(error)}")
            return replace(decision, explanation=decision.explanation or why, route=route)
        option = next(one for one in options if one.letter == letter)
        return self._taken(decision, option, risk, why)

    def _chosen(
        self, state: PublicState, decision: Decision, options: Sequence[AnswerOption], confidence: float
    ) -> tuple[str, str]:
        """The letter of an option, and why; from the cache, or else from the model."""
        name = self.access.client.name
        asked = asked_of(name, state, options)
        letters = {one.label: one.letter for one in reversed(options)}  # of two packs alike the first
        known = self._remembered(asked, letters)
        metric("cache_hit", 1.0 if known else 0.0)
        if known:
            self.found[known.tier] += 1
            self._used[known.key] += 1
            return letters[known.choice], f"{name}, {known.tier} question before: {known.reason}"
        self.found["miss"] += 1
        question = adviser_question(state, decision, options, confidence, self._max_tokens)
        answer, dollars = self.access.ask(question)
        letter, reason = answer.arguments["option"], clean(answer.arguments["reason"])
        label = next(one.label for one in options if one.letter == letter)
        self._used[asked.key] += 1
        with suppress(StoreFailed):  # it will be asked again
            self._cache.keep(asked, label, reason, answer.usage or Usage(), dollars)
        return letter, f"{name}: {reason}"

    def _remembered(self, asked: Asked, letters: Mapping[str, str]) -> Remembered | None:
        try:
            return self._cache.find(asked, letters)
        except StoreFailed:
            return None

    def _taken(self, decision: Decision, option: AnswerOption, risk: float, why: str) -> Decision:
        """The decision with the option that the model chose."""
        action, route = option.suggestion.action, Route(self.access.client.name, risk)
        if action == decision.action:
            return replace(decision, explanation=why, route=route)
        considered = tuple(replace(one, chosen=one.action == action) for one in decision.considered)
        # The other agent must not go on with a plan that is no longer followed.
        self._inner.reset(int.from_bytes(hashlib.sha256(f"{self._nonce}/{self._step}".encode()).digest()[:7], "big"))
        self._then = option.suggestion.then.removeprefix(THEN)
        return replace(decision, action=action, considered=considered, explanation=why, route=route)

    def _planned(self, state: PublicState) -> Decision | None:
        """The second step of an option that the model chose, such as to buy what room was made for."""
        words, self._then = self._then, ""
        if not words:
            return None
        action = next((one for one in state.legal_actions(with_moves=True) if action_words(one, state) == words), None)
        return Decision(action, explanation="as chosen before") if action is not None else None

    def _count(self, *, beaten: bool) -> None:
        """Note whether the blind was beaten after answers were used."""
        with suppress(StoreFailed):
            self._cache.count(self._used, beaten=beaten)
        self._used = Counter()

    @property
    def use(self) -> ModelUse:
        """What the model was asked in this run, and what it took."""
        return self._meter.use(self.access.client.name, self._step)

    def metrics(self) -> dict[str, Any]:
        """What asking took since the agent was made, in numbers."""
        hits = sum(count for tier, count in self.found.items() if tier != "miss")
        asked = sum(self.found.values())
        try:
            left = self.access.limits.left()
        except StoreFailed:
            left = 0
        return {
            "decisions": self._need.decisions,
            "consultations": self.access.account.asked,
            "consultation_rate": self.access.account.asked / max(1, self._need.decisions),
            "cache_hits": dict(self.found - Counter(miss=self.found["miss"])),
            "cache_hit_rate": hits / max(1, asked),
            "fallback_uses": sum(self.fell_back.values()),
            "fallbacks": dict(self.fell_back),
            "rate_limit_remaining": left,
            **self.access.account.data(),
        }
