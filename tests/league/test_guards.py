"""What must not become worse: each guard with rows that are just within its margin, and just beyond."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from eval.episode_rows import episode, noted
from jimbo.eval import Episode
from jimbo.eval.statistics import excess_p
from jimbo.league.guards import GuardResult, SeedPair, bucket, holm, judge
from jimbo.league.spec import Guards

ALONE = {"brier": None, "ece": None, "time_ratio": None, "slice": None, "boss": None, "bucket": None}


def result(pairs: Sequence[SeedPair], **guards: float) -> GuardResult:
    (name,) = guards
    found = judge(pairs, Guards(**{**ALONE, **guards}))
    wanted = name.removesuffix("_ratio")
    return next(guard for guard in found if guard.name == wanted)


def pairs_of(ours: Sequence[Episode], theirs: Sequence[Episode]) -> list[SeedPair]:
    return list(map(SeedPair, ours, theirs))


def told(number: int, said: float, won: bool) -> Episode:
    return noted(episode(number, won=won, round=6), {"win": said})


def test_chances_that_come_true_less_often_are_refused() -> None:
    """Both win half of their games; one knows which."""
    wins = [number % 2 == 0 for number in range(200)]
    knowing = [told(number, 0.9 if won else 0.1, won) for number, won in enumerate(wins)]
    boasting = [told(number, 0.95, won) for number, won in enumerate(wins)]
    for name, margin in (("brier", 0.02), ("ece", 0.1)):
        assert not result(pairs_of(boasting, knowing), **{name: margin}).passed
        assert result(pairs_of(knowing, boasting), **{name: margin}).passed
        assert result(pairs_of(boasting, boasting), **{name: margin}).passed
    assert "Brier score of its chances to win +0.4" in result(pairs_of(boasting, knowing), brier=0.02).text


def test_agents_that_tell_no_chances_have_no_such_guard() -> None:
    rows = [episode(number, won=number % 2 == 0) for number in range(40)]
    assert [guard.name for guard in judge(pairs_of(rows, rows), Guards())] == ["legality", "boss", "bucket"]


@pytest.mark.parametrize(("ms", "passed"), [(3.9, True), (4.1, False)])
def test_slower_decisions(ms: float, passed: bool) -> None:
    theirs = [replace(episode(number), decision_p95_ms=2.0) for number in range(40)]
    ours = [replace(row, decision_p95_ms=ms) for row in theirs]
    assert result(pairs_of(ours, theirs), time_ratio=2.0).passed is passed


def test_a_boss_that_is_beaten_less_often() -> None:
    """By made rows every third blind is The Hook: 6 of 10 are lost there, against 1 of 10."""
    ours = [episode(number, blinds=2 if number % 10 < 6 else 4) for number in range(100)]
    theirs = [episode(number, blinds=2 if number % 10 < 1 else 4) for number in range(100)]
    found = result(pairs_of(ours, theirs), boss=5.0)
    assert not found.passed
    assert found.text == "The Hook is beaten in 40.0 %, by the champion in 90.0 %"
    assert result(pairs_of(theirs, ours), boss=5.0).passed
    assert result(pairs_of(ours, theirs), boss=60.0).passed


def test_a_way_to_lose_that_becomes_frequent() -> None:
    theirs = [episode(number, won=True) for number in range(100)]
    ours = [episode(number, blinds=20) if number < 20 else row for number, row in enumerate(theirs)]
    found = result(pairs_of(ours, theirs), bucket=5.0)
    assert not found.passed
    assert "-20.0 points by games lost late to a boss" in found.text
    assert result(pairs_of(ours, theirs), bucket=30.0).passed


def test_buckets() -> None:
    assert bucket(episode(won=True)) == ""
    assert bucket(episode(blinds=2)) == "early to a boss"
    assert bucket(episode(blinds=9)) == "midway to a small or big blind"
    assert bucket(replace(episode(), failure_reason="step_limit", result="open")) == "by step_limit"


def test_few_games_refuse_nothing() -> None:
    ours, theirs = [episode(number) for number in range(10)], [episode(number, won=True) for number in range(10)]
    assert [guard.name for guard in judge(pairs_of(ours, theirs), Guards()) if not guard.passed] == []


def test_replayed_games() -> None:
    row = replace(episode(), decision_ms=1.0)
    same, other = replace(row, decision_ms=2.0, seconds=9.0), replace(row, steps=row.steps + 1)
    for second, passed in ((same, True), (other, False)):
        found = judge([SeedPair(row, row)], Guards(), [SeedPair(row, second)])
        assert next(guard.passed for guard in found if guard.name == "determinism") is passed


def test_holm_refuses_the_smallest_first_and_stops() -> None:
    def failed(*ps: float) -> list[str]:
        made = [GuardResult(name=f"{p}", text="", p=p) for p in ps]
        return [guard.name for guard in holm(made, 0.05) if not guard.passed]

    assert failed(0.03, 0.9, 0.9) == []
    assert failed(0.01, 0.9, 0.02) == ["0.01", "0.02"]
    assert failed(0.04) == ["0.04"]
    assert failed() == []


@pytest.mark.parametrize(("differing", "least", "most"), [(0.1, 0.78, 0.90), (0.2, 0.32, 0.46)])
def test_how_often_the_slices_of_the_gate_full_show_a_loss_of_five_points(
    differing: float, least: float, most: float
) -> None:
    """600 pairs at one of 4 decks and 3 stakes, where this guard is the first of six by its p."""
    chance, limit = np.random.default_rng(32), 0.05 / 6 / 7
    pairs = chance.multinomial(600, [differing / 2 + 0.025, differing / 2 - 0.025, 1 - differing], size=1000)
    seen = float(np.mean([excess_p(int(more), int(fewer), 600, 0.0) <= limit for more, fewer, _ in pairs]))
    print(f"\n{differing:.0%} of the pairs differ: a loss of five points is seen in {seen:.1%} of gates")
    assert least < seen < most
