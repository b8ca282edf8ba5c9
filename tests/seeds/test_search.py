"""The search for seeds against the reports of the same seeds, which are read here by other means."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from jimbo.seeds import (
    CardCount,
    Condition,
    DeckHas,
    Exploration,
    Has,
    Lacks,
    PlayingCard,
    Search,
    Thing,
    after,
    json_lines,
    parse_deck,
    parse_has,
    parse_lacks,
)


class Entry(NamedTuple):
    """One thing of a report, and where it is."""

    ante: int
    where: str
    position: int
    pack: str | None
    data: dict[str, Any]

    @property
    def key(self) -> str:
        key: str = self.data["key"]
        return key

    def has(self, **features: str) -> bool:
        return all(self.data.get(name) == value for name, value in features.items())


def entries(report: Any) -> Iterator[Entry]:
    for ante in report["antes"]:
        number, packs = ante["ante"], list(enumerate(ante["packs"], 1))
        yield Entry(number, "boss", 1, None, ante["boss"])
        yield Entry(number, "voucher", 1, None, ante["voucher"])
        for where, items in (("tag", ante["tags"]), ("shop", ante["shop"]), ("pack", ante["packs"])):
            for i, item in enumerate(items, 1):
                yield Entry(number, where, i, None, item)
        for i, pack in packs:
            for card in pack["cards"]:
                yield Entry(number, "pack", i, pack["key"], card)
        souls = [(i, pack["key"]) for i, pack in packs for card in pack["cards"] if card["key"] == "c_soul"]
        for (i, key), joker in zip(souls, ante["legendaries"], strict=True):
            yield Entry(number, "soul", i, key, joker)


Test = Callable[[Entry], bool]


def key(*keys: str) -> Test:
    return lambda entry: entry.key in keys


def joker(key: str, edition: str) -> Test:
    return lambda entry: entry.key == key and entry.has(edition=edition)


def card(front: str = "", **features: str) -> Test:
    """A playing card whose front has all of these letters; a Stone card shows none."""

    def test(entry: Entry) -> bool:
        if entry.key[0] not in "SHCD" or not entry.has(**features):
            return False
        return not front or (entry.data.get("enhancement") != "m_stone" and set(front) <= set(entry.key))

    return test


def one_of(*tests: Test) -> Test:
    return lambda entry: any(test(entry) for test in tests)


@dataclass(frozen=True)
class Case:
    """Conditions, and the same said by tests of single entries."""

    has: dict[str, tuple[range, Test]] = field(default_factory=dict)
    lacks: dict[str, tuple[range, Test]] = field(default_factory=dict)
    deck: dict[str, Callable[[list[str]], bool]] = field(default_factory=dict)

    def conditions(self) -> list[Condition]:
        return [*map(parse_has, self.has), *map(parse_lacks, self.lacks), *map(parse_deck, self.deck)]

    def places(self, found: list[Entry], report: Any) -> list[tuple[str, int, str, int, str | None]] | None:
        """Where the wanted things are; None if the seed does not meet the conditions."""
        wanted = [[e for e in found if e.ante in antes and test(e)][:1] for antes, test in self.has.values()]
        unwanted = [e for antes, test in self.lacks.values() for e in found if e.ante in antes and test(e)]
        deck = all(test(report.get("starting_deck")) for test in self.deck.values())
        if unwanted or not deck or not all(wanted):
            return None
        return [(e.key, e.ante, e.where, e.position, e.pack) for (e,) in wanted]


FIRST, SECOND, EARLY = range(1, 2), range(2, 3), range(1, 4)


def agree(cases: list[Case], count: int, start: str = "11111111", by_ante: int = 3, **run: Any) -> None:
    """The search finds exactly the seeds whose reports meet the conditions, and says where."""
    seeds = [start]
    while len(seeds) < count:
        seeds.append(after(seeds[-1]) or "")
    last_ante = max([by_ante, *(antes[-1] for case in cases for antes, _ in (case.has | case.lacks).values())])
    exploration = Exploration(**{"last_ante": last_ante, **run})
    expected: list[dict[str, Any]] = [{} for _ in cases]
    for lines in json_lines(exploration, seeds):
        for report in map(json.loads, lines.splitlines()):
            there = list(entries(report))
            for case, hits in zip(cases, expected, strict=True):
                if (places := case.places(there, report)) is not None:
                    hits[report["seed"]] = places
    for case, hits in zip(cases, expected, strict=True):
        search = Search(case.conditions(), by_ante=by_ante, start=start, threads=2, **run)
        found = [hit for block in search.blocks(tries=count) for hit in block.hits]
        named = {hit.seed: [(p.key, p.ante, p.where, p.position, p.pack) for p in hit.places] for hit in found}
        assert named == hits, case
        assert 0 < len(hits) < count, case


def test_items_in_antes() -> None:
    cases = [
        Case({"blueprint": (EARLY, key("j_blueprint"))}),
        Case({"j_blueprint @ 1": (FIRST, key("j_blueprint")), "the soul @ 1-3": (EARLY, key("c_soul"))}),
        Case({"blueprint|brainstorm @ 2": (SECOND, key("j_blueprint", "j_brainstorm"))}),
        Case({"the needle @ 2": (SECOND, key("bl_needle")), "negative tag": (EARLY, key("tag_negative"))}),
        Case({"hieroglyph @ 2-3": (range(2, 4), key("v_hieroglyph"))}),
        Case({"mega spectral pack": (EARLY, key("p_spectral_mega_1"))}),
        Case({"mega arcana pack @ 1": (FIRST, key("p_arcana_mega_1", "p_arcana_mega_2"))}),
        Case({"black hole": (EARLY, key("c_black_hole")), "mars @ 3": (range(3, 4), key("c_mars"))}),
        Case({"triboulet": (EARLY, key("j_triboulet"))}),
        Case({"perkeo|canio @ 3": (range(3, 4), key("j_perkeo", "j_caino"))}),
        Case({"joker @ 1": (FIRST, key("j_joker"))}),
        Case({"cryptid": (EARLY, key("c_cryptid")), "the fool @ 1": (FIRST, key("c_fool"))}),
        Case({"the hook|telescope|d6 tag|egg @ 1": (FIRST, key("bl_hook", "v_telescope", "tag_d_six", "j_egg"))}),
    ]
    agree(cases, 2000)


def test_what_must_not_turn_up() -> None:
    cases = [
        Case(lacks={"the needle @ 2": (SECOND, key("bl_needle"))}),
        Case(
            {"blueprint": (EARLY, key("j_blueprint"))}, {"v_blank|v_telescope": (EARLY, key("v_blank", "v_telescope"))}
        ),
        Case({"the soul": (EARLY, key("c_soul"))}, {"perkeo": (EARLY, key("j_perkeo"))}),
        Case(lacks={"buffoon pack @ 2-3": (range(2, 4), key("p_buffoon_normal_1", "p_buffoon_normal_2"))}),
        Case(lacks={"red seal": (EARLY, card(seal="seal_red")), "the fool @ 1": (FIRST, key("c_fool"))}),
        Case({"baron @ 1-2": (range(1, 3), key("j_baron"))}, {"baron @ 1": (FIRST, key("j_baron"))}),
    ]
    agree(cases, 1000)


def test_editions() -> None:
    cases = [
        Case(
            {"foil blueprint|holo baron": (EARLY, one_of(joker("j_blueprint", "e_foil"), joker("j_baron", "e_holo")))}
        ),
        Case({"polychrome egg": (EARLY, joker("j_egg", "e_polychrome"))}),
        Case({"negative joker": (EARLY, joker("j_joker", "e_negative"))}),
        Case({"egg": (EARLY, key("j_egg"))}, {"foil egg": (EARLY, joker("j_egg", "e_foil"))}),
    ]
    agree(cases, 2500, start="11111221")


def test_editions_of_legendary_jokers() -> None:
    """Souls are rare, and Negative ones far rarer: the stretch holds one of each kind."""
    antes = range(1, 9)
    cases = [
        Case({"negative perkeo @ 1-8": (antes, joker("j_perkeo", "e_negative"))}),
        Case({"perkeo @ 5-8": (range(5, 9), key("j_perkeo"))}, {"triboulet @ 1-8": (antes, key("j_triboulet"))}),
    ]
    agree(cases, 300, start="11111BS1")


def test_playing_cards_of_packs() -> None:
    cases = [
        Case({"red seal steel king": (EARLY, card("K", seal="seal_red", enhancement="m_steel"))}),
        Case({"king of hearts @ 1": (FIRST, card("HK"))}),
        Case({"stone card @ 2": (SECOND, card(enhancement="m_stone"))}),
        Case({"polychrome glass card": (EARLY, card(edition="e_polychrome", enhancement="m_glass"))}),
        Case({"gold seal gold card": (EARLY, card(seal="seal_gold", enhancement="m_gold"))}),
        Case({"lucky 7|d_t @ 1": (FIRST, one_of(card("7", enhancement="m_lucky"), card("DT")))}),
        Case({"blue seal @ 1": (FIRST, card(seal="seal_blue"))}, {"hearts @ 1": (FIRST, card("H"))}),
    ]
    agree(cases, 1500)


def count(letter: str, least: int, most: int = 52) -> Callable[[list[str]], bool]:
    return lambda fronts: least <= sum(set(letter) <= set(front) for front in fronts) <= most


def test_the_erratic_deck() -> None:
    cases = [
        Case(deck={"20 hearts": count("H", 20)}),
        Case(deck={"0-1 kings": count("K", 0, 1), "10-13 clubs": count("C", 10, 13)}),
        Case(deck={"3 aces of spades|9 10s": lambda fronts: count("AS", 3)(fronts) or count("T", 9)(fronts)}),
        Case({"blueprint": (EARLY, key("j_blueprint"))}, deck={"6 aces": count("A", 6)}),
    ]
    agree(cases, 1000, deck="erratic", queue=4)


@pytest.mark.parametrize(
    ("deck", "stake", "queue"), [("ghost", "gold", 20), ("zodiac", "white", 7), ("magic", "black", 0)]
)
def test_other_decks_and_stakes(deck: str, stake: str, queue: int) -> None:
    cases = [
        Case({"ectoplasm": (EARLY, key("c_ectoplasm"))}),
        Case({"baron|mime": (EARLY, key("j_baron", "j_mime"))}, {"the plant @ 1-3": (EARLY, key("bl_plant"))}),
    ]
    agree(cases, 500, deck=deck, stake=stake, queue=queue)


def test_challenges() -> None:
    """Bram Poker's Illusion polls go on from shop to shop, so that an ante depends on those before."""
    third = range(3, 4)
    foil = one_of(card("K", edition="e_foil"), card("Q", edition="e_foil"))
    shop = Case({"foil king|foil queen @ 3": (third, foil)})
    agree([shop, Case({"steel card @ 1": (FIRST, card(enhancement="m_steel"))})], 500, challenge="bram_poker")
    agree([Case({"glass joker @ 1": (FIRST, key("j_glass"))})], 500, challenge="fragile")
    agree([Case({"the needle @ 2": (SECOND, key("bl_needle"))})], 300, challenge="jokerless")


