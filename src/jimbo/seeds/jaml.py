"""Motely's filters, JAML ("Jimbo's Ante Markup Language"): the part of them that maps to conditions, and what does not.

A filter is YAML with ``must``, ``should`` and ``mustNot``. Slots count from 0 there, from 1 here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from jimbo.declared import short_repr
from jimbo.engine.catalog import BLINDS, CONSUMABLES, EDITIONS, ENHANCEMENTS, JOKERS, SEALS, STICKERS, TAGS, VOUCHERS
from jimbo.seeds.conditions import (
    MAX_ANTE,
    RANKS,
    SUITS,
    CardCount,
    Condition,
    DeckHas,
    Has,
    Lacks,
    PlayingCard,
    Thing,
    Within,
)
from jimbo.seeds.starts import deck_key, stake_key
from jimbo.yaml_files import yaml_in

MOST_BYTES = 2 << 20
"""The size of a filter, with its list of seeds, which is left out."""
_MOST_TEXT = 1 << 16
"""Characters without that list."""
_MOST_CLAUSES = 200
_DEEPEST = 8
_SHOP, _PACKS = tuple(range(1, 7)), tuple(range(1, 7))
"""The slots that count where a filter names none: six of the shop, and all packs."""
_SHOP_OF_FIRST = tuple(range(1, 5))
_ALL_ANTES = tuple(range(1, 9))
_MOST_SLOT = 1000


class BadFilter(ValueError):
    """A sentence on a text that is not a filter."""


@dataclass(frozen=True, slots=True)
class ClauseGroup:
    """Conditions of which all, one or none must be met."""

    kind: Literal["all", "any", "none"]
    parts: tuple[ClauseGroup | Condition, ...]


@dataclass(frozen=True, slots=True)
class Bonus:
    """What a seed scores for."""

    of: ClauseGroup | Condition
    score: float
    label: str


@dataclass(slots=True)
class Filter:
    """What a filter asks for, as far as it maps."""

    name: str
    deck: str | None = None
    stake: str | None = None
    conditions: list[Condition] = field(default_factory=list)
    checks: list[ClauseGroup] = field(default_factory=list)
    """What a seed must also meet; looked at where the conditions are met."""
    bonuses: list[Bonus] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Sentences on what does not map."""
    notes: list[str] = field(default_factory=list)
    """Sentences on what is read in a certain way."""


def read_filter(text: str) -> Filter:
    """Read a filter; BadFilter with a sentence for whatever is none. What does not map is named in ``left_out``."""
    if len(text) > MOST_BYTES:
        raise BadFilter(f"The filter is longer than {MOST_BYTES >> 20} MB.")
    text, seeds = _without_seeds(text)
    if len(text) > _MOST_TEXT:
        raise BadFilter(f"The filter has more than {_MOST_TEXT >> 10} KB without its list of seeds.")
    try:
        data = yaml_in(text, "The filter")
    except ValueError as error:
        raise BadFilter(f"{str(error)[:300]}.") from None
    if not isinstance(data, dict) or not {"must", "should", "mustNot"} & set(data):
        raise BadFilter("A filter is YAML with must, should or mustNot, each a list of clauses.")
    found = _Reading(data).read()
    if seeds:
        found.left_out.append(f"The list of {seeds:,} seeds is left out: all seeds are searched.")
    if not found.conditions:
        raise BadFilter(" ".join(["Nothing in must or mustNot can be searched for.", *found.left_out])[:2000])
    return found


def _without_seeds(text: str) -> tuple[str, int]:
    """The text without a list ``seeds``, which may be very long, and how many seeds it had."""
    kept: list[str] = []
    inside, seeds = False, 0
    for line in text.splitlines(keepends=True):
        if re.match(r"seeds\s*:", line):
            inside = True
            continue
        if inside and (not line.strip() or line[0] in " \t-#"):
            seeds += line.lstrip().startswith("-")
            continue
        inside = False
        kept.append(line)
    return "".join(kept), seeds


# --- Names ------------------------------------------------------------------------------------------------------------


def _squeezed(name: str) -> str:
    """``Oops! All 6s`` and ``OopsAll6s`` are ``oopsall6s``; a leading "The" does not count."""
    return re.sub(r"[^a-z0-9]", "", name.lower()).removeprefix("the")


def _by_name(facts: Mapping[str, Any], ending: str = "") -> dict[str, str]:
    found = {_squeezed(key.partition("_")[2]): key for key in facts}
    for key, one in facts.items():
        name = _squeezed(one.name)
        found[name] = key
        if ending:
            found[name.removesuffix(ending)] = key
    return found


