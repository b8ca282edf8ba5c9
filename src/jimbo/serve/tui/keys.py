"""The keys of the assistant's screen: what the help lists is what works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.binding import Binding


@dataclass(frozen=True, slots=True)
class Key:
    """A key, or several that do the same."""

    keys: str
    """By Textual's names, separated by commas."""
    shown: str
    action: str
    """With ``{}`` in the place of the key."""
    meaning: str
    label: str = ""
    """In the line at the bottom; keys without one are not there."""

    def bindings(self) -> Iterator[Binding]:
        if "{}" in self.action:
            yield from (Binding(key, self.action.format(key), show=False) for key in self.keys.split(","))
        else:
            shown, first = bool(self.label), self.shown.split()[0]
            yield Binding(
                self.keys, self.action, self.label, show=shown, key_display=first, priority="ctrl" in self.keys
            )


KEYS = (
    Key("enter", "Enter", "accept", "accept the suggestion that is pointed at", "accept"),
    Key("n", "n", "refuse", "refuse it; the next best takes its place", "refuse"),
    Key("u", "u", "undo", "take back what was refused last, or undo a step", "undo"),
    Key("a", "a", "auto", "autoplay: accept the first suggestion again and again", "auto"),
    Key("colon,slash", ": /", "type", "type what to do instead, such as p 1 2 3", "type"),
    Key("b", "b", "breakdown", "the reason, and all of the breakdown", "why"),
    Key("l", "l", "log", "the log of what was done", "log"),
    Key("question_mark", "?", "help", "this list", "help"),
    Key("q", "q", "leave", "leave; a run that is not saved is asked about", "quit"),
    Key("up,k", "up k", "point(-1)", "point at the suggestion above"),
    Key("down,j", "down j", "point(1)", "point at the suggestion below"),
    Key("1,2,3,4,5,6,7,8,9", "1-9", "point_at({})", "point at this one"),
    Key("escape", "Escape", "stop", "stop autoplay, or typing"),
    Key("ctrl+c", "Ctrl-C", "interrupt", "leave at once, and save the run"),
)
IN_WINDOWS = (
    Key("escape,q,enter,question_mark,b,l", "Escape q Enter ? b l", "dismiss(None)", "close it"),
    Key("up,k", "up k", "move(-1)", "scroll up a line"),
    Key("down,j", "down j", "move(1)", "scroll down a line"),
    Key("pageup", "Page Up", "move(-10)", "scroll up"),
    Key("pagedown,space", "Page Down, Space", "move(10)", "scroll down"),
)
