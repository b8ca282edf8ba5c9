"""Several strategies on the same seeds."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from eval.episode_rows import episode
from jimbo.eval import Evaluation, SeedSet, Settings, Store, compare, summarize
from jimbo.eval.comparison import Ablation, Strategy, ablation, ablation_csv, ablation_data, read_evaluation
from jimbo.eval.rows import Episode
from jimbo.report.evaluation import ablation_remarks, ablation_report, gap_table, level_table
from jimbo.report.render import markdown

GOOD = [episode(n, won=n < 3, round=20) for n in range(5)]
BAD = [episode(n, round=2) for n in range(5)]


def evaluation(rows: list[Episode], **settings: object) -> Evaluation:
    seeds = SeedSet("dev-100", 1, tuple(f"SEED{n}" for n in range(5)))
    return Evaluation(Settings(**{"agent": "made", "seeds": seeds, **settings}), tuple(rows))  # type: ignore[arg-type]


def compared(*strategies: list[Episode]) -> Ablation:
    names = ("first", "second", "third")
    return ablation([Strategy(name, evaluation(rows)) for name, rows in zip(names, strategies, strict=False)])


def test_each_has_its_numbers_and_the_difference_to_the_first() -> None:
    first, second = compared(GOOD, BAD).rows
    assert (first.strategy.name, first.summary, first.vs_first) == ("first", summarize(GOOD), None)
    assert (second.summary, second.vs_first) == (summarize(BAD), compare(BAD, GOOD))
    assert second.vs_first
    assert (second.vs_first.wins.mean, second.vs_first.antes.mean) == (-0.6, pytest.approx((3 * -7 + 2 * -6) / 5))


def test_only_seeds_that_all_have_played_count() -> None:
    result = compared(GOOD, BAD[1:], BAD[:4])
    assert [row.summary.games for row in result.rows] == [3, 3, 3]
    assert result.rows[0].summary == summarize(GOOD[1:4])
    assert result.left_out == 2 + 1 + 1
    assert ablation_remarks(result)[-1] == "Left out: 4 games on seeds that not all have played."
    assert len(ablation_remarks(compared(GOOD, BAD))) == 1


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="no seed that all of them have played"):
        compared(GOOD[:2], BAD[2:])
    other = evaluation([replace(row, stake="stake_gold") for row in BAD], stake="stake_gold")
    with pytest.raises(ValueError, match="first and second cannot be compared: the stake is stake_white in one and"):
        ablation([Strategy("first", evaluation(GOOD)), Strategy("second", other)])


def test_tables() -> None:
    result = compared(GOOD, BAD)
    assert ablation_report(result).title == "Red Deck · White Stake, 5 seeds of dev-100"
    assert level_table(result).lines[0] == (
        "first",
        "60.0 %  (23.1 to 88.2)",
        "100.0 %  (56.6 to 100.0)",
        "7.60  (7.20 to 8.00)",
    )
    table = gap_table(result)
    heads, lines = table.heads, table.lines
    assert heads[0] == "minus first"
    assert [line[:1] for line in lines] == [("second",)]
    assert lines[0][1].startswith("-60.0 points  (-")
    assert lines[0][2].startswith("-6.60  (-")
    text = markdown(ablation_report(ablation([Strategy("a|b", evaluation(GOOD)), Strategy("c", evaluation(BAD))])))
    assert "| a\\|b | 60.0 %" in text
    assert "| minus a\\|b | wins | mean ante |" in text


def test_files_for_machines() -> None:
    result = compared(GOOD, BAD)
    data = json.loads(json.dumps(ablation_data(result), allow_nan=False))
    assert (data["schema"], data["deck"], data["games"]) == ("jimbo_ablation_v1", "b_red", 5)
    assert [(row["strategy"], row["wins"]) for row in data["rows"]] == [("first", 3), ("second", 0)]
    assert data["rows"][0]["vs_first"] is None
    assert data["rows"][1]["vs_first"]["antes"]["mean"] == pytest.approx(-6.6)
    first, second = csv.DictReader(io.StringIO(ablation_csv(result)))
    assert (first["win_rate"], first["vs_first_wins"]) == ("0.6", "")
    assert (second["strategy"], second["options"], second["vs_first_wins"]) == ("second", "{}", "-0.6")
    assert float(second["vs_first_antes_low"]) < -6.6 < float(second["vs_first_antes_high"])


def test_a_kept_evaluation_is_read_as_it_was(tmp_path: Path) -> None:
    done = evaluation(GOOD, options={"effort": 2})
    with Store(tmp_path) as store:
        store.open(done.settings.to_data())
        for row in reversed(done.episodes):
            store.add(row)
    assert read_evaluation(tmp_path) == done


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is not the folder of an evaluation: it has no config\.json"):
        read_evaluation(tmp_path)
    config = {**evaluation(GOOD).settings.to_data(), "options": [1]}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ValueError, match=r"config\.json cannot be used: options must be named values"):
        read_evaluation(tmp_path)