def _of(kind: str) -> dict[str, Any]:
    return {key: card for key, card in CONSUMABLES.items() if card.kind == kind}


def _jokers(*rarities: str) -> dict[str, Any]:
    return {key: joker for key, joker in JOKERS.items() if not rarities or joker.rarity in rarities}


_BOSSES = {key: blind for key, blind in BLINDS.items() if blind.boss}
_SETS: dict[str, tuple[Mapping[str, Any], dict[str, str]]] = {
    "joker": (_jokers("Common", "Uncommon", "Rare"), _by_name(JOKERS)),
    "commonjoker": (_jokers("Common"), _by_name(_jokers("Common"))),
    "uncommonjoker": (_jokers("Uncommon"), _by_name(_jokers("Uncommon"))),
    "rarejoker": (_jokers("Rare"), _by_name(_jokers("Rare"))),
    "legendaryjoker": (_jokers("Legendary"), _by_name(_jokers("Legendary"))),
    "tarotcard": (_of("Tarot"), _by_name(_of("Tarot"))),
    "planetcard": (_of("Planet"), _by_name(_of("Planet"))),
    "spectralcard": (_of("Spectral"), _by_name(_of("Spectral"))),
    "voucher": (VOUCHERS, _by_name(VOUCHERS)),
    "tag": (TAGS, _by_name(TAGS, "tag")),
    "boss": (_BOSSES, _by_name(_BOSSES)),
}
_ALIASES = {
    "souljoker": "legendaryjoker",
    "tarot": "tarotcard",
    "planet": "planetcard",
    "spectral": "spectralcard",
    "bossblind": "boss",
    "smallblindtag": "tag",
    "bigblindtag": "tag",
    "standardcard": "playingcard",
}
_TAG_SLOT = {"smallblindtag": (1,), "bigblindtag": (2,)}
_CARD, _RANK, _SUIT = "playingcard", "erraticrank", "erraticsuit"
_KINDS = {*_SETS, *_ALIASES, _CARD, _RANK, _SUIT}
_RANKS = {
    **{_squeezed(name): letter for letter, name in RANKS.items()},
    **{letter.lower(): letter for letter in RANKS},
    **dict(zip(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), "23456789T", strict=True)),
}
_SUITS = {word: letter for letter, name in SUITS.items() for word in (name.lower(), name.lower()[:-1], letter.lower())}
_EDITIONS = {**_by_name(EDITIONS), "holo": "e_holo"}
_SEALS = _by_name(SEALS, "seal")
_ENHANCEMENTS = {**_by_name(ENHANCEMENTS, "card"), **{_squeezed(one.word): key for key, one in ENHANCEMENTS.items()}}
_STICKERS = _by_name(STICKERS)
_SHOP_NAMES, _PACK_NAMES = {"shopitems", "shopslots"}, {"boosterpacks", "packslots"}
_ABOUT = {"name", "id", "description", "author", "datecreated", "label", "type", "value", "values"}


class _LeftOut(Exception):
    """A few words on a clause that does not map."""


# --- Reading ----------------------------------------------------------------------------------------------------------


