"""The words of typed positions: parts, items and marks, each with the place where it stands, and how one is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from jimbo.text.spellings import (
    fold,
)

LONGEST = 20_000
"""Characters of a position."""
_LONGEST_NAME = 60
Json = dict[str, Any]


class BadPosition(ValueError):
    """A sentence that says what was not understood, where it stands, and what could stand there."""

    def __init__(self, sentence: str, start: int, end: int) -> None:
        super().__init__(sentence)
        self.start, self.end = start, end
        """The characters in question, counted from 0."""


class Word(NamedTuple):
    text: str
    start: int
    part: str = ""
    """The part it stands in."""

    def refused(self, why: str) -> BadPosition:
        where = f"character {self.start + 1}" + (f", in {self.part}" if self.part else "")
        return BadPosition(f'"{self.text[:60]}" ({where}) {why}', self.start, self.start + len(self.text))


class NamedItem(NamedTuple):
    word: Word
    marks: tuple[Word, ...]


# --- Parts and items --------------------------------------------------------------------------------------------------


def parts(text: str, names: Iterable[str]) -> Iterator[tuple[Word, Word]]:
    """The parts, each by its name and what it holds; ``names`` are those that there are."""
    if len(text) > LONGEST:
        raise BadPosition(f"A position has at most {LONGEST:,} characters, and this has {len(text):,}.", 0, len(text))
    for word in split(Word(text, 0), ";\n"):
        name, colon, rest = word.text.partition(":")
        if not colon:
            raise word.refused(
                f"has no name. A part is a name, a colon and what it holds; the names are {listed(names)}."
            )
        held = stripped(Word(rest, word.start + len(name) + 1, name.strip()))
        yield Word(name.strip(), word.start), held


def split(word: Word, signs: str) -> Iterator[Word]:
    """What stands between these signs, outside of parentheses."""
    depth, start = 0, 0
    for place, sign in enumerate(f"{word.text}{signs[0]}"):
        if sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        if depth not in (0, 1) or (depth and place == len(word.text)):
            raise stripped(Word(word.text[start:], word.start + start, word.part)).refused(
                "has a parenthesis without its partner, or one inside another."
            )
        if sign in signs and not depth:
            piece = stripped(Word(word.text[start:place], word.start + start, word.part))
            if piece.text:
                yield piece
            start = place + 1


def check_length(word: Word) -> None:
    if len(word.text) > _LONGEST_NAME:
        raise word.refused("and what follows is longer than any name.")


def stripped(word: Word) -> Word:
    blanks = len(word.text) - len(word.text.lstrip())
    return Word(word.text.strip(), word.start + blanks, word.part)


def items(held: Word, signs: str = ",") -> Iterator[NamedItem]:
    # A blank before a parenthesis does not part an item from its marks.
    text = re.sub(r" +\(", lambda found: "(".rjust(len(found[0]), "\0"), held.text) if " " in signs else held.text
    for word in split(Word(text, held.start, held.part), signs):
        name, bracket, rest = word.text.partition("(")
        inside, _, after = rest.partition(")")
        if bracket and after.strip():
            late = word.start + len(word.text) - len(after.strip())
            raise Word(after.strip(), late, word.part).refused("stands behind a parenthesis. Put a comma before it.")
        marks = tuple(split(Word(inside, word.start + len(name) + 1, word.part), ",")) if bracket else ()
        for one in (Word(name, word.start, word.part), *marks):
            check_length(one)
        yield NamedItem(Word(name.replace("\0", "").strip(), word.start, word.part), marks)


def key_of(words: Mapping[str, str], facts: Mapping[str, Any], word: Word, kind: str) -> str:
    """The key of a name; the error suggests what comes near."""
    if (key := words.get(fold(word.text))) is not None:
        return key
    check_length(word)
    near = [words[match] for match in get_close_matches(fold(word.text), words, n=3, cutoff=0.7)]
    names = [getattr(facts.get(key), "name", key) for key in dict.fromkeys(near)]
    hint = f" Did you mean {listed(names, 'or')}?" if names else f" {_example(facts)}"
    raise word.refused(f"is no {kind}.{hint}")


def _example(facts: Mapping[str, Any]) -> str:
    names = [getattr(fact, "name", key) for key, fact in facts.items()]
    return f"It takes {listed(names, 'or')}." if len(names) <= 12 else f"It takes a name such as {names[0]}."


def listed(names: Iterable[object], last: str = "and") -> str:
    *others, one = map(str, names)
    return f"{', '.join(others)} {last} {one}" if others else one


def number(word: Word, low: int, high: int, *, whole: bool = True) -> float:
    text = word.text.replace(",", "").removeprefix("$").removeprefix("-$").strip()
    negative = word.text.startswith("-$")
    if not re.fullmatch(r"-?\d{1,9}" if whole else r"\d{1,15}(\.\d{1,9})?(e\d{1,3})?", text):
        raise word.refused(f"is not a {'whole ' if whole else ''}number.")
    value = -float(text) if negative else float(text)
    if not low <= value <= high:
        raise word.refused(f"does not lie between {low:,} and {high:,}.")
    return int(value) if whole else value
