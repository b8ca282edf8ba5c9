"""``jimbo seed line`` and ``route``; odds, filters, kept searches and exports of ``jimbo seed find``."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.seed import app
from jimbo.data.game_files import read_game


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "120"})


def test_a_line_shows_the_rest(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    result = run("line", "testseed", "beat beat buy2", "--antes", "1", "--out", str(out))
    assert result.exit_code == 0
    assert "Buy Smeared Joker for $10" in result.stdout
    assert "Cost: $10, no reroll, no skip" in result.stdout
    assert "◐" in result.stdout
    game = read_game(out)
    assert game.run
    assert game.run.joker_keys == ["j_smeared"]
    told = json.loads(run("line", "TESTSEED", "beat", "--json").stdout)
    assert [step["word"] for step in told["steps"]] == ["beat"]


def test_a_route_and_what_it_cannot_reach(tmp_path: Path) -> None:
    result = run("route", "TESTSEED", "--want", "smeared joker @ 1", "--out", str(tmp_path / "run.jsonl"))
    assert result.exit_code == 0
    assert "Smeared Joker: bought in ante 1, step 3" in result.stdout
    assert "counted as beaten" in result.stdout
    missing = run("route", "TESTSEED", "--want", "perkeo @ 1", "--json")
    assert missing.exit_code == 1
    assert json.loads(missing.stdout)["unseen"] == [0]


def test_labels_stand_beside_items() -> None:
    result = run("show", "TESTSEED", "--antes", "1", "--queue", "4", "--labels")
    assert result.exit_code == 0
    assert "having Splash already → Sly Joker" in result.stdout


def test_odds_without_a_search() -> None:
    result = run("find", "--has", "negative tag @ 2", "--has", "telescope @ 1-2", "--odds")
    assert result.exit_code == 0
    assert "(exact)" in result.stdout
    assert "Rarest: Negative Tag @ 2" in result.stdout


def test_a_kept_search_goes_on_and_is_exported(tmp_path: Path) -> None:
    keep, table = tmp_path / "kept.json", tmp_path / "hits.csv"
    first = run("find", "--has", "blueprint", "--keep", str(keep), "--tries", "300", "--json")
    assert first.exit_code == 0
    assert json.loads(keep.read_text())["progress"]["searched"] == 300
    again = run("find", "--keep", str(keep), "--export", str(table), "--json")
    assert again.exit_code == 0
    assert json.loads(keep.read_text())["progress"]["state"] == "done"
    assert len(table.read_text().splitlines()) == 21
    other = run("find", "--has", "baron", "--keep", str(keep))
    assert other.exit_code == 2
    assert "keeps another search" in other.stderr


def test_a_filter_names_what_it_leaves_out(tmp_path: Path) -> None:
    file = tmp_path / "my.jaml"
    file.write_text("must:\n  - joker: Blueprint\n    antes: [1]\n  - luckyMoney: [0]\nshould:\n  - voucher: Hone\n")
    result = run("find", "--jaml", str(file), "--limit", "3", "--json")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3
    assert 'must 2 is left out: "luckymoney" does not map.' in result.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["line", "TESTSEED", "jump"], '"jump" is not a step of a line.'),
        (["line", "TESTSEED", "buy1"], "Step 1:"),
        (["route", "TESTSEED", "--want", "nonsense"], "Nothing in the game is called"),
        (["route", "TESTSEED", "--want", "blueprint @ 30"], "are not on a route"),
        (["find", "--jaml", "none.jaml"], "none.jaml"),
        (["find", "--has", "blueprint", "--export", "hits.txt"], "ends neither in .csv nor in .json"),
        (["find"], "Say what to look for"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr
