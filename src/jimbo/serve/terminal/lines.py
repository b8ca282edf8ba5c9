"""The assistant for programs: a line in, a line of JSON out.

A line is ``accept``, ``refuse`` or ``auto``, with a number or without, or whatever can be typed in ``jimbo play`` to
act, undo or leave. The answer is the advice for the state that was reached (advice_v1), with what was done; or why
nothing was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from jimbo.engine import Action
from jimbo.rollout import MAX_STEPS
from jimbo.serve.assistant import ADVICE_SCHEMA, Entry, Session, advice_data
from jimbo.serve.game import BadInput
from jimbo.serve.terminal.input import NotACommand, Request, read_line

_COMMANDS = "Write accept, refuse or auto, an action as in jimbo play, undo, or q to leave."


class Leave(Exception):
    """Nothing more is wanted."""


def answers(session: Session, lines: Iterable[str]) -> Iterator[str]:
    """The advice for the present state, then an answer to each line until one says to leave."""
    yield advice_line(session)
    for line in lines:
        known = len(session.log)
        try:
            if request := obey(session, line):
                raise BadInput(f'"{request.kind}" is for people; the field state tells everything. {_COMMANDS}')
        except Leave:
            return
        except NotACommand as wrong:  # there is no help to ask for: it is for people
            yield _refusal(NotACommand(wrong.word, _COMMANDS))
        except BadInput as wrong:
            yield _refusal(wrong)
        else:
            yield advice_line(session, session.log[known:])


def _refusal(wrong: BadInput) -> str:
    return json.dumps({"schema": ADVICE_SCHEMA, "error": str(wrong)})


def advice_line(session: Session, done: Iterable[Entry] = ()) -> str:
    data = advice_data(session.ask(), session.suggestions(), with_state=True)
    return json.dumps({**data, "done": [_entry(entry) for entry in done]})


def _entry(entry: Entry) -> dict[str, Any]:
    return {"by": entry.by, "words": entry.words, "events": [str(line) for line in entry.told]}


def obey(session: Session, line: str) -> Request | None:
    """Does what a line says, or returns the question that it asks. BadInput says why it cannot be done."""
    word, _, rest = line.strip().lower().partition(" ")
    if word in _WORDS:
        _WORDS[word](session, _number(word, rest))
        return None
    meant = read_line(line, session.state)
    if isinstance(meant, Action):
        session.play(meant)
        return None
    match meant.kind:
        case "undo":
            session.undo(meant.number)
        case "sort":
            session.play(Action(f"sort_hand_by_{meant.text}"))
        case "quit":
            raise Leave
        case "look":
            pass
        case _:
            return meant
    return None


def _number(word: str, text: str) -> int | None:
    if not text:
        return None
    if not re.fullmatch(r"\d{1,9}", text.strip()) or int(text) < 1:
        raise BadInput(f'"{text}" is not a number from 1 on. Write {word}, or {word} 2.')
    return int(text)


def _accept(session: Session, number: int | None) -> None:
    session.accept((number or 1) - 1)


def _refuse(session: Session, number: int | None) -> None:
    session.refuse((number or 1) - 1)


def _auto(session: Session, number: int | None) -> None:
    for _ in islice(session.autoplay(), number or MAX_STEPS):
        pass


_WORDS: dict[str, Callable[[Session, int | None], None]] = {"accept": _accept, "refuse": _refuse, "auto": _auto}
