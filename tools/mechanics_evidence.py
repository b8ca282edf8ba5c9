"""What reference data show of each item of the game, counted where the engine repeats them value for value.

An item counts only where it did something: a joker or a mark gave something, a consumable or a tag was used, a boss was
played against. Passive items do nothing that an event tells, so recordings and runs say little of them; in scored
hands they count where the result is another one without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from conformance import runs, scoring, traces
from conformance.corpus import CorpusFile
from conformance.hand_setup import HandSetup, SetupCard, SetupJoker
from conformance.names import deck_key, stake_key
from conformance.registry import corpus_of
from conformance.report import Case, Group
from jimbo.engine import Action, Actor, Event, PublicCard, PublicState, Run
from jimbo.engine.catalog import CONSUMABLES, HANDS, JOKERS, TAGS, VOUCHERS
from jimbo.text.cards import full_deck

Counts = Counter[str]
ENOUGH = 100
"""Hands of a corpus after which an item is not looked for any more."""
IDLE = {
    "Common": ("j_egg", "j_credit_card"),
    "Uncommon": ("j_mr_bones", "j_luchador"),
    "Rare": ("j_invisible", "j_dna"),
    "Legendary": ("j_perkeo", "j_chicot"),
}
"""Jokers that score nothing, by rarity."""
_WORTH = "j_swashbuckler"
"""Looks at what other jokers would sell for."""
_HANDS, _CONSUMABLES, _VOUCHERS, _TAGS = tuple(HANDS), tuple(CONSUMABLES), tuple(VOUCHERS), tuple(TAGS)
_PLAIN = {"e_base", "b_red", "bl_small"}
"""What a scored hand has where nothing is said."""


# --- Runs -------------------------------------------------------------------------------------------------------------


GIVES = ("chips", "mult", "x_mult", "dollars", "saved")
"""Kinds of events by which a joker itself does something; that it comes, goes or is sold is no deed of its own."""
EDITIONS = {"e_foil": ("chips", 50.0), "e_holo": ("mult", 10.0), "e_polychrome": ("x_mult", 1.5)}
"""What an edition gives."""
MARKS = {
    "m_bonus": ("card", "chips", None),
    "m_mult": ("card", "mult", 4.0),
    "m_glass": ("card", "x_mult", 2.0),
    "m_steel": ("held_card", "x_mult", 1.5),
    "m_stone": ("card", "chips", None),
    "m_gold": ("held_card", "dollars", 3.0),
    "m_lucky": ("card", "mult", 20.0),
    "seal_gold": ("card", "dollars", 3.0),
}
"""Who gives what where a card has such a mark. What other marks do is told by no event of their own."""


def acting(before: PublicState, action: Action, events: Sequence[Event], after: PublicState) -> Iterator[str]:
    """The keys of the items that did something in a step."""
    if action.kind == "open_booster":
        yield before.shop_boosters[action.index].key
    if action.kind == "select_blind":
        yield after.blind.key
    deck = full_deck(before)
    for event in events:
        match event.kind:
            case "consumable_used":
                yield _CONSUMABLES[event.key]
            case "voucher_redeemed":
                yield _VOUCHERS[event.key]
            case "tag_used":
                yield _TAGS[event.key]
            case "hand" if event.actor == Actor.none:
                yield _HANDS[event.key]
        if event.actor == Actor.joker and event.index < len(before.jokers):
            joker = before.jokers[event.index]
            if EDITIONS.get(joker.edition or "") == (event.kind, event.amount):
                yield str(joker.edition)
            elif event.kind in GIVES and event.amount >= 0 and not action.kind.startswith("sell"):
                yield str(joker.key)
        if event.actor in (Actor.card, Actor.held_card) and event.index < len(deck):
            yield from _marks_of(deck[event.index], event)


def _marks_of(card: PublicCard, event: Event) -> Iterator[str]:
    """The marks of a card that an event comes from."""
    if EDITIONS.get(card.edition or "") == (event.kind, event.amount):
        yield str(card.edition)
        return
    for mark in (card.enhancement, card.seal):
        actor, kind, amount = MARKS.get(mark or "", ("", "", None))
        if (actor, kind) == (event.actor, event.kind) and amount in (None, event.amount):
            yield str(mark)


@contextmanager
def watched() -> Iterator[Counts]:
    """What acts in any run of this process, until it is cleared."""
    seen: Counts = Counter()
    step = Run.step

    def watch(run: Run, action: Action) -> Sequence[Event]:
        before = run.public_state()
        events = step(run, action)
        seen.update(acting(before, action, events, run.public_state()))
        return events

    kind: Any = Run
    kind.step = watch
    try:
        yield seen
    finally:
        kind.step = step


def recorded(folder: Path) -> Counts:
    """In recordings of the real game. One that differs anywhere counts for nothing."""
    found: Counts = Counter()
    for path in sorted((folder / "real_runs").glob("*.json")):
        for recording in CorpusFile(path, path.name, {}).records():
            with watched() as seen:
                if _is_repeated(recording):
                    found += seen
                    found.update((deck_key(recording["deck"]), stake_key(recording["stake"])))
    return found


def _is_repeated(recording: Mapping[str, Any]) -> bool:
    run = Run(deck=deck_key(recording["deck"]), stake=stake_key(recording["stake"]), seed=recording["seed"])
    replay = runs.Replay(run, recording["steps"])
    return all(case.passed for step in recording["steps"] for case in replay.step("", step)) and not replay.ended


def traced(folder: Path, progress: Callable[[str], None] = lambda name: None) -> Counts:
    """In steps of a second implementation's runs that agree in every value."""
    found: Counts = Counter()
    for path in sorted((folder / "traces").glob("*.jsonl.gz")):
        progress(path.name)
        for trace in CorpusFile(path, path.name, {}).records():
            played = deck_key(trace["deck"]), stake_key(trace["stake"])
            with watched() as seen:
                for judged in traces.Replay(trace).check():
                    if isinstance(judged, Group) and not judged.differences:
                        found += seen
                        found.update(played)
                    seen.clear()
    return found