def test_typed_conditions_are_those_of_the_texts() -> None:
    king = PlayingCard(rank="K", suit="H", enhancement="m_steel", seal="seal_red", edition="e_foil")
    perkeo = Thing("j_perkeo", "e_negative")
    assert parse_has("negative Perkeo | foil red seal steel king of hearts @ 1-3") == Has((perkeo, king), (1, 3))
    assert parse_lacks("the needle @ 1") == Lacks((Thing("bl_needle"),), (1, 1))
    assert parse_deck("12 hearts|0-2 kings") == DeckHas(
        (CardCount(PlayingCard(suit="H"), 12), CardCount(PlayingCard(rank="K"), 0, 2))
    )
    objects = Search([Has((Thing("j_blueprint"),)), Lacks((Thing("v_blank"),), (1, 2))], by_ante=2)
    texts = Search(["blueprint", parse_lacks("blank @ 1-2"), "j_blueprint"], by_ante=2)
    assert objects.conditions == texts.conditions
    assert next(objects.blocks()).hits == next(texts.blocks()).hits


def test_hits_tell_what_was_asked_for() -> None:
    conditions = [parse_has("negative perkeo @ 1-8"), parse_has("foil card @ 1-8")]
    search = Search(conditions, start="11111BXA")
    (hit,) = [hit for block in search.blocks(tries=1) for hit in block.hits]
    perkeo, card = hit.places
    assert (perkeo.key, perkeo.where, perkeo.edition) == ("j_perkeo", "soul", "e_negative")
    assert (card.where, card.edition) == ("pack", "e_foil")
    (plain,) = [h for block in Search(["perkeo @ 1-8"], start="11111BXA").blocks(tries=1) for h in block.hits]
    assert plain.places[0].edition is None


def test_hits_count_cards_of_the_deck() -> None:
    search = Search([parse_deck("40 hearts|20 spades"), parse_deck("4 kings")], deck="erratic")
    hits = [hit for block in search.blocks(tries=1000) for hit in block.hits]
    assert hits
    for hit in hits:
        fronts = Exploration("erratic").report(hit.seed).starting_deck
        spades, kings = hit.deck
        assert (spades.card.suit, spades.count) == ("S", sum(front[0] == "S" for front in fronts))
        assert (kings.card.rank, kings.count) == ("K", sum(front[-1] == "K" for front in fronts))