class _Reading:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = {str(name): value for name, value in data.items()}
        self._filter = Filter(name=str(self._data.get("name") or "filter")[:80])
        self._clauses = 0
        self._defaulted = False
        given = self._data.get("defaults")
        self._defaults = {str(name).lower(): value for name, value in given.items()} if isinstance(given, dict) else {}

    def read(self) -> Filter:
        found = self._filter
        found.deck, found.stake = self._named("deck", deck_key), self._named("stake", stake_key)
        for name in sorted(set(self._data) - {"must", "should", "mustNot", "deck", "stake", "defaults"}):
            if name.lower() not in _ABOUT:
                found.left_out.append(f"{name[:40]} is left out.")
        for where, clause in self._listed("must"):
            self._guard(where, lambda one=clause: self._must(self._tree(one, 0)))
        for where, clause in self._listed("mustNot"):
            self._guard(where, lambda one=clause: self._must_not(self._tree(one, 0)))
        for where, clause in self._listed("should"):
            self._guard(where, lambda one=clause: self._should(one))
        if self._defaulted:
            found.notes.append(
                "Where a clause names no slots, the first 6 cards of each shop queue (4 for ante 1) and all packs do."
            )
        return found

    def _named(self, part: str, key: Any) -> str | None:
        value = self._data.get(part)
        if value is None:
            return None
        try:
            return str(key(str(value)))
        except ValueError:
            self._filter.left_out.append(f"There is no {part} {short_repr(value)}; it is left out.")
            return None

    def _listed(self, part: str) -> Iterator[tuple[str, Any]]:
        value = self._data.get(part)
        if value is None:
            return
        if not isinstance(value, list):
            raise BadFilter(f"{part} is a list of clauses.")
        for number, clause in enumerate(value, 1):
            yield f"{part} {number}", clause

    def _guard(self, where: str, work: Any) -> None:
        try:
            work()
        except _LeftOut as why:
            self._filter.left_out.append(f"{where} is left out: {why}.")

    # --- What is done with a clause -----------------------------------------------------------------------------------

    def _must(self, tree: ClauseGroup | Condition) -> None:
        if not isinstance(tree, ClauseGroup):
            self._filter.conditions.append(tree)
        elif tree.kind == "all":
            for part in tree.parts:
                self._must(part)
        else:
            self._filter.conditions += _necessary(tree)
            self._filter.checks.append(tree)

    def _must_not(self, tree: ClauseGroup | Condition) -> None:
        if isinstance(tree, Has):
            self._filter.conditions.append(Lacks(tree.any_of, tree.antes, tree.within))
        elif isinstance(tree, ClauseGroup) and tree.kind == "any":
            for part in tree.parts:
                self._must_not(part)
        else:
            self._filter.checks.append(ClauseGroup("none", (tree,)))

    def _should(self, clause: Any) -> None:
        score = self._defaults.get("score", 1)
        label = ""
        if isinstance(clause, dict):
            inner = clause.get("or") if isinstance(clause.get("or"), dict) else clause.get("and")
            inner = inner if isinstance(inner, dict) else {}
            score = clause.get("score", inner.get("score", score))
            label = str(clause.get("label") or "")[:40]
        if isinstance(score, bool) or not isinstance(score, int | float) or not abs(score) <= 1e9:
            raise _LeftOut(f"{short_repr(score)} is not a score")
        self._filter.bonuses.append(Bonus(self._tree(clause, 0), float(score), label))

    # --- Clauses ------------------------------------------------------------------------------------------------------

    def _tree(self, clause: Any, depth: int) -> ClauseGroup | Condition:
        self._clauses += 1
        if self._clauses > _MOST_CLAUSES:
            raise BadFilter(f"A filter has up to {_MOST_CLAUSES} clauses.")
        if depth > _DEEPEST:
            raise _LeftOut("it is nested too deeply")
        if isinstance(clause, str):
            return self._sentence(clause)
        if not isinstance(clause, dict):
            raise _LeftOut(f"{short_repr(clause)} is not a clause")
        names = {str(name).lower(): value for name, value in clause.items()}
        for word, kind in (("and", "all"), ("or", "any")):
            if word in names:
                return self._group(names, word, kind, depth)  # type: ignore[arg-type]
        return self._clause(names)

    def _group(self, names: Mapping[str, Any], word: str, kind: Literal["all", "any"], depth: int) -> ClauseGroup:
        parts = names[word]
        if isinstance(parts, dict):
            names = {**names, **{str(name).lower(): value for name, value in parts.items()}}
            parts = names.get("clauses")
        parts = parts if parts is not None else names.get("clauses")
        if not isinstance(parts, list) or not parts:
            raise _LeftOut(f"{word} is a list of clauses")
        if unread := sorted(set(names) & {"min", "max", "mode", "with"}):
            self._filter.left_out.append(f"{', '.join(unread)} of a group is left out.")
        return ClauseGroup(kind, tuple(self._tree(part, depth + 1) for part in parts))

    def _sentence(self, text: str) -> Has:
        """``Perkeo`` or ``Perkeo in antes 1-8``."""
        name, _, antes = text.partition(" in ante")
        key = next((names[_squeezed(name)] for _, names in _SETS.values() if _squeezed(name) in names), None)
        if key is None:
            raise _LeftOut(f"nothing in the game is called {short_repr(name)}")
        return self._has((Thing(key),), {"antes": antes.removeprefix("s").strip()} if antes else {})

    def _clause(self, names: dict[str, Any]) -> Condition:
        kind, values = self._kind(names)
        name = _ALIASES.get(kind, kind)
        known = {"antes", "ante", "edition", "seal", "enhancement", "rank", "suit", "sources", "score", "min", "max"}
        known |= {"stickers", "sticker", *_SHOP_NAMES, *_PACK_NAMES, *_ABOUT, kind, f"{kind}s", f"{kind}es", "with"}
        if unread := sorted(set(names) - known):
            raise _LeftOut(f"{', '.join(unread)[:80]} does not map")
        if name in (_RANK, _SUIT):
            return self._in_deck(name, values, names)
        if "with" in names or names.get("max") is not None or names.get("min", 1) not in (0, 1):
            unread = [one for one in ("min", "max", "with") if one in names]
            self._filter.left_out.append(f"{', '.join(unread)} of {short_repr(kind)} is left out: once is enough.")
        if name == _CARD:
            return self._has(tuple(self._cards(values, names)), names)
        edition = self._choice(names, "edition", _EDITIONS)
        stickers = tuple(dict.fromkeys(self._stickers(names)))
        if (edition or stickers) and not name.endswith("joker"):
            raise _LeftOut("only jokers and playing cards have editions or stickers here")
        keys = self._keys(name, values)
        return self._has(tuple(Thing(key, edition, stickers) for key in keys), names, tags=_TAG_SLOT.get(kind))

    def _kind(self, names: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Which kind of item a clause is about, and the names in it."""
        given = names.get("values") if names.get("values") is not None else names.get("value")
        if names.get("type") is not None:
            kind = re.sub(r"[^a-z]", "", str(names["type"]).lower())
        else:
            kind = next((one for one in names if _singular(one) in _KINDS), "")
            given = names.get(kind, given)
        if _singular(kind) not in _KINDS:
            known = [name for name in names if name not in ("antes", "score", "label", "sources", "with", "min", "max")]
            raise _LeftOut(f"{short_repr(names.get('type') or ', '.join(known) or 'nothing')} does not map")
        return _singular(kind), given if isinstance(given, list) else [] if given is None else [given]

    def _keys(self, kind: str, values: Sequence[Any]) -> list[str]:
        facts, names = _SETS[kind]
        found: list[str] = []
        for value in values or ["any"]:
            word = _squeezed(str(value))
            if word in ("any", ""):
                found += facts
            elif word.startswith("any") and f"{word[3:]}joker" in _SETS and kind == "joker":
                found += _SETS[f"{word[3:]}joker"][0]
            elif word in names:
                found.append(names[word])
            else:
                raise _LeftOut(f"no {kind} is called {short_repr(value)}")
        return list(dict.fromkeys(found))

    def _cards(self, values: Sequence[Any], names: Mapping[str, Any]) -> Iterator[PlayingCard]:
        same = {
            "enhancement": self._choice(names, "enhancement", _ENHANCEMENTS),
            "seal": self._choice(names, "seal", _SEALS),
            "edition": self._choice(names, "edition", _EDITIONS),
        }
        rank, suit = self._choice(names, "rank", _RANKS), self._choice(names, "suit", _SUITS)
        for value in values or ["any"]:
            ranks, suits = rank, suit
            for word in re.findall(r"[a-z0-9]+", str(value).lower()):
                if word in _RANKS:
                    ranks = _RANKS[word]
                elif word in _SUITS:
                    suits = _SUITS[word]
                elif word not in ("any", "of", "card"):
                    raise _LeftOut(f"no playing card is called {short_repr(value)}")
            card = PlayingCard(rank=ranks, suit=suits, **same)
            if card == PlayingCard():
                raise _LeftOut("it says nothing of the playing card")
            yield card

    def _choice(self, names: Mapping[str, Any], part: str, allowed: Mapping[str, str]) -> str | None:
        value = names.get(part)
        if value is None or str(value).lower() in ("any", "none"):
            return None
        word = _squeezed(str(value)) or str(value)
        if word not in allowed:
            raise _LeftOut(f"there is no {part} {short_repr(value)}")
        return allowed[word]

    def _stickers(self, names: Mapping[str, Any]) -> Iterator[str]:
        given = names.get("stickers", names.get("sticker")) or []
        for value in given if isinstance(given, list) else [given]:
            word = _squeezed(str(value))
            if word not in _STICKERS:
                raise _LeftOut(f"there is no sticker {short_repr(value)}")
            yield _STICKERS[word]

    def _in_deck(self, kind: str, values: Sequence[Any], names: Mapping[str, Any]) -> DeckHas:
        low = names.get("min", 1)
        if isinstance(low, bool) or not isinstance(low, int) or not 1 <= low <= 52:
            raise _LeftOut("min is a number of cards from 1 to 52")
        allowed, part = (_RANKS, "rank") if kind == _RANK else (_SUITS, "suit")
        cards = [PlayingCard(**{part: self._choice({part: value}, part, allowed)}) for value in values]
        if not cards or PlayingCard() in cards:
            raise _LeftOut(f"it names no {part}")
        return DeckHas(tuple(CardCount(card, low) for card in cards))

    def _has(self, things: tuple[Thing | PlayingCard, ...], names: Mapping[str, Any], tags: Any = None) -> Has:
        antes = self._antes(names.get("antes", names.get("ante", self._defaults.get("antes"))))
        shop, packs = self._slots(names, antes)
        sure = all(isinstance(one, Thing) and one.key in (*VOUCHERS, *_BOSSES, *TAGS) for one in things)
        within = Within(
            antes if len(antes) != antes[-1] - antes[0] + 1 else None,
            None if sure else shop,
            None if sure else packs,
            tags,
        )
        return Has(things, (antes[0], antes[-1]), within)

    def _antes(self, value: Any) -> tuple[int, ...]:
        if value is None:
            return _ALL_ANTES
        numbers = tuple(sorted(set(_numbers(value, "antes"))))
        if not numbers or numbers[0] < 1 or numbers[-1] > MAX_ANTE:
            raise _LeftOut(f"antes go from 1 to {MAX_ANTE} here")
        return numbers

    def _slots(self, names: Mapping[str, Any], antes: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The places in the shop, and the packs, that count."""
        sources = names.get("sources")
        if isinstance(sources, list):
            words = {str(one).lower() for one in sources}
            if not words & {"shop", "pack"}:
                raise _LeftOut(f"its sources are {', '.join(sorted(words))[:60] or 'empty'}")
            sources = {
                name: value
                for name, value in (("shopslots", _zero(_SHOP)), ("packslots", _zero(_PACKS)))
                if name[:4] in {one[:4] for one in words}
            }
        given = {str(name).lower(): value for name, value in sources.items()} if isinstance(sources, dict) else {}
        given |= {name: names[name] for name in _SHOP_NAMES | _PACK_NAMES if name in names}
        other = sorted(set(given) - _SHOP_NAMES - _PACK_NAMES)
        if other and len(other) == len(given):
            raise _LeftOut(f"its only source is {', '.join(other)[:60]}")
        if other:
            self._filter.left_out.append(f"The source {', '.join(other)[:60]} is left out.")
        shop = next((value for name, value in given.items() if name in _SHOP_NAMES), None)
        packs = next((value for name, value in given.items() if name in _PACK_NAMES), None)
        if shop is None and packs is None:
            self._defaulted |= "shopslots" not in self._defaults
            usual = _SHOP_OF_FIRST if antes[-1] == 1 else _SHOP
            shop = self._defaults.get("shopslots", _zero(usual))
            packs = self._defaults.get("packslots", _zero(_PACKS))
        return _one_based(shop), _one_based(packs)


def _singular(kind: str) -> str:
    return (
        kind
        if kind in _KINDS
        else kind.removesuffix("es")
        if kind.removesuffix("es") in _KINDS
        else kind.removesuffix("s")
    )


def _zero(numbers: Sequence[int]) -> list[int]:
    return [number - 1 for number in numbers]


def _one_based(value: Any) -> tuple[int, ...]:
    if value is None:
        return ()
    numbers = _numbers(value, "slots")
    if any(not 0 <= number < _MOST_SLOT for number in numbers):
        raise _LeftOut(f"slots go from 0 to {_MOST_SLOT - 1}")
    return tuple(sorted({number + 1 for number in numbers}))


def _numbers(value: Any, what: str) -> list[int]:
    """Numbers of a list, a number, or a text such as ``1-8``."""
    if isinstance(value, str) and (match := re.fullmatch(r"\s*(\d{1,3})\s*(?:-|\.\.)\s*(\d{1,3})\s*", value)):
        return list(range(int(match[1]), int(match[2]) + 1))
    listed = value if isinstance(value, list) else [value]
    found: list[int] = []
    for one in listed:
        if isinstance(one, str) and len(listed) > 1:
            found += _numbers(one, what)
        elif isinstance(one, str) and one.strip().isdecimal() and len(one) < 5:
            found.append(int(one))
        elif isinstance(one, bool) or not isinstance(one, int):
            raise _LeftOut(f"{short_repr(one)} is none of {what}")
        else:
            found.append(one)
    return found


def _necessary(tree: ClauseGroup) -> list[Condition]:
    """What a seed must have so that one of several can be met, which a search can ask first."""
    things: list[Thing | PlayingCard] = []
    first, last = MAX_ANTE, 1
    for part in tree.parts:
        one = part if not isinstance(part, ClauseGroup) or part.kind != "all" else next(iter(part.parts), part)
        if not isinstance(one, Has) or one.antes is None:
            return []
        things += one.any_of
        first, last = min(first, one.antes[0]), max(last, one.antes[1])
    return [Has(tuple(dict.fromkeys(things)), (first, last))] if things else []
