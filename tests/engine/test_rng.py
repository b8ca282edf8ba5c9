"""The random machinery as Python sees it; the C++ tests go deeper."""

import math

import pytest

from jimbo.engine import Run
from jimbo.engine.seed_tools import (
    Streams,
    advance_state,
    check_seed,
    has_stream,
    pseudohash,
    randint_from,
    random_from,
)

SEED = "TESTSEED"
HASHED_SEED = 0.3192720782223546

# What LuaJIT 2.1 gives: hash of key and seed, first state, first node, first two draws.
WORKED = {
    "boss": (0.4968799043163017, 0.9912295796516, 0.6552508289369773, 0.36736078445867704, 0.7843391176293266),
    "cdt1": (0.28186540647516267, 0.6204774277452, 0.4698747529837773, 0.3236733177364923, 0.5376134125132599),
    "rarity1sho": (0.8296577936271206, 0.5650426006694, 0.4421573394458773, 0.12737290635558352, 0.7773772813739734),
    "Joker1sho1": (0.657777253603399, 0.2686668645007, 0.2939694713615273, 0.3552528035112783, 0.6014880014874779),
    "Voucher1": (0.6166000551761499, 0.1976645131259, 0.2584682956741273, 0.2708026657454381, 0.05791325522829882),
    "Tag1": (0.3183050183483829, 0.683310700163, 0.5012913891926774, 0.9757183818397133, 0.5544073484511522),
    "shop_pack1": (0.9991640750538409, 0.857324373441, 0.5882982258316773, 0.784492323483055, 0.6600344618246778),
    "nr1": (0.399443884811717, 0.8232194488594, 0.5712457635408773, 0.0686049994817457, 0.9125562762662627),
    "lucky_mult": (0.1832622728103388, 0.4504548276043, 0.3848634529133273, 0.32170301340597174, 0.22330120805003228),
    "soul_Tarot1": (0.3425975146649307, 0.7251985513311, 0.5222353147767274, 0.518521190028185, 0.5119666855444394),
}


@pytest.mark.parametrize("key", WORKED)
def test_worked_examples_by_formula(key: str) -> None:
    hashed, state, node, first, _second = WORKED[key]
    assert pseudohash(SEED) == HASHED_SEED
    assert pseudohash(key + SEED) == hashed
    assert advance_state(hashed) == state
    assert (state + HASHED_SEED) / 2 == node
    assert random_from(node) == first


@pytest.mark.parametrize("key", WORKED)
def test_worked_examples_by_stream(key: str) -> None:
    _hashed, state, node, first, second = WORKED[key]
    streams = Streams(SEED)
    assert streams.hashed_seed == HASHED_SEED
    assert streams.state(key) is None
    assert streams.node(key) == node
    assert streams.state(key) == state
    fresh = Streams(SEED)
    assert (fresh.random(key), fresh.random(key)) == (first, second)


def test_streams_are_independent() -> None:
    alone, mixed = Streams(SEED), Streams(SEED)
    for key in ("cdt1", "nr2", "boss", "Joker1sho1_resample2"):
        mixed.random(key)
    mixed.random("Tag1")
    alone.random("Tag1")
    assert mixed.random("Tag1") == alone.random("Tag1")


def test_shuffle_is_that_of_the_game() -> None:
    assert Streams(SEED).shuffle("shuffle", 10) == [2, 7, 6, 9, 5, 0, 4, 1, 3, 8]


def test_nan_seeds_draw_the_last_of_a_list() -> None:
    """The Erratic Deck of this seed is 52 Tens of Spades, because its hash divides by zero on the way."""
    assert math.isnan(pseudohash("erratic" + "BGY5SDS"))
    assert random_from(math.nan) == 0.9924925569828447
    assert [randint_from(math.nan, 1, n) for n in (1, 52, 133)] == [1, 52, 133]
    streams = Streams("BGY5SDS")
    assert [streams.randint("erratic", 1, 52) for _ in range(3)] == [52, 52, 52]


GOOD_SEEDS = ["A", "0", "TESTSEED", "AAAAAAA-0", "TEST_1", "0123456789", "abc", " A B ", "Ä€🃏", "a" * 32]
BAD_SEEDS = ["", "a" * 33, "€" * 11, "A\nB", "A\0", "\x1b[2J", "\x7f", "\x85", "\u2028", "\ud800", "\udcff"]


def by_the_formula(text: bytes) -> float:
    """The game's hash of a text, computed here."""
    number = 1.0
    for place in range(len(text), 0, -1):
        number = (1.1239285023 / number * text[place - 1] * math.pi + math.pi * place) % 1
    return number


@pytest.mark.parametrize("seed", GOOD_SEEDS)
def test_the_game_takes_any_text_for_a_seed_and_hashes_its_bytes(seed: str) -> None:
    check_seed(seed)
    streams = Streams(seed)
    assert streams.hashed_seed == by_the_formula(seed.encode())
    for key in ("nr1", "shop_pack1", "soul_Spectral10", "Spectralsixth12_resample3"):
        state = advance_state(by_the_formula(key.encode() + seed.encode()))
        assert streams.node(key) == (state + streams.hashed_seed) / 2


@pytest.mark.parametrize("seed", BAD_SEEDS)
def test_bad_seeds_are_refused_with_what_is_allowed(seed: str) -> None:
    with pytest.raises(ValueError, match="is not valid: a seed has 1 to 32 bytes of UTF-8 without control characters"):
        check_seed(seed)
    with pytest.raises(ValueError, match="is not valid"):
        Run(seed=seed)


def test_keys_outside_the_game_are_refused() -> None:
    assert has_stream("rarity12sho")
    assert not has_stream("rarity12")
    with pytest.raises(ValueError, match='no random stream "rarity12"'):
        Streams(SEED).random("rarity12")
