"""Which part of what a seed holds is certain, and what the rest depends on.

Nothing here is known of streams or pools: the rules deal the same seed again, once for each thing that a player may
have or do by then, and an item depends on what changes it there. What may be done by then is worked out from the seed:
the vouchers that its shops may show, the tags of its blinds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from jimbo.engine import Action, Run
from jimbo.engine.catalog import (
    BLINDS,
    BOOSTERS,
    CONSUMABLES,
    EDITIONS,
    ENHANCEMENTS,
    HANDS,
    JOKERS,
    SEALS,
    STICKERS,
    TAGS,
    VOUCHERS,
    fact,
)
from jimbo.engine.seed_tools import GROS_MICHEL_EXTINCT, rest_report, rest_voucher
from jimbo.seeds.line import beat, leave

Json = Mapping[str, Any]
Place = tuple[int, str, int, int]
"""Ante, part (boss, voucher, tag, shop, pack, card, soul), number and card of a pack, both from 0."""
SHOWMAN = "j_ring_master"
_GLYPHS = ("v_hieroglyph", "v_petroglyph")
"""They lower the ante, so that it begins anew."""
_BOSS_REROLLS = ("v_directors_cut", "v_retcon")
_VOUCHER_TAG, _BOSS_TAG = "tag_voucher", "tag_boss"
_TELESCOPE = "v_telescope"


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that may change an item."""

    kind: str
    """``own`` (the same card is had or on display), ``have``, ``voucher``, ``deck``, ``hand``, ``extinct``, ``opened``
    (packs of its kind before it), ``tag``, ``reroll`` (of a boss), ``again`` (an ante that begins anew), ``skipped``
    (no shop in the first ante), ``souls`` or ``planet`` (that Telescope forces)."""
    words: str
    """What it is, after "depends on"."""
    keys: tuple[str, ...] = ()
    """What is had, as ``rest_report`` reads it."""
    then: str = ""
    """The item in its place; empty where it is not one thing."""


@dataclass(frozen=True, slots=True)
class Label:
    """How sure an item is."""

    causes: tuple[Cause, ...] = ()

    @property
    def kind(self) -> str:
        """``certain``, ``own`` (certain unless the player has it already) or ``depends``."""
        if not self.causes:
            return "certain"
        return "own" if all(cause.kind == "own" for cause in self.causes) else "depends"


@dataclass(slots=True)
class Labels:
    """The labels of what a run holds from now on, by place."""

    antes: list[Json]
    """As ``rest_report`` tells them."""
    of: dict[Place, Label] = field(default_factory=dict)


def label_rest(run: Run, last_ante: int, queue: int) -> Labels:
    """Label what a run holds from where it stands to an ante; it is not changed."""
    return _Labelling(run, last_ante, queue).labels()


# --- Items by place ---------------------------------------------------------------------------------------------------


def places(antes: Iterable[Json]) -> Iterator[tuple[Place, Json]]:
    for ante in antes:
        number = ante["ante"]
        yield (number, "boss", 0, 0), ante["boss"]
        yield (number, "voucher", 0, 0), ante["voucher"]
        for at, tag in enumerate(ante["tags"]):
            yield (number, "tag", at, 0), tag
        for at, card in enumerate(ante["shop"]):
            yield (number, "shop", at, 0), card
        for at, pack in enumerate(ante["packs"]):
            yield (number, "pack", at, 0), {"key": pack["key"], "name": pack["name"]}
            for place, card in enumerate(pack["cards"]):
                yield (number, "card", at, place), card
        for at, card in enumerate(ante["legendaries"]):
            yield (number, "soul", at, 0), card


def item_words(card: Json) -> str:
    """A card with everything on it."""
    before = [ENHANCEMENTS[card["enhancement"]].word] if card.get("enhancement") else []
    after = [EDITIONS[card["edition"]].name] if card.get("edition") else []
    after += [SEALS[card["seal"]].name] if card.get("seal") else []
    after += [STICKERS[one].name for one in card.get("stickers", ())]
    return " ".join([*before, card["name"], *after])


def _family(card: Json) -> str:
    """What kind of card a shop shows."""
    key = card["key"]
    return "Joker" if key in JOKERS else CONSUMABLES[key].kind if key in CONSUMABLES else "card"


