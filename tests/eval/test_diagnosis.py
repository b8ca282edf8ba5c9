"""Where runs are lost and why: numbers, tables and plots from rows made by hand."""

import json
import re
from dataclasses import asdict, replace
from xml.etree import ElementTree

import numpy as np
import pytest

from eval.episode_rows import episode, noted
from jimbo.eval import Episode, Evaluation, SeedSet, Settings, summary_data
from jimbo.eval.calibration import auc
from jimbo.eval.diagnosis import Diagnosis, diagnose
from jimbo.report import html
from jimbo.report.diagnosis import ante_table, death_table, forecast_table, remarks
from jimbo.report.evaluation import evaluation_report
from report.shown import shown


def told(clear: float, win: float, power: float = 2.0, **more: int) -> dict[str, float]:
    return {"clear": clear, "win": win, "power": power, **more}


LOST_EARLY = noted(
    episode(0, round=2), told(1.0, 0.5, 4.0), told(0.25, 0.1, 0.5, jokers=2, bought=3, sold=1, sold_soon=1)
)
LOST_SURE = replace(noted(episode(1, round=1), told(0.95, 0.7, 1.5, multipliers=1)), money_by_round=(25,))
WON = noted(episode(2, won=True, round=24), *(told(0.9, 0.8, 3.0, interest=2, multipliers=2) for _ in range(24)))
ROWS = (LOST_EARLY, LOST_SURE, WON)


def found(*rows: Episode) -> Diagnosis:
    result = diagnose(rows or ROWS)
    assert result
    return result


def evaluation(*rows: Episode) -> Evaluation:
    seeds = SeedSet("dev-100", 1, tuple(f"SEED{i}" for i in range(len(rows))))
    return Evaluation(Settings(agent="greedy", seeds=seeds), rows)


def test_rows_without_notes_have_no_diagnosis() -> None:
    assert diagnose((episode(0), episode(1))) is None
    assert summary_data(evaluation(episode(0)))["diagnosis"] is None
    assert found(episode(0, round=5), LOST_SURE).games == 1


def test_fatal_blinds() -> None:
    deaths = found().deaths
    assert (deaths.count, deaths.told, deaths.below_half, deaths.sure, deaths.rich) == (2, 2, 1, 1, 1)
    assert (deaths.no_multiplier, deaths.one_multiplier) == (1, 1)
    assert deaths.clear == pytest.approx((0.425, 0.6, 0.775))
    first, second = deaths.all
    assert (first.seed, first.ante, first.blind, first.clear, first.money) == ("SEED0", 1, "bl_big", 0.25, 5)
    assert (second.seed, second.clear, second.win, second.power, second.money) == ("SEED1", 0.95, 0.7, 1.5, 25)


def test_a_blind_in_which_the_agent_failed_is_neither_cleared_nor_lost() -> None:
    failed = replace(LOST_EARLY, failure_reason="agent_error", error="KeyError")
    result = found(failed)
    assert result.deaths.count == 0
    assert [(row.number, row.cleared) for row in result.blinds] == [(1, 1.0)]


def test_blinds() -> None:
    first, second, third, *_ = found().blinds
    assert (first.number, first.games, first.cleared) == (1, 3, pytest.approx(2 / 3))
    assert first.clear.value == pytest.approx((1.0 + 0.95 + 0.9) / 3)
    assert first.power == pytest.approx((2.25, 3.0, 3.5))
    assert first.money == pytest.approx((4 + 25 + 4) / 3)
    assert (second.number, second.games, second.cleared, second.clear.value) == (2, 2, 0.5, pytest.approx(0.575))
    assert (third.games, third.cleared) == (1, 1.0)
    assert len(found().blinds) == 24


def test_antes() -> None:
    first, second, *_ = found().antes
    assert (first.ante, first.games, second.games) == (1, 3, 1)
    # six blinds of the first ante: two, one and three of the three games
    assert first.multipliers.value == pytest.approx((0 + 0 + 1 + 2 * 3) / 6)
    assert (first.bought.value, first.sold.value, first.interest.value) == pytest.approx((3 / 3, 1 / 3, 6 / 3))
    assert second.interest.value == 6
    assert found().per_game["interest"].value == pytest.approx(48 / 3)


