"""What asking a model took: in all, and in one run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, runtime_checkable

from jimbo.eval.rows import ModelUse
from jimbo.llm.protocol import Usage


@dataclass(slots=True)
class Account:
    """What asking took, since it was begun."""

    asked: int = 0
    """Requests sent."""
    answered: int = 0
    """Those with an answer that could be used."""
    failures: Counter[str] = field(default_factory=Counter)
    """The others, by kind."""
    withheld: Counter[str] = field(default_factory=Counter)
    """Questions that were not sent, by the limit that kept them."""
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float = 0.0
    """By the prices that are known; the most that it can have been where a service does not say what it took."""
    seconds: float = 0.0

    def data(self) -> dict[str, Any]:
        """For machines."""
        found = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return {name: dict(value) if isinstance(value, Counter) else value for name, value in found.items()}


@runtime_checkable
class AskingAgent(Protocol):
    """An agent that asks a model."""

    @property
    def use(self) -> ModelUse:
        """What the model was asked in this run, and what it took."""


class Meter:
    """What was asked since a run began."""

    def __init__(self, account: Account) -> None:
        self._now = account
        self._before = replace(account, failures=Counter(account.failures), withheld=Counter(account.withheld))
        self.illegal = self.fallbacks = 0
        self._cached, self._input, self._output, self._dollars = 0, 0, 0, 0.0

    def repeated(self, usage: Usage, dollars: float) -> None:
        """An answer that was paid for before counts for the run as if it were new."""
        self._cached += 1
        self._input += usage.input_tokens
        self._output += usage.output_tokens
        self._dollars += dollars

    def use(self, model: str, decisions: int) -> ModelUse:
        now, then = self._now, self._before
        return ModelUse(
            model=model,
            decisions=decisions,
            calls=now.asked - then.asked + self._cached,
            repeated=self._cached,
            failed=sum(now.failures.values()) - sum(then.failures.values()),
            illegal=self.illegal,
            fallbacks=self.fallbacks,
            input_tokens=now.input_tokens - then.input_tokens + self._input,
            output_tokens=now.output_tokens - then.output_tokens + self._output,
            dollars=now.dollars - then.dollars + self._dollars,
            seconds=now.seconds - then.seconds,
        )
