"""What requests hold: actions, places, numbers and texts, each checked."""

from __future__ import annotations

from typing import Any

from jimbo.engine import Action
from jimbo.serve.game import BadInput

Json = dict[str, Any]
_MOST_CARDS = 64


def action_of(data: Any) -> Action:
    """The action that was sent, as ``action_data`` writes it; BadInput for anything else."""
    if not isinstance(data, dict):
        raise BadInput("Say what to do: an action with kind, index, to and cards.")
    try:
        index, to = number_in(data, "index"), number_in(data, "to")
        return Action(str(data.get("kind")), index=index, to=to, cards=places_in(data.get("cards", [])))
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput("There is no such action.") from None


def places_in(value: Any) -> list[int]:
    """Places in the hand that were sent."""
    is_list = isinstance(value, list) and len(value) <= _MOST_CARDS
    if not is_list or not all(isinstance(one, int) and not isinstance(one, bool) and 0 <= one < 1000 for one in value):
        raise BadInput("Cards are named by their places in the hand, from 0.")
    return list(value)


def number_in(data: Json, name: str, default: int = 0) -> int:
    """A number that was sent."""
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 100_000:
        raise BadInput(f"{name} is a whole number from 0 on.")
    return value


def text_in(data: Json, name: str, longest: int = 200) -> str | None:
    """A text that was sent."""
    value = data.get(name)
    if value is not None and not (isinstance(value, str) and len(value) <= longest):
        raise BadInput(f"{name} is a short text.")
    return value or None
