"""What tools take, and who reviews for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Protocol

from pydantic import Field

from jimbo.serve.mcp.answers import ReviewedRun
from jimbo.serve.review.played import PlayedRun

MOST_TEXT = 100
"""Characters of an argument."""

RunArg = Annotated[str, Field(max_length=MOST_TEXT, description="handle of a run, such as r1")]
Name = Annotated[str, Field(max_length=MOST_TEXT)]

Progress = Callable[[int, int], None]
"""Called with how many decisions are judged, and of how many."""


class RunReviewer(Protocol):
    """Reviews runs."""

    def recorded(self, name: str) -> PlayedRun | None:
        """The run of a record; None for a name that no record has."""

    def records(self) -> list[str]:
        """The names of the latest records, the last first."""

    def review(
        self, name: str, run: PlayedRun, top: int, progress: Progress, *, in_play: bool = False
    ) -> ReviewedRun: ...
