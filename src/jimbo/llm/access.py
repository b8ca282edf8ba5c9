"""Asking a model within limits: of requests, of money and of time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from jimbo.llm.account import Account
from jimbo.llm.protocol import ModelAnswer, ModelClient, ModelQuestion, NoAnswer, Usage
from jimbo.llm.store import CallLimits, RequestHeld, StoreFailed

_PATIENT_FAILURES = 2
"""So many failures in a row are taken as chance; after more of them the service is left alone for a while."""
_LONGEST_PAUSE = 300.0
_REFUSED_PAUSE = 60.0
"""Seconds after a request that was refused for what it is, such as one with a wrong key."""
_PASSING = ("rate_limited", "server_error", "unreachable")
"""Failures that cost nothing and may be over the next moment."""


class Withheld(Exception):
    """The model is not asked now; says why in a word (``budget``, ``rate``, ``pause`` or ``store``) and a sentence."""

    def __init__(self, kind: str, why: str, wait: float | None = None) -> None:
        """``wait``: seconds after which it might be; None where waiting does not help."""
        super().__init__(why)
        self.kind, self.wait = kind, wait


class OutOfBudget(RuntimeError):
    """The money is spent before a run has ended."""


class Access:
    """A model behind limits."""

    def __init__(
        self,
        client: ModelClient,
        limits: CallLimits,
        price: tuple[float, float],
        timeout: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``price``: dollars for a million tokens of input and of output. ``clock`` and ``sleep``: of this process."""
        self.client, self.limits, self.price = client, limits, price
        self._timeout, self._clock, self._sleep = timeout, clock, sleep
        self._in_a_row, self._rests_until = 0, float("-inf")
        self._said: set[str] = set()
        self.account = Account()

    def ask(self, question: ModelQuestion, patience: float = 0.0) -> tuple[ModelAnswer, float]:
        """The answer, and what it cost in dollars; NoAnswer or Withheld.

        ``patience``: seconds to wait in all for a slot, or for a service that asks for time, and then to ask again.
        """
        end = self._clock() + patience
        while True:
            try:
                return self._ask(question)
            except (NoAnswer, Withheld) as error:
                wait = error.wait
                if isinstance(error, NoAnswer):
                    wait = self._rests_until - self._clock() if error.kind in _PASSING else None
                if wait is None or patience <= 0 or self._clock() + wait > end:
                    self._say(error)
                    raise
                self._sleep(max(wait, 0.05))

    def _ask(self, question: ModelQuestion) -> tuple[ModelAnswer, float]:
        account, most = self.account, Usage(question.most_input_tokens, question.max_tokens).dollars(self.price)
        if (rest := self._rests_until - self._clock()) > 0:
            account.withheld["pause"] += 1
            raise Withheld("pause", f"It failed before, and is left alone for {rest:.1f} seconds more.", rest)
        try:
            slot = self.limits.take(most)
        except StoreFailed as error:
            account.withheld["store"] += 1
            raise Withheld("store", f"{error} Without it no limit can be kept.") from None
        if isinstance(slot, RequestHeld):
            kind = "budget" if slot.wait is None else "rate"
            account.withheld[kind] += 1
            raise Withheld(kind, slot.why, slot.wait)
        account.asked += 1
        began, usage, free = self._clock(), None, False
        try:
            answer = self.client.ask(question, self._timeout)
            usage = answer.usage
        except NoAnswer as error:
            usage, free = error.usage, error.free
            account.failures[error.kind] += 1
            self._failed(error)
            raise
        else:
            self._in_a_row = 0
            account.answered += 1
        finally:
            account.seconds += self._clock() - began
            cost = 0.0 if free else most if usage is None else usage.dollars(self.price)
            account.dollars += cost
            account.input_tokens += usage.input_tokens if usage else 0
            account.output_tokens += usage.output_tokens if usage else 0
            try:
                if cost != most:
                    self.limits.settle(slot, cost)
            except StoreFailed:
                pass  # the most that it can have cost stays noted
        return answer, cost

    def _failed(self, error: NoAnswer) -> None:
        """Leave the service alone for as long as it asks for, or longer each time."""
        self._in_a_row += 1
        rest = error.wait or 0.0
        if error.kind == "refused":
            rest = _REFUSED_PAUSE
        elif self._in_a_row > _PATIENT_FAILURES:
            rest = max(rest, min(_LONGEST_PAUSE, 2.0 ** (self._in_a_row - _PATIENT_FAILURES)))
        self._rests_until = self._clock() + rest

    def _say(self, error: NoAnswer | Withheld) -> None:
        """What people should mend is said once."""
        if error.kind in ("refused", "unreachable", "budget", "store") and error.kind not in self._said:
            self._said.add(error.kind)
            print(f"jimbo: {self.client.name} is not asked: {error}", file=sys.stderr)