def test_the_chance_to_win_is_judged_by_ante() -> None:
    win = found().win
    assert win
    said = np.array([0.5, 0.1, 0.7, 0.8, 0.8, 0.8])
    assert win.by_ante[1].auc.value == auc(said, np.array([False, False, False, True, True, True])) == 1.0
    assert win.by_ante[1].predicted == pytest.approx(said.mean())
    assert (win.all.decisions, win.by_ante[2].decisions, win.by_ante[2].auc.value) == (27, 3, None)
    clear = found().clear
    assert clear
    assert clear.all.happened.value == pytest.approx(25 / 27)


def test_an_agent_that_tells_nothing_gets_the_rest() -> None:
    silent = tuple(noted(episode(i, round=3), {"power": 1.0}, {"power": 2.0}, {"power": 0.5}) for i in range(3))
    result = found(*silent)
    assert (result.clear, result.win, result.deaths.told, result.deaths.clear) == (None, None, 0, None)
    assert [line[3] for line in ante_table(result).lines] == ["1.0 / 2.0 / 0.5", ""]
    text = page(evaluation(*silent))
    assert text.count("<svg") == 5 + 3
    assert "Is its chance" not in text
    assert "nan" not in text


def test_tables() -> None:
    win = found().win
    assert win
    lines = {line[0]: line for line in ante_table(found()).lines}
    assert lines["1"][:6] == ("1", "3", "81.7 %", "3.0 / 1.8 / 3.0", "$8.2", "$2.0")
    assert lines["all"][2:] == ("88.1 %", "", "", "$16.0", "1.0", "0.3", "")
    assert [line[0] for line in forecast_table(win).lines] == [*map(str, range(1, 9)), "all"]
    assert death_table(found().deaths).lines == [
        ("Big Blind", "1", "25.0 %", "0.50", "$5", "0"),
        ("Small Blind", "1", "95.0 %", "1.50", "$25", "1"),
    ]


def test_remarks() -> None:
    text = " ".join(remarks(found()))
    assert "2 fatal blinds entered at a median chance to clear of 60.0 %: 1 (50 %) below 50 %, 1 (50 %) above" in text
    assert "1 (50 %) with $20 or more in hand; 1 (50 %) without an xMult joker, 2 (100 %) with at most one" in text
    assert "Of 0.3 jokers sold in a run, 0.3 had been bought at most two rounds before." in text


def page(*evaluations: Evaluation) -> str:
    return html(evaluation_report(*evaluations))


def text_of(*evaluations: Evaluation) -> str:
    return shown(evaluation_report(*evaluations))


def test_the_report_fits() -> None:
    text = text_of(evaluation(*ROWS))
    assert "How blinds are entered" in text
    assert "P(win) on entering a blind" in text
    assert max(map(len, text.splitlines())) <= 80
    both = text_of(evaluation(*ROWS), evaluation(*ROWS[:2]))
    assert both.count("How blinds are entered: greedy") == 2
    assert max(map(len, both.splitlines())) <= 80


def test_the_page_shows_all_of_it() -> None:
    for evaluations in ((evaluation(*ROWS),), (evaluation(*ROWS), evaluation(*ROWS[::-1]))):
        text = page(*evaluations)
        assert text.count("<svg") == 5 + 7
        assert text.count("Fatal blinds: medians") == len(evaluations)
        assert "<td>25.0 %</td><td>150 / 300</td>" in text  # a lost run, with its chance on entering
        for drawing in re.findall(r"<svg.*?</svg>", text):
            numbers = re.findall(r'="(-?[\d.]+)"', ElementTree.tostring(ElementTree.fromstring(drawing), "unicode"))
            assert all(-100 <= float(number) <= 700 for number in numbers)


def test_one_evaluation_with_notes_and_one_without() -> None:
    text = page(evaluation(*ROWS), evaluation(episode(0), episode(1)))
    assert text.count("<svg") == 5
    assert text.count("How blinds are entered") == 1


def test_data_for_machines() -> None:
    data = json.loads(json.dumps(summary_data(evaluation(*ROWS))))["diagnosis"]
    assert data["deaths"]["all"][0] == json.loads(json.dumps(asdict(found().deaths.all[0])))
    assert data["win"]["by_ante"]["1"]["auc"]["value"] == 1.0
    assert [row["ante"] for row in data["antes"]] == list(range(1, 9))
