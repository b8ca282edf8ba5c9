"""Options of agents that ask a model, and the access that they give."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, TypeVar

from jimbo.declared import Declared, declared, from_text
from jimbo.llm.access import Access
from jimbo.llm.client import Api, is_local, make_client
from jimbo.llm.store import DAY, CallLimits, CallStore

PRICES = {
    "claude-haiku-4-5": (1.0, 5.0),
    "claude-sonnet-4-6": (3.0, 15.0),
    "claude-opus-4-5": (5.0, 25.0),
    "claude-opus-4-6": (5.0, 25.0),
    "claude-opus-4-7": (5.0, 25.0),
}
"""Dollars for a million tokens of input and of output, as the service listed them in April 2026."""
MODEL = "claude-haiku-4-5"
_VARIABLES = {
    "model": "CLAUDE_MODEL",
    "per_hour": "LLM_REQUESTS_PER_HOUR",
    "cache_size": "LLM_CACHE_SIZE",
    "confidence": "LLM_CONFIDENCE_THRESHOLD",
}
"""Environment variables that stand in for options that are not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessOptions(Declared):
    """How a model is asked. Options that are None have a default of their own."""

    USUAL: ClassVar[int] = 100
    """Requests an hour where nothing else is said."""

    model: str | None = declared(None, f"name of the model; CLAUDE_MODEL, or else {MODEL}", nonempty=True)
    api: Api = declared("anthropic", "the service speaks the Messages API, or like OpenAI's, as local models do")
    base_url: str | None = declared(None, "where the service is; for openai http://127.0.0.1:11434/v1", nonempty=True)
    key_env: str | None = declared(
        None, "name of the environment variable that holds the key; ANTHROPIC_API_KEY or OPENAI_API_KEY", nonempty=True
    )
    price: tuple[float, float] | None = declared(
        None, "dollars for a million tokens of input and of output; known for some models, 0 on this machine", min=0
    )
    budget: float = declared(
        1.0, "dollars that may be spent in 24 hours, or in all with a store of its own", min=0, max=100_000
    )
    per_hour: int | None = declared(None, "requests an hour; LLM_REQUESTS_PER_HOUR, or else 100", min=1, max=1_000_000)
    timeout: float = declared(5.0, "seconds that a request may take", min=0.05, max=3_600)
    max_tokens: int = declared(500, "tokens that an answer may have", min=50, max=100_000)
    thinking: bool = declared(
        False, "true lets the model think before it answers; give it max_tokens and time for that"
    )
    store: str | None = declared(
        None, "the file in which limits and answers are kept; llm.sqlite in the state folder of the user", nonempty=True
    )


Given = TypeVar("Given", bound=AccessOptions)


def with_variables(options: Given) -> Given:
    """The options, with those from the environment where none is given."""
    found = {}
    for name, variable in _VARIABLES.items():
        text = os.environ.get(variable, "")
        if text and hasattr(options, name) and getattr(options, name) is None:
            value = from_text(type(options), name, text)
            try:
                replace(options, **{name: value})
            except ValueError as error:
                raise ValueError(f"the environment variable {variable}: {error}") from None
            found[name] = value
    return replace(options, **found)


def make_access(options: AccessOptions) -> Access:
    """A model behind limits; ValueError says what is missing."""
    model = options.model or MODEL
    client = make_client(options.api, model, options.base_url, options.key_env, thinking=options.thinking)
    price = options.price or _price(options, model)
    store = CallStore(Path(options.store) if options.store else None)
    limits = CallLimits(store, options.per_hour or options.USUAL, options.budget, None if options.store else DAY)
    return Access(client, limits, price, options.timeout)


def _price(options: AccessOptions, model: str) -> tuple[float, float]:
    url = options.base_url or ("" if options.api == "anthropic" else "http://127.0.0.1")
    if is_local(url):
        return 0.0, 0.0
    if options.api == "anthropic" and model in PRICES:
        return PRICES[model]
    raise ValueError(
        f"the price of {model} is not known, and without it no spending limit can be kept: give dollars for a million "
        "tokens of input and of output, such as price=[3,15]"
    )
