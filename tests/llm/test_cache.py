"""Answers found again: exactly, by likeness, by pattern; their age, their number, and what became of them."""

from collections import Counter
from pathlib import Path

import pytest

from jimbo.llm.cache import AnswerCache, Asked, cosine
from jimbo.llm.protocol import Usage
from jimbo.llm.store import CallStore

HOUR = 3600.0


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def asked(key: str, *names: str, place: str = "shop", pattern: str = "p") -> Asked:
    return Asked(key, place, dict.fromkeys(names, 1.0), pattern)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> AnswerCache:
    return AnswerCache(CallStore(tmp_path / "llm.sqlite", clock))


def keep(cache: AnswerCache, question: Asked, choice: str = "buy Joker") -> None:
    cache.keep(question, choice, "It fits.", Usage(10, 5), 0.25)


ALLOWED = ("buy Joker", "leave_shop")


def test_the_same_question(cache: AnswerCache) -> None:
    keep(cache, asked("one", "a"))
    found = cache.find(asked("one", "a"), ALLOWED)
    assert found
    assert (found.choice, found.reason, found.tier, found.usage, found.dollars) == (
        *("buy Joker", "It fits.", "exact"),
        *(Usage(10, 5), 0.25),
    )
    assert cache.find(asked("one", "a", pattern="q"), ("leave_shop",)) is None  # it can no longer be chosen


def test_a_question_like_it(cache: AnswerCache) -> None:
    names = [f"n{number}" for number in range(10)]
    keep(cache, asked("one", *names))
    alike = cache.find(asked("two", *names[1:], "x", pattern="q"), ALLOWED)
    assert alike
    assert alike.tier == "similar"
    assert cache.find(asked("three", *names[3:], "x", "y", "z", pattern="q"), ALLOWED) is None
    assert cache.find(asked("four", *names[1:], "x", place="pack", pattern="q"), ALLOWED) is None


def test_the_most_alike_is_taken(cache: AnswerCache) -> None:
    names = [f"n{number}" for number in range(10)]
    keep(cache, asked("far", *names[1:], "x"), "leave_shop")
    keep(cache, asked("near", *names))
    found = cache.find(asked("two", *names, "y", pattern="q"), ALLOWED)
    assert found
    assert found.key == "near"


def test_a_kind_of_question_that_was_always_answered_alike(cache: AnswerCache) -> None:
    for number in range(2):
        keep(cache, asked(f"{number}", f"n{number}"))
    new = asked("new", "other")
    assert cache.find(new, ALLOWED) is None
    keep(cache, asked("2", "n2"))
    found = cache.find(new, ALLOWED)
    assert found
    assert (found.tier, found.choice) == ("pattern", "buy Joker")
    keep(cache, asked("3", "n3"), "leave_shop")
    assert cache.find(new, ALLOWED) is None


def test_answers_age(cache: AnswerCache, clock: Clock) -> None:
    for number in range(3):
        keep(cache, asked(f"{number}", f"n{number}"))
    clock.now = 25 * HOUR
    found = cache.find(asked("0", "n0"), ALLOWED)
    assert found
    assert found.tier == "pattern"  # which lasts longer
    clock.now = 49 * HOUR
    assert cache.find(asked("0", "n0"), ALLOWED) is None


def test_what_was_used_longest_ago_goes(tmp_path: Path, clock: Clock) -> None:
    cache = AnswerCache(CallStore(tmp_path / "llm.sqlite", clock), size=2)
    for number in range(2):
        clock.now += 1
        keep(cache, asked(f"{number}", f"n{number}"))
    clock.now += 1
    assert cache.exact("0")
    clock.now += 1
    keep(cache, asked("2", "n2"))
    assert [cache.exact(key) is not None for key in "012"] == [True, False, True]


def test_none_are_kept_where_none_are_wanted(tmp_path: Path) -> None:
    cache = AnswerCache(CallStore(tmp_path / "llm.sqlite"), size=0)
    keep(cache, asked("one", "a"))
    assert cache.exact("one") is None


def test_answers_after_which_blinds_were_lost_are_given_to_their_own_question_alone(cache: AnswerCache) -> None:
    keep(cache, asked("one", "a", "b"))
    like_it = asked("two", "a", "b", pattern="q")
    cache.count(Counter(one=3), beaten=False)
    assert cache.find(like_it, ALLOWED)
    cache.count(Counter(one=1), beaten=False)
    assert cache.find(like_it, ALLOWED) is None
    assert cache.find(asked("one", "a", "b"), ALLOWED)
    cache.count(Counter(one=4), beaten=True)
    assert cache.find(like_it, ALLOWED)


def test_likeness() -> None:
    assert cosine({"a": 1.0}, {"a": 2.0}) == pytest.approx(1.0)
    assert cosine({"a": 1.0}, {"b": 1.0}) == 0.0
    assert cosine({}, {"b": 1.0}) == 0.0
    assert cosine({"a": 1.0, "b": 1.0}, {"a": 1.0}) == pytest.approx(0.5**0.5)
