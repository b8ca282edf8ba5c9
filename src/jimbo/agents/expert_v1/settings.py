"""The expert's options."""

from __future__ import annotations

from dataclasses import dataclass

from jimbo.declared import Declared, declared


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertV1Options(Declared):
    """All of them have a default; a value out of range is a ValueError."""

    effort: float = declared(
        1.0, "how much work goes into a decision; 1 takes some 25 ms of an ordinary core", min=0.001, max=1_000
    )
    config: str | None = declared(
        None, "a file of constants to use in place of the package's own expert.yaml", nonempty=True
    )
    solver: bool = declared(True, "false plays whatever scores most, and never discards")
    consumables: bool = declared(True, "false neither buys nor uses any")
    joker_order: bool = declared(True, "false leaves jokers and cards in the order they come in")
    clairvoyant: bool = declared(False, "true shows it what is hidden, to measure what cheating is worth")
