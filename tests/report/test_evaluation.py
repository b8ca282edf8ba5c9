"""Summaries, tables and pages."""

import json
import re
import shlex
from dataclasses import asdict, replace
from html import unescape
from xml.etree import ElementTree

import pytest
from rich.console import Console

from eval.episode_rows import episode
from jimbo.engine.catalog import BLINDS
from jimbo.eval import (
    Evaluation,
    SeedSet,
    Settings,
    bootstrap_mean,
    comparison_data,
    summarize,
    summary_data,
    wilson,
)
from jimbo.report import html, terminal
from jimbo.report.evaluation import evaluation_report
from jimbo.report.svg import log_axis, number_axis
from report.shown import shown

ROWS = (episode(0, won=True, round=24), episode(1, round=5), episode(2, round=2), episode(3, round=1))


def evaluation(*rows: object, agent: str = "greedy") -> Evaluation:
    seeds = SeedSet("dev-100", 1, tuple(f"SEED{i}" for i in range(len(ROWS))))
    return Evaluation(Settings(agent=agent, seeds=seeds, options={"effort": 5}), rows or ROWS)  # type: ignore[arg-type]


def text_of(*evaluations: Evaluation) -> str:
    return shown(evaluation_report(*evaluations))


def page(*evaluations: Evaluation) -> str:
    return html(evaluation_report(*evaluations))


def test_summary() -> None:
    summary = summarize(ROWS)
    assert (summary.games, summary.wins, summary.win_rate) == (4, 1, 0.25)
    assert (summary.mean_ante, summary.median_ante, summary.mean_round) == (3.0, 1.5, 8.0)
    assert summary.ante_clear == (0.5, *[0.25] * 7)
    assert summary.mean_blinds == (24 + 4 + 1 + 0) / 4
    assert summary.deaths == {"bl_big": 2, "bl_small": 1}
    assert summary.failures == {"blind_score_shortfall": 3}
    assert (summary.ms_per_decision, summary.hand_ms, summary.macro_ms, summary.s_per_game) == (2.0, 3.5, 1.0, 0.5)


def test_every_number_of_a_summary_is_that_of_its_rows() -> None:
    rows = [
        replace(row, final_money=money, best_hand=best, seconds=seconds, steps=steps, error=error)
        for row, money, best, seconds, steps, error in zip(
            ROWS,
            (1, 2, 3, 14),
            (50.0, 900.0, 70.0, 60.0),
            (1, 2, 3, 6),
            (10, 20, 30, 40),
            (None, "a", None, "b"),
            strict=True,
        )
    ]
    summary = summarize(rows)
    assert (summary.mean_money, summary.best_hand, summary.s_per_game) == (5.0, 900.0, 3.0)
    assert (summary.decisions, summary.errors, summary.median_round) == (100, 2, 3.5)
    assert summary.ci95 == wilson(1, 4)
    assert summary.mean_round_ci95 == bootstrap_mean([24, 5, 2, 1])
    assert (summary.ante1_clear, summary.ante1_clear_ci95) == (0.5, wilson(2, 4))
    assert (summary.mean_ante, summary.mean_ante_ci95) == (3.0, bootstrap_mean([8, 2, 1, 1]))


def test_no_runs_have_no_summary() -> None:
    with pytest.raises(ValueError, match="No run"):
        summarize(())


def test_data_for_machines() -> None:
    data = summary_data(evaluation())
    assert data["schema"] == "jimbo_eval_v1"
    assert (data["agent"], data["options"], data["seed_set"], data["complete"]) == (
        "greedy",
        {"effort": 5},
        "dev-100",
        True,
    )
    both = comparison_data(evaluation(), evaluation(agent="random"))
    assert both["vs"]["agent"] == "random"
    assert both["paired"]["wins"]["equal"] == 4
    assert asdict(summarize(ROWS)).items() <= data.items()


def test_tables() -> None:
    text = text_of(evaluation())
    for part in ("greedy effort=5", "25.0 %  (4.6 to 69.9)", "Big Blind", "2 · 50.0 %", "Red Deck · White Stake"):
        assert part in text
    text = text_of(evaluation(), evaluation(agent="random"))
    assert "greedy effort=5 minus random effort=5, on 4 shared seeds" in text
    assert max(map(len, text.splitlines())) <= 80


