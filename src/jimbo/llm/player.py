"""The agent llm: a language model that plays by itself."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from jimbo.agents import Agent, make_agent
from jimbo.data.record import Decision, Route, public_hash
from jimbo.declared import declared
from jimbo.engine import Action, PublicState
from jimbo.eval.rows import ModelUse
from jimbo.llm.access import Access, Withheld
from jimbo.llm.account import Meter
from jimbo.llm.cache import AnswerCache, Asked
from jimbo.llm.client import MAX_TEXT, NoAnswer, Usage, clean
from jimbo.llm.options import AccessOptions, make_access, with_variables
from jimbo.llm.questions import player_question
from jimbo.llm.store import StoreFailed
from jimbo.serve.assistant.advice import Suggestion, suggestions_of
from jimbo.serve.game import BadInput, check
from jimbo.serve.terminal.input import read_action


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions(AccessOptions):
    """How a model plays."""

    USUAL = 3_000

    attempts: int = declared(3, "answers to one question before another agent decides it", min=1, max=20)
    fallback: str = declared("greedy", "the agent that decides what the model does not", nonempty=True)
    advice: bool = declared(False, "true shows the model what the agent expert suggests")
    per_hour: int | None = declared(None, "requests an hour; LLM_REQUESTS_PER_HOUR, or else 3000", min=1, max=1_000_000)
    patience: float = declared(
        600.0, "seconds to wait for each answer where a limit or the service asks for time", min=0, max=86_400
    )
    timeout: float = declared(60.0, "seconds that a request may take", min=0.05, max=3_600)


_MOST_MOVES = 10
"""Times in a row that a model may rearrange cards, which it could go on with forever."""


class OutOfBudget(RuntimeError):
    """The money is spent before the run has ended."""


class LlmAgent:
    """A language model that takes every decision of a run itself, by commands as people type them."""

    Options = LlmOptions

    def __init__(self, options: LlmOptions | None = None, access: Access | None = None) -> None:
        self._given: LlmOptions = with_variables(options or LlmOptions())
        self.access = access or make_access(self._given)
        # A run that is played again from its start gets the same answers, without a request.
        hours = math.inf if self._given.store else 24.0
        self._cache = AnswerCache(self.access.limits.store, 10_000_000, hours=hours)
        self._plain: Agent = make_agent(self._given.fallback)
        self._expert: Agent | None = make_agent("expert") if self._given.advice else None
        if self._plain.clairvoyant:
            raise ValueError(f"the agent {self._given.fallback} must be shown what is hidden, and a model must not")
        self.reset(0)

    def __repr__(self) -> str:
        return "<LlmAgent>"

    def reset(self, nonce: int) -> None:
        self._plain.reset(nonce)
        if self._expert:
            self._expert.reset(nonce)
        self._nonce, self._notes, self._step, self._moves = nonce, "", 0, 0
        self._meter = Meter(self.access.account)

    @property
    def use(self) -> ModelUse:
        """What the model was asked in this run, and what it took."""
        return self._meter.use(self.access.client.name, self._step)

    def act(self, state: PublicState) -> Decision:
        self._step += 1
        legal = state.legal_actions()
        if len(legal) == 1:
            return Decision(legal[0], explanation="nothing else can be done")
        advice = list(self._advice(state))
        mistakes: list[str] = []
        kind = "illegal"
        for _ in range(self._given.attempts):
            try:
                command, reason, notes = self._asked(state, mistakes, advice)
            except Withheld as error:
                if error.kind == "budget":
                    raise OutOfBudget(str(error)) from None
                kind = error.kind
                break
            except NoAnswer as error:
                kind = error.kind
                continue
            action, mistake = _action(command, state)
            moves = self._moves + 1 if action and action.kind.startswith(("move_", "sort_")) else 0
            if moves > _MOST_MOVES:
                action, mistake = None, "enough has been rearranged. Do something else."
            if action is not None:
                self._notes, self._moves = notes, moves
                return Decision(action, explanation=f"{self.access.client.name}: {reason}", route=self._route(""))
            self._meter.illegal += 1
            mistakes.append(f'"{clean(command, 60)}": {mistake}')
        self._meter.fallbacks, self._moves = self._meter.fallbacks + 1, 0
        decision = self._plain.act(state)
        return replace(decision, route=self._route(kind))

    def _route(self, fallback: str) -> Route:
        return Route(self._plain.name if fallback else self.access.client.name, 1.0, fallback)

    def _advice(self, state: PublicState) -> Sequence[Suggestion]:
        if not self._expert:
            return ()
        self._expert.reset(self._nonce)  # no plan of its own is followed
        return list(suggestions_of(self._expert.act(state), state))

    def _asked(self, state: PublicState, mistakes: Sequence[str], advice: Sequence[Suggestion]) -> tuple[str, str, str]:
        """Command, reason and notes: those of the same question before, or else of the model."""
        question = player_question(state, self._notes, mistakes, advice, self._given.max_tokens)
        name = self.access.client.name
        whole = "\n".join((name, public_hash(state), question.system, question.prompt, str(self._nonce)))
        asked = Asked(hashlib.sha256(whole.encode()).hexdigest(), f"{name} player", {}, "")
        try:
            known = self._cache.exact(asked.key)
        except StoreFailed:
            known = None
        if known:
            self._meter.repeated(known.usage, known.dollars)
            reason, notes = known.reason.split("\n", 1)
            return known.choice, reason, notes
        answer, dollars = self.access.ask(question, self._given.patience)
        command, reason, notes = (clean(answer.arguments[part]) for part in ("command", "reason", "notes"))
        with suppress(StoreFailed):  # it will be asked again
            self._cache.keep(asked, command, f"{reason}\n{notes}", answer.usage or Usage(), dollars)
        return command, reason, notes


def _action(command: str, state: PublicState) -> tuple[Action | None, str]:
    """What a command means; None and what is wrong with it."""
    try:
        action = read_action(command[:MAX_TEXT], state)
        check(action, state)
    except BadInput as error:
        return None, str(error)
    return action, ""