# --- Labelling --------------------------------------------------------------------------------------------------------


class _Labelling:
    def __init__(self, run: Run, last_ante: int, queue: int) -> None:
        self._run, self._last, self._queue = run, last_ante, queue
        self._first = run.ante
        self.antes: list[Json] = self._report(())
        self._base = dict(places(self.antes))
        self._causes: dict[Place, dict[tuple[str, str], Cause]] = {place: {} for place in self._base}
        self._by: dict[int, set[str]] = {}
        """The vouchers that may be redeemed before each ante begins."""
        self._within: dict[int, set[str]] = {}
        """Those that may be redeemed before an ante ends."""

    def labels(self) -> Labels:
        self._vouchers()
        self._bosses()
        self._cards_had()
        self._vouchers_had()
        self._conditions()
        self._packs()
        self._no_shop()
        self._souls()
        found = {place: Label(tuple(causes.values())) for place, causes in self._causes.items()}
        return Labels(self.antes, found)

    def _report(self, held: Sequence[str], *, alone: bool = False, packs: bool = True) -> list[Json]:
        found: list[Json] = json.loads(rest_report(self._run, self._last, self._queue, list(held), alone, packs))
        return found

    def _add(self, place: Place, cause: Cause) -> None:
        self._causes[place].setdefault((cause.kind, cause.words), cause)

    def _differing(self, held: Sequence[str], *, alone: bool = False) -> Iterator[tuple[Place, str]]:
        """The places that are otherwise with these, and what is there then."""
        other = dict(places(self._report(held, alone=alone)))
        for place, item in self._base.items():
            if (now := other.get(place)) != item:
                yield place, item_words(now) if now else ""

    def _tags_until(self, ante: int) -> set[str]:
        """The tags that may be had by an ante, its own among them; those that the run holds, too."""
        found = {tag["key"] for one in self.antes if one["ante"] <= ante for tag in one["tags"]}
        return found | {tag.key for tag in self._run.public_state().tags}

    # --- Vouchers, and bosses -----------------------------------------------------------------------------------------

    def _vouchers(self) -> None:
        """Which vouchers an ante may show, and which may therefore be had."""
        reachable: set[str] = set()
        for ante in self.antes:
            number = ante["ante"]
            if _VOUCHER_TAG in self._tags_until(number - 1) or reachable.intersection(_GLYPHS):
                reachable |= set(VOUCHERS)
            self._by[number] = set(reachable)
            shown = {ante["voucher"]["key"]}
            if number > self._first:
                shown |= self._voucher_may_be(number, frozenset(), reachable, set())
            reachable |= shown
            if _VOUCHER_TAG in self._tags_until(number):
                reachable |= set(VOUCHERS)
            self._within[number] = set(reachable)

    def _voucher_may_be(
        self, ante: int, had: frozenset[str], reachable: set[str], seen: set[frozenset[str]]
    ) -> set[str]:
        """What an ante shows with each choice of what may be had; it notes what the choices change."""
        shown = self._voucher_with(ante, had)
        found = {shown}
        place = (ante, "voucher", 0, 0)
        for key in sorted(reachable - had - set(_GLYPHS)):
            more = had | {key}
            if more in seen:
                continue
            seen.add(more)
            then = self._voucher_with(ante, more)
            if then != shown:
                words = " and ".join(VOUCHERS[one].name for one in sorted(more))
                self._add(
                    place, Cause("voucher", f"redeeming {words} before", tuple(sorted(more)), VOUCHERS[then].name)
                )
                found |= self._voucher_may_be(ante, more, reachable, seen)
        return found

    def _voucher_with(self, ante: int, had: frozenset[str]) -> str:
        return rest_voucher(self._run, ante, sorted(had))

    def _bosses(self) -> None:
        for ante in self.antes[1:]:
            number, place = ante["ante"], (ante["ante"], "boss", 0, 0)
            had = self._by[number] | set(self._run.voucher_keys)
            rerolls = [VOUCHERS[key].name for key in _BOSS_REROLLS if key in had]
            if _BOSS_TAG in self._tags_until(number - 1):
                rerolls.insert(0, f"the {TAGS[_BOSS_TAG].name}")
            if rerolls:
                words = f"rerolling a boss before ({' or '.join(rerolls)})"
                self._add(place, Cause("reroll", words, (), self._boss_after_a_reroll(number)))
            if glyphs := had.intersection(_GLYPHS):
                names = " or ".join(VOUCHERS[key].name for key in sorted(glyphs))
                self._add(place, Cause("again", f"redeeming {names} before: an ante begins anew, with a new boss"))

    def _boss_after_a_reroll(self, ante: int) -> str:
        """The boss of an ante where one was rerolled right before."""
        run = self._run.clone()
        run.dollars = 10_000
        if "v_retcon" not in run.voucher_keys:
            run.debug_redeem("v_directors_cut")
        name = ""
        try:
            leave(run)
            while run.ante < ante:
                if run.ante == ante - 1 and run.on_deck == "boss" and run.refusal(Action("reroll_boss")) is None:
                    run.step(Action("reroll_boss"))
                beat(run)
                if run.ante < ante:
                    leave(run)
            name = BLINDS[run.public_state().boss].name
        except ValueError:  # a pack that a tag opens, or a run that ends
            pass
        return name if name != BLINDS[self._base[ante, "boss", 0, 0]["key"]].name else ""

    # --- What is had --------------------------------------------------------------------------------------------------

    def _cards_had(self) -> None:
        keys = {item["key"] for place, item in self._base.items() if place[1] in ("shop", "card")}
        for key in sorted((keys | {SHOWMAN}) & (JOKERS.keys() | CONSUMABLES.keys())):
            for place, then in self._differing((key,)):
                if place[1] not in ("shop", "card"):
                    continue
                if self._base[place]["key"] == key:
                    if self._can_be_had(place):
                        self._add(place, Cause("own", f"having {fact(key).name} already", (key,), then))
                else:
                    self._add(place, Cause("have", f"having {fact(key).name}", (key,), then))

    def _can_be_had(self, place: Place) -> bool:
        """Whether the card of a place could have been had before it comes: not what the first shop of a run shows,
        unless a tag gave something before, or an ante begins anew."""
        state = self._run.public_state()
        ante, part, number, _ = place
        first = ante == self._first == 1 and part == "shop" and number < state.shop_slots and state.round == 0
        if not first or state.on_deck != "small" or state.tags:
            return True
        gives = any(word in TAGS[tag].text for tag in self._tags_until(1) for word in ("Joker", "Pack"))
        return gives or any(had.intersection(_GLYPHS) for had in self._within.values())

    def _vouchers_had(self) -> None:
        """What vouchers change in shops and packs, and what those that turn cards into other kinds do together."""
        reachable = set().union(*self._within.values()) - set(_GLYPHS) - set(self._run.voucher_keys)
        turning: list[str] = []
        for key in sorted(reachable):
            if self._with_vouchers(self._with_bases((key,))):
                turning.append(key)
        sets = [self._with_bases(pair) for pair in combinations(turning, 2)]
        sets += [self._with_bases(turning)] if len(turning) > 2 else []
        for had in dict.fromkeys(sets):
            self._with_vouchers(had, together=True)

    def _with_bases(self, keys: Iterable[str]) -> tuple[str, ...]:
        bases = {VOUCHERS[key].prerequisite for key in keys} - {None, *self._run.voucher_keys}
        return tuple(sorted({*keys, *(base for base in bases if base)}))

    def _with_vouchers(self, had: tuple[str, ...], *, together: bool = False) -> bool:
        """Note what they change; whether they turn a card into one of another kind. Together they only do that."""
        words = f"redeeming {' and '.join(VOUCHERS[key].name for key in had)}"
        other = dict(places(self._report(had, packs=not together)))
        turned: set[int] = set()
        """Antes in whose queue a card has turned into one of another kind."""
        slots = self._run.public_state().shop_slots
        for place, item in self._base.items():
            ante, part, number, _ = place
            if part not in ("shop", "card") or (together and part == "card"):
                continue
            if not self._within[ante].issuperset(had):
                continue
            late = not self._by[ante].issuperset(had)
            """It is redeemed in this ante at the earliest, when its first cards have been shown."""
            if part == "shop" and late and ante > self._first and number < slots:
                continue
            now = other.get(place)
            if part == "shop" and (now is None or _family(now) != _family(item)):
                turned.add(ante)
            changed = now != item
            known = any(set(cause.keys) < set(had) for cause in self._causes[place].values() if cause.kind == "voucher")
            if (changed or (part == "shop" and ante in turned)) and not known:
                then = item_words(now) if now and changed and not (late and part == "shop") else ""
                self._add(place, Cause("voucher", words, had, then))
            if _TELESCOPE in had and part == "card" and self._kind_of(ante, number) == "Celestial":
                self._add(place, Cause("planet", "redeeming Telescope, and the hand that you play most"))
        return bool(turned)

    def _conditions(self) -> None:
        """Cards in the deck, hands that were played, a joker that is gone."""
        gates = {joker.gate for joker in JOKERS.values() if joker.gate}
        for key in sorted(gates):
            self._note(Cause("deck", f"a {ENHANCEMENTS[key].name} in the deck", (key,)))
        for hand in sorted({card.hand for card in CONSUMABLES.values() if card.hand and HANDS[card.hand].secret}):
            self._note(Cause("hand", f"having played a {HANDS[hand].name}", (hand,)))
        self._note(Cause("extinct", "Gros Michel having gone extinct", (GROS_MICHEL_EXTINCT,)))
        if _TELESCOPE in self._run.voucher_keys:
            for place in self._base:
                if place[1] == "card" and self._kind_of(place[0], place[2]) == "Celestial":
                    self._add(place, Cause("planet", "the hand that you play most, whose planet Telescope puts first"))

    def _kind_of(self, ante: int, pack: int) -> str:
        return BOOSTERS[self._base[ante, "pack", pack, 0]["key"]].kind

    def _note(self, cause: Cause) -> None:
        for place, then in self._differing(cause.keys):
            self._add(place, Cause(cause.kind, cause.words, cause.keys, then))

    # --- Packs, and what comes of them --------------------------------------------------------------------------------

    def _packs(self) -> None:
        alone = dict(places(self._report((), alone=True)))
        held = {tag.key for tag in self._run.public_state().tags}
        for ante in self.antes:
            kinds: set[str] = set()
            for number, pack in enumerate(ante["packs"]):
                kind = BOOSTERS[pack["key"]].kind
                tags = {tag["key"] for tag in ante["tags"]} | held
                opening = [TAGS[tag].name for tag in sorted(tags) if f"{kind} Pack" in TAGS[tag].text]
                for card in range(len(pack["cards"])):
                    place = (ante["ante"], "card", number, card)
                    if kind in kinds:
                        now = alone.get(place)
                        then = item_words(now) if now and now != self._base[place] else ""
                        words = f"opening the {kind} packs before it in this ante"
                        self._add(place, Cause("opened", words, (), then))
                    for name in opening:
                        self._add(place, Cause("tag", f"skipping for the {name}, which opens such a pack before"))
                kinds.add(kind)

    def _no_shop(self) -> None:
        """Where the first shop of a run comes, its first pack is given: by skipping, that may be a later ante."""
        state = self._run.public_state()
        if self._first != 1 or state.round or state.on_deck != "small" or len(self.antes) < 2:
            return
        run = self._run.clone()
        try:
            for _ in range(2):
                run.step(Action("skip_blind"))
            after = json.loads(rest_report(run, 2, 0))[-1]
        except ValueError:
            return
        other = dict(places([after]))
        for place, item in self._base.items():
            if place[0] == 2 and place[1] in ("pack", "card") and (now := other.get(place)) != item:
                words = "visiting a shop in ante 1 (skipping both blinds puts the first Buffoon Pack here)"
                self._add(place, Cause("skipped", words, (), item_words(now) if now else ""))
        if any(had.intersection(_GLYPHS) for had in self._within.values()):
            for place in self._base:
                if place[0] == 1 and place[1] in ("pack", "card"):
                    self._add(place, Cause("again", "not coming back to ante 1 with no shop visited there before"))

    def _souls(self) -> None:
        for place in self._base:
            if place[1] == "soul":
                self._add(place, Cause("souls", "how many Souls were used before, and in which order"))