# --- Scored hands -----------------------------------------------------------------------------------------------------


def calculated(folder: Path) -> Counts:
    """In hands that calculators or people have scored, where chips, mult and score agree, and not without the item.

    What calculators dispute among themselves is left out.
    """
    found: Counts = Counter()
    checks: Any = scoring
    compare = checks._compare

    def count(path: str, setup: HandSetup, luck: str, expected: Any) -> Iterator[Case]:
        cases: list[Case] = list(compare(path, setup, luck, expected))
        if cases and all(case.passed for case in cases):
            found.update(_that_matter(setup, luck, found))
        yield from cases

    checks._compare = count
    try:
        for path in sorted((folder / "scoring").iterdir()):
            name = f"scoring/{path.name}"
            corpus, named = corpus_of(name) or (None, {})
            if corpus and corpus.bar > 0:
                for _ in corpus.check(CorpusFile(path, name, named)):
                    pass
    finally:
        checks._compare = compare
    return found


def _that_matter(setup: HandSetup, luck: str, found: Counts) -> Iterator[str]:
    chance = "none" if luck == "deterministic" else luck
    whole = setup.preview(chance)
    yield from [str(whole.hand)] if found[str(whole.hand)] < ENOUGH else ()
    worth = any(joker.key == _WORTH for joker in setup.jokers)
    for key in sorted(_in(setup) - _PLAIN):
        if worth and key in JOKERS and key != _WORTH:
            continue
        if found[key] < ENOUGH and _scored(_without(setup, key), chance) != (whole.chips, whole.mult, whole.score):
            yield key


def _scored(setup: HandSetup, luck: str) -> tuple[float, float, float]:
    preview = setup.preview(luck)
    return preview.chips, preview.mult, preview.score


def _in(setup: HandSetup) -> set[str]:
    jokers = {key for joker in setup.jokers for key in (joker.key, joker.edition)}
    marks = {mark for card in (*setup.played, *setup.held) for mark in card.modifiers}
    return jokers | marks | {setup.deck, setup.blind}


def _without(setup: HandSetup, key: str) -> HandSetup:
    """The same hand without the item."""
    if key.startswith("bl_"):
        return replace(setup, blind="bl_small")
    if key.startswith("b_"):
        return replace(setup, deck="b_red")
    jokers = [replace(joker, edition="e_base") if joker.edition == key else joker for joker in setup.jokers]
    idle = [SetupJoker(_idle(key), joker.edition) if joker.key == key else joker for joker in jokers]
    return replace(setup, jokers=idle, played=_unmarked(setup.played, key), held=_unmarked(setup.held, key))


def _unmarked(cards: Sequence[SetupCard], key: str) -> list[SetupCard]:
    return [replace(card, modifiers=tuple(mark for mark in card.modifiers if mark != key)) for card in cards]


def _idle(key: str) -> str:
    """A joker of the same rarity that scores nothing: others may count them all, or those of a rarity."""
    first, second = IDLE[str(JOKERS[key].rarity)]
    return second if key == first else first
