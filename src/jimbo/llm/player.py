"""The agent llm: a language model that plays by itself, with the tools of ``jimbo mcp``."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from jimbo.agents import Agent, make_agent
from jimbo.data.record import Decision, Route
from jimbo.declared import declared
from jimbo.engine import Action, Event, PublicState
from jimbo.eval.rows import ModelUse
from jimbo.extras import check_installed
from jimbo.llm.access import Access, OutOfBudget, Withheld
from jimbo.llm.account import Meter
from jimbo.llm.bodies import clean
from jimbo.llm.cache import AnswerCache, Asked
from jimbo.llm.client import EXTRA
from jimbo.llm.options import AccessOptions, make_access, with_variables
from jimbo.llm.protocol import AnsweredCall, ModelQuestion, NoAnswer, ToolCall, Usage
from jimbo.llm.questions import GAME
from jimbo.llm.store import StoreFailed
from jimbo.rollout.loop import Moment
from jimbo.text import action_words

if TYPE_CHECKING:
    from jimbo.llm.seat import ToolSeat


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmOptions(AccessOptions):
    """How a model plays."""

    USUAL = 3_000

    attempts: int = declared(3, "useless answers to one decision before another agent takes it", min=1, max=20)
    looks: int = declared(5, "calls for one decision that only look; then the model must act", min=0, max=100)
    memory: int = declared(
        12_000, "bytes of earlier calls and answers that the model is shown again", min=0, max=1_000_000
    )
    fallback: str = declared("greedy", "the agent that decides what the model does not", nonempty=True)
    advice: bool = declared(False, "true offers the tools advise and what_if, too, with what the agent expert thinks")
    per_hour: int | None = declared(None, "requests an hour; LLM_REQUESTS_PER_HOUR, or else 3000", min=1, max=1_000_000)
    patience: float = declared(
        600.0, "seconds to wait for each answer where a limit or the service asks for time", min=0, max=86_400
    )
    timeout: float = declared(60.0, "seconds that a request may take", min=0.05, max=3_600)


_MOST_MOVES = 10
"""Times in a row that a model may rearrange cards, which it could go on with forever."""
_REARRANGED = "Nothing was done: enough has been rearranged. Do something else."
_LEFT_OUT = "What was called before is left out here; look shows the run."
_SYSTEM = (
    "You play run r1 of Balatro, and decide everything yourself. Call one tool at a time, and say in a sentence or two "
    "before it why. act takes one action, for good, and answers with what it brought, the new state and its token. "
    f"Everything else only looks. {GAME}"
)


class LlmAgent:
    """A language model that takes every decision of a run itself, by calling the tools that other programs offer it."""

    Options = LlmOptions

    def __init__(self, options: LlmOptions | None = None, access: Access | None = None) -> None:
        self._given: LlmOptions = with_variables(options or LlmOptions())
        check_installed(("mcp",), EXTRA)
        self.access = access or make_access(self._given)
        # A run that is played again from its start gets the same answers, without a request.
        hours = math.inf if self._given.store else 24.0
        self._cache = AnswerCache(self.access.limits.store, 10_000_000, hours=hours)
        self._plain: Agent = make_agent(self._given.fallback)
        if self._plain.clairvoyant:
            raise ValueError(f"the agent {self._given.fallback} must be shown what is hidden, and a model must not")
        self.reset(0)

    def __repr__(self) -> str:
        return "<LlmAgent>"

    def reset(self, nonce: int) -> None:
        self._plain.reset(nonce)
        self._nonce, self._step, self._moves = nonce, 0, 0
        self._seat: ToolSeat | None = None
        self._calls: list[AnsweredCall] = []
        self._forgot = False
        self._waits: tuple[Decision, ToolCall | None, str] | None = None
        """The last decision, the call that chose it, if any, and whose it was otherwise."""
        self._before: PublicState | None = None
        self._events: Sequence[Event] = ()
        self._meter = Meter(self.access.account)

    @property
    def use(self) -> ModelUse:
        """What the model was asked in this run, and what it took."""
        return self._meter.use(self.access.client.name, self._step)

    def happened(self, moment: Moment) -> None:
        """Be told what a step brought, as clients of the server are. It is left out of the answers otherwise."""
        self._events = moment.events

    def act(self, state: PublicState) -> Decision:
        self._step += 1
        self._catch_up(state)
        legal = state.legal_actions()
        if len(legal) == 1:
            return self._decided(Decision(legal[0], explanation="nothing else can be done"), state, by="the game")
        failed, looked = 0, 0
        kind = "illegal"
        while failed < self._given.attempts:
            try:
                call = self._asked(act_now=looked >= self._given.looks, forced=failed > 0)
            except Withheld as error:
                if error.kind == "budget":
                    raise OutOfBudget(str(error)) from None
                kind = error.kind
                break
            except NoAnswer as error:
                kind, failed = error.kind, failed + 1
                continue
            came = self._at(state).call(call.tool, call.arguments)
            if isinstance(came, Action):
                self._moves = self._moves + 1 if came.kind.startswith(("move_", "sort_")) else 0
                if self._moves <= _MOST_MOVES:
                    why = f"{self.access.client.name}: {clean(call.words) or 'gives no reason'}"
                    return self._decided(Decision(came, explanation=why, route=self._route("")), state, call)
                came = _REARRANGED, True
            answer, refused = came
            self._calls.append(AnsweredCall(call, answer, refused))
            self._meter.illegal += refused
            kind, failed, looked = "illegal", failed + refused, looked + (not refused)
        self._meter.fallbacks, self._moves = self._meter.fallbacks + 1, 0
        decision = self._plain.act(state)
        return self._decided(replace(decision, route=self._route(kind)), state, by=f"the program {self._plain.name}")

    def _route(self, fallback: str) -> Route:
        return Route(self._plain.name if fallback else self.access.client.name, 1.0, fallback)

    # --- The seat -----------------------------------------------------------------------------------------------------

    def _at(self, state: PublicState) -> ToolSeat:
        """The seat at this run, which begins with the first state that is seen of it."""
        if self._seat is None:
            from jimbo.llm.seat import ToolSeat  # it needs a package of the extra

            advised = self._given.advice
            agent = "expert" if advised else self._given.fallback
            self._seat = ToolSeat(state, lambda: make_agent(agent), advised=advised)
        return self._seat

    def _decided(self, decision: Decision, state: PublicState, call: ToolCall | None = None, by: str = "") -> Decision:
        self._waits, self._before, self._events = (decision, call, by), state, ()
        return decision

    def _catch_up(self, state: PublicState) -> None:
        """Answer what the last decision brought."""
        seat = self._at(self._before or state)
        if self._waits is None:
            return
        decision, call, by = self._waits
        if state == self._before and not self._events:
            if call:
                self._calls.append(AnsweredCall(call, "Nothing was changed by that. Do something else.", failed=True))
            return
        answer = seat.happened(decision.action, state, self._events)
        if call:
            self._calls.append(AnsweredCall(call, answer))
            return
        assert self._before is not None
        told = f"{by} decided next: {action_words(decision.action, self._before)}\n{answer}"
        if self._calls:
            last = self._calls[-1]
            self._calls[-1] = replace(last, answer=f"{last.answer}\n\n{told}")
        else:
            seat.opening += f"\n\n{told}"

    # --- Asking -------------------------------------------------------------------------------------------------------

    def _question(self, seat: ToolSeat, *, act_now: bool, forced: bool) -> ModelQuestion:
        while self._calls and sum(one.bytes for one in self._calls[:-1]) > self._given.memory:
            del self._calls[0]
            self._forgot = True
        prompt, tools = _LEFT_OUT if self._forgot else seat.opening, seat.tools(acting=act_now)
        return ModelQuestion(_SYSTEM, prompt, tools, self._given.max_tokens, tuple(self._calls), act_now or forced)

    def _asked(self, *, act_now: bool, forced: bool) -> ToolCall:
        """The call that the same question was answered with before, or else the model."""
        assert self._seat
        question = self._question(self._seat, act_now=act_now, forced=forced)
        name = self.access.client.name
        whole = json.dumps([name, self._nonce, asdict(question)], sort_keys=True)
        asked = Asked(hashlib.sha256(whole.encode()).hexdigest(), f"{name} player", {}, "")
        try:
            known = self._cache.exact(asked.key)
        except StoreFailed:
            known = None
        if known:
            self._meter.repeated(known.usage, known.dollars)
            return ToolCall(**json.loads(known.reason))
        answer, dollars = self.access.ask(question, self._given.patience)
        with suppress(StoreFailed):  # it will be asked again
            kept = json.dumps(asdict(answer.call))
            self._cache.keep(asked, answer.call.tool, kept, answer.usage or Usage(), dollars)
        return answer.call
