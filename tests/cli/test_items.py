"""``jimbo items`` as people call it."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.engine.catalog import JOKERS
from jimbo.eval.worths import Worth, Worths
from jimbo.report.items import KINDS, read_measured, write_measured

MEASURED = Worths(
    "stake_gold",
    7,
    {1: 0.5},
    {"j_joker": {1: Worth(3.0, 0.5, 40), 2: Worth(9.0, 2.0, 9)}},
    {"v_hone": {1: Worth(-1.0, 0.25, 40)}},
    {"Pair": {8: Worth(2.0, 1.0, 12)}},
    {1: {0: 0.5}},
)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(app, ["items", *arguments], env={"COLUMNS": "100"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    write_measured(tmp_path / "worths.json", [MEASURED], "jimbo what-wins --games 7")
    return tmp_path / "worths.json"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_listed_in_each_form(kind: str) -> None:
    table = list(csv.DictReader(io.StringIO(run("--kind", kind, "--csv").stdout)))
    data = json.loads(run("--kind", kind, "--json").stdout)
    assert (data["kind"], data["worths"]) == (kind, None)
    assert [row["key"] for row in table] == [row["key"] for row in data["items"]] == list(KINDS[kind][0])
    assert all(row["name"] and row["text"] for row in data["items"])
    assert str(data["items"][0]["name"]) in run("--kind", kind).stdout


def test_jokers_have_rarity_price_and_text() -> None:
    rows = list(csv.DictReader(io.StringIO(run("--csv").stdout)))
    assert [*rows[0]] == ["name", "key", "rarity", "price", "text"]
    assert len(rows) == 150
    fact = JOKERS["j_blueprint"]
    assert ["Blueprint", "j_blueprint", "Rare", "10", fact.text] in [list(row.values()) for row in rows]


def test_measured_worths_come_with_their_intervals(measured: Path) -> None:
    data = json.loads(run("--worths", str(measured), "--json").stdout)
    assert data["worths"] == "jimbo what-wins --games 7"
    joker, greedy, *_ = data["items"]
    assert [joker[f"worth_gold_1{end}"] for end in ("", "_low", "_high", "_positions")] == [3.0, 2.02, 3.98, 40]
    assert (joker["worth_gold_2"], joker["worth_gold_2_positions"]) == (None, 0)  # too few positions
    assert (greedy["worth_gold_1"], greedy["worth_gold_1_low"]) == (None, None)
    assert "+3.0 +/- 1.0" in run("--worths", str(measured)).stdout
    assert "Gold Stake (7 games)" in " ".join(run("--worths", str(measured)).stdout.split())
    assert "-1.0 +/- 0.5" in run("--worths", str(measured), "--kind", "vouchers").stdout
    assert "+2.0 +/- 2.0" in run("--worths", str(measured), "--kind", "hands").stdout


def test_the_file_is_read_as_it_was_written(measured: Path) -> None:
    (gold,) = read_measured(measured).stakes
    assert (gold.stake, gold.games, gold.jokers["j_joker"]["1"]) == ("stake_gold", 7, Worth(3.0, 0.5, 40))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--kind", "cats"), 'There are no items "cats". Choose one of jokers, consumables,'),
        (("--csv", "--json"), "Choose --csv or --json, not both."),
        (("--kind", "tags", "--worths", "x"), "Worths are measured of jokers, vouchers, hands, not of tags."),
        (("--worths", "none.json"), "none.json cannot be used: No such file or directory."),
        (("--worths", "other.json"), "other.json is not what jimbo what-wins has measured: schema, command, stakes"),
        (("--worths", "/dev/zero"), "/dev/zero cannot be used: File too large."),
    ],
)
def test_what_cannot_be_is_told(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.json").write_text("{}")
    told = run(*arguments)
    assert (told.exit_code, told.stdout) == (2, "")
    assert sentence in told.stderr
