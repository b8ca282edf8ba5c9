"""An offline evaluation for people."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from eval.made_samples import Made, Told, game, samples
from jimbo.eval.calibration import Estimate
from jimbo.eval.offline import Offline, offline
from jimbo.report import html
from jimbo.report.diagnosis import number, percent, reliability
from jimbo.report.networks import choice_table, forecast_name, offline_report
from report.shown import shown

VALUES = (0.25, 0.75)
GAMES = (
    (game("win", ante=9, blinds=24), [Made([0, 1], 1, VALUES, "clear", win=0.9), Made([1, 0], 0, win=0.95, ante=2)]),
    (game("loss", blinds=1), [Made([0, 1], 0, VALUES, "clear", win=0.2), Made([0, 1], 1, phase="shop", win=0.1)]),
    (game("loss", blinds=1), [Made([0, 1], 1, win=0.15), Made([1], win=0.1), Made([0, 1], -1, win=0.3)]),
    (game("open"), [Made([0, 1], 1)]),
)


def result() -> Offline:
    return offline(Told(*GAMES), samples(*GAMES))


def text_of(made: Offline) -> str:
    return shown(offline_report(made, "runs/bc"))


def test_numbers_with_their_intervals() -> None:
    assert number(Estimate(0.5, (0.25, 0.75))) == "0.500 (0.250 to 0.750)"
    assert percent(Estimate(0.5, (0.25, 0.75))) == "50.0 % (25.0 to 75.0)"
    assert (percent(Estimate(0.5, None)), number(Estimate(None, None))) == ("50.0 %", "-")


def test_a_narrow_table_keeps_intervals_where_told() -> None:
    table = choice_table(result())
    narrow = replace(table, narrow=("phase", "top 1", "top 3"), whole=("top 1",)).narrowed()
    whole = {line[0]: line for line in table.lines}
    for phase, top1, top3 in narrow.lines:
        assert top1 == whole[phase][3]
        assert top3 == whole[phase][6].partition(" (")[0] == "100.0 %"


def test_the_terminal_shows_what_counts_and_what_does_not() -> None:
    text = text_of(result())
    assert "runs/bc on 4 games of made, 8 decisions" in text
    words = " ".join(text.split())
    assert "6 decisions of 8 count as choices; left out: 1 with one candidate, 1 whose action is not among" in words
    assert "1 game without an end" in words
    for part in ("Would it do the same?", "P(win)", "P(6 more blinds)", "would lose", "clears and what they"):
        assert part in words
    assert max(map(len, text.splitlines())) <= 80


def test_without_ends_and_values_there_are_fewer_tables() -> None:
    games = ((game("open"), [Made([0, 1])]),)
    text = text_of(offline(Told(*games), samples(*games)))
    assert "foresee" not in text
    assert "would lose" not in text
    assert "cross-entropy" in text


def test_names_of_forecasts() -> None:
    assert [forecast_name(key) for key in ("win", "clear_1", "clear_2")] == [
        "P(win)",
        "P(1 more blind)",
        "P(2 more blinds)",
    ]


def test_a_reliability_plot_has_a_point_for_each_bin_on_its_place() -> None:
    row = result().forecasts["win"].all
    drawing = ElementTree.fromstring(reliability(row))
    points = drawing.findall("{http://www.w3.org/2000/svg}circle")
    assert len(points) == len(row.bins)
    titles = [point[0].text for point in points]
    assert titles[-1] == "said 92.5 %, happened 100.0 % (2 decisions)"
    across = [float(point.get("cx", "")) for point in points]
    assert across == sorted(across)
    # The diagonal is the dashed line, and a point that is right lies on it.
    (line,) = (line for line in drawing if line.get("stroke-dasharray"))
    left, right = float(line.get("x1", "")), float(line.get("x2", ""))
    assert (across[-1] - left) / (right - left) == pytest.approx(0.925, abs=0.001)


def test_the_page_needs_nothing_else() -> None:
    text = html(offline_report(result(), "<runs/bc>"))
    assert text.count("<svg") == 7
    assert "<script" not in text
    assert set(re.findall(r'(?:src|href|xmlns)="([^"]*)"', text)) == {"http://www.w3.org/2000/svg"}
    assert "<runs/bc>" not in text
    assert "&lt;runs/bc&gt; on 4 games of made" in text
    assert text.count("By ante") == 7
