"""Somebody who is told of events."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jimbo.telemetry.events import EventData
from jimbo.telemetry.messages import message_text, read_message


class Heard:
    """Keeps what is told, as it would arrive."""

    def __init__(self, *, has_time: bool = True) -> None:
        self.has_time = has_time
        self.messages: list[dict[str, Any]] = []
        self.skipped: list[int] = []
        """Decisions of each game that was left out."""

    def tell(self, event: EventData, game_id: str = "") -> None:
        self.messages.append(read_message(message_text(event, 1.0, game_id)))

    def may_tell(self) -> bool:
        return self.has_time

    def skip(self, decisions: int) -> None:
        self.skipped.append(decisions)

    @contextmanager
    def spending(self) -> Iterator[None]:
        yield

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [one["data"] for one in self.messages if one["type"] == kind]