def test_deaths_are_told_most_first_and_the_rest_together() -> None:
    bosses = [key for key, fact in BLINDS.items() if fact.boss][:14]
    rows = [replace(episode(n), death_blind=key) for place, key in enumerate(bosses) for n in range(place + 1)]
    lines = text_of(evaluation(*rows)).split("Lost to")[1].splitlines()[1:]
    told = [re.split(r"  +| ·", line)[:2] for line in lines if "%" in line and "others" not in line]
    assert [(name.strip(), int(count)) for name, count in told] == [
        (BLINDS[key].name, place + 1) for place, key in reversed(list(enumerate(bosses)))
    ][:12]
    assert [line.split()[:3] for line in lines if "others" in line] == [["2", "others", str(1 + 2)]]


def test_a_difference_that_is_no_chance_stands_out() -> None:
    better = evaluation(*(episode(n, won=n < 40, round=20) for n in range(50)))
    worse = evaluation(*(episode(n, round=20) for n in range(50)), agent="random")
    console = Console(width=100, force_terminal=True, color_system="standard")
    with console.capture() as capture:
        console.print(terminal(evaluation_report(better, worse)))
    bold = {name: f"\x1b[1m{name}" in capture.get() for name in ("wins", "rounds")}
    assert bold == {"wins": True, "rounds": False}


def test_failures_are_mentioned() -> None:
    bad = replace(ROWS[1], error="KeyError: 'x'", failure_reason="agent_error")
    text = text_of(evaluation(bad, replace(ROWS[2], failure_reason="step_limit")))
    assert "only 2 of 4 runs were played" in text
    assert "failed in 1 run, first on seed SEED1: KeyError: 'x'" in text
    assert "did not finish 1 run, first on seed SEED2" in text
    for seed in ("SEED1", "SEED2"):  # each on one line, to be copied
        assert f"jimbo watch --agent greedy --seed {seed} --deck b_red --stake stake_white --set effort=5" in text


def test_plots_are_well_formed() -> None:
    for agents in ((ROWS,), (ROWS, ROWS[::-1]), (ROWS[1:2],)):
        drawings = re.findall("<svg.*?</svg>", page(*(evaluation(*rows) for rows in agents)))
        assert len(drawings) == 5
        for drawing in map(ElementTree.fromstring, drawings):
            numbers = [float(n) for n in re.findall(r'="(-?[\d.]+)"', ElementTree.tostring(drawing, "unicode"))]
            assert all(-100 <= number <= 700 for number in numbers)


def test_axes_are_round() -> None:
    assert [label for _, label in number_axis(87, "money", sign="$").ticks] == [
        "$0",
        "$20",
        "$40",
        "$60",
        "$80",
        "$100",
    ]
    assert number_axis(0, "").high == 1.0
    assert [label for _, label in log_axis(0.3, 250, "").ticks] == ["0.1", "1", "10", "100", "1000"]
    assert len(log_axis(0.1, 1e300, "").ticks) <= 8


def test_the_page_needs_nothing_else() -> None:
    for evaluations in ((evaluation(),), (evaluation(), evaluation(agent="<random>"))):
        text = page(*evaluations)
        assert text.count("<svg") == 5
        assert "<script" not in text
        assert set(re.findall(r'(?:src|href|xmlns)="([^"]*)"', text)) == {"http://www.w3.org/2000/svg"}
        assert "url(" not in text
        assert "SEED3" in text
        assert "<random>" not in text


def test_a_won_run_is_won_in_ante_8() -> None:
    assert ROWS[0].final_ante == 9
    for text in (page(evaluation()), text_of(evaluation()), json.dumps(summary_data(evaluation()))):
        assert "ante 9" not in text
    assert "<td>won in ante 8</td>" in page(evaluation())
    assert "<td>lost in ante 2</td>" in page(evaluation())
    assert summary_data(evaluation())["runs"][0]["ante"] == 8


def test_a_command_can_be_copied_with_one_click() -> None:
    seeds = SeedSet("dev-100", 1, ("SEED0",))
    settings = Settings(agent="greedy", seeds=seeds, challenge="c_omelette_1", options={"name": "a <b> 'c'"})
    text = page(Evaluation(settings, ROWS[:1]))
    assert re.search(r"code \{[^}]*user-select: all", text)
    (command,) = re.findall(r"<code[^>]*>(.*?)</code>", text)
    assert shlex.split(unescape(command)) == [
        *("jimbo", "watch", "--agent", "greedy", "--seed", "SEED0", "--challenge", "c_omelette_1"),
        *("--stake", "stake_white", "--set", "name=a <b> 'c'", "--nonce", "1"),
    ]
    assert "<b>" not in command
