"""The seeds of named sets never change."""

from itertools import islice

import pytest

from jimbo.eval import fresh_seeds, seed_set, seed_set_names, train_seeds
from jimbo.seeds import Search, checked_seed
from jimbo.seeds.seed_sets import ALPHABET


@pytest.mark.parametrize(
    ("name", "size", "first", "hash_"),
    [
        ("dev-100", 100, ("EP6C39ZM", "CXQGWN36", "BZ66LXUZ"), "bd3fbe3669752b17"),
        ("dev-1000", 1000, ("3I252UYI", "FWBSJCH7", "LFPTSJVK"), "e69d5975754e4105"),
    ],
)
def test_named_sets_are_fixed(name: str, size: int, first: tuple[str, ...], hash_: str) -> None:
    seeds = seed_set(name)
    assert seeds.seeds[:3] == first
    assert (len(set(seeds.seeds)), seeds.version, seeds.hash) == (size, 1, hash_)


def test_seeds_are_such_as_the_game_makes() -> None:
    assert len(ALPHABET) == 34
    for seed in seed_set("dev-100").seeds:
        assert checked_seed(seed) == seed
        assert set(seed) <= set(ALPHABET)
        assert len(seed) == 8
    Search(["j_joker"], start=seed_set("dev-100").seeds[0])  # takes only seeds that the game makes


def test_sets_are_apart() -> None:
    training = set(islice(train_seeds("first"), 2000))
    assert len(training) == 2000
    assert not training & set(seed_set("dev-100").seeds + seed_set("dev-1000").seeds)
    assert not set(seed_set("dev-100").seeds) & set(seed_set("dev-1000").seeds)
    assert list(islice(train_seeds("first"), 5)) != list(islice(train_seeds("second"), 5))


def test_a_size_takes_the_first_ones() -> None:
    assert seed_set("dev-1000", 7).seeds == seed_set("dev-1000").seeds[:7]
    assert seed_set(size=100).name == "dev-100"
    assert seed_set(size=101).name == "dev-1000"
    assert seed_set().name == "dev-100"


def test_fresh_seeds_are_new() -> None:
    first, second = seed_set("fresh", 20), fresh_seeds(20)
    assert len(set(first.seeds) | set(second.seeds)) == 40
    assert first.hash != second.hash


def test_fresh_seeds_come_behind_those_drawn_before() -> None:
    first = fresh_seeds(3)
    more = fresh_seeds(5, first.seeds)
    assert more.seeds[:3] == first.seeds
    assert len(set(more.seeds)) == 5
    assert fresh_seeds(2, first.seeds).seeds == first.seeds[:2]


@pytest.mark.parametrize(
    ("name", "size", "complaint"),
    [("dev", None, "dev-100, dev-1000, fresh"), ("dev-100", 101, "holds 100 seeds"), (None, 0, "At least one")],
)
def test_bad_sets_are_refused(name: str | None, size: int | None, complaint: str) -> None:
    assert seed_set_names() == ("dev-100", "dev-1000", "fresh")
    with pytest.raises(ValueError, match=complaint):
        seed_set(name, size)
