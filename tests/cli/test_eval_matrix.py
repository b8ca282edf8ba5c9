"""``jimbo eval-matrix``."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.eval import Episode, Store, read_rows


def run(*arguments: str, seeds: int = 3) -> Result:
    fixed = ["eval-matrix", "--workers", "1", "--seeds", f"{seeds}", "--agent", "greedy"]
    return CliRunner().invoke(app, [*fixed, *arguments], env={"COLUMNS": "80"})


def places(data: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(cell["deck"].removeprefix("b_"), cell["stake"].removeprefix("stake_")) for cell in data["cells"]]


def test_every_deck_is_played_with_every_stake() -> None:
    result = run("--decks", "blue,red", "--stakes", "white,gold", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert places(data) == [("red", "white"), ("red", "gold"), ("blue", "white"), ("blue", "gold")]
    assert all((cell["games"], cell["complete"]) == (3, True) for cell in data["cells"])


def test_a_cell_is_what_eval_plays() -> None:
    cell = json.loads(run("--decks", "plasma", "--stakes", "red", "--json").stdout)["cells"][0]
    arguments = ["eval", "--workers", "1", "--agent", "greedy", "--seeds", "3", "--deck", "plasma", "--stake", "red"]
    alone = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    for name in ("games", "wins", "ci95", "mean_ante", "mean_round", "deaths", "decisions", "mean_money"):
        assert cell[name] == alone[name]


def test_the_table_fits() -> None:
    result = run("--decks", "red,blue", "--stakes", "all", seeds=1)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    assert "greedy, 1 seed of dev-100 v1" in result.stdout


def test_out_keeps_everything_goes_on_and_grows(tmp_path: Path) -> None:
    run("--decks", "red,blue", "--out", str(tmp_path))
    cells = tmp_path / "cells"
    assert {path.name for path in cells.iterdir()} == {"b_red-stake_white", "b_blue-stake_white"}
    assert (cells / "b_red-stake_white" / "report.html").is_file()
    rows = cells / "b_red-stake_white" / "episodes.jsonl"
    before = rows.read_bytes()
    rows.write_bytes(before[: before.index(b"\n") + 1])
    again = run("--decks", "red,blue", "--out", str(tmp_path), "--json")
    assert "4 games were already there." in again.stderr
    assert json.loads(again.stdout) == json.loads((tmp_path / "matrix.json").read_text())
    assert [row.episode_id for row in read_rows(rows)] == [0, 1, 2]
    grown = json.loads(
        run("--decks", "red", "--stakes", "gold,white", "--out", str(tmp_path), "--json", seeds=4).stdout
    )
    assert places(grown) == [("red", "white"), ("red", "gold"), ("blue", "white")]
    assert [(cell["games"], cell["complete"]) for cell in grown["cells"]] == [(4, True), (4, True), (3, False)]
    assert (tmp_path / "report.html").read_text().count("cells/") == 3


def test_fewer_seeds_change_no_file(tmp_path: Path) -> None:
    run("--decks", "red", "--out", str(tmp_path))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    fewer = run("--decks", "red", "--out", str(tmp_path), "--json", seeds=2)
    assert json.loads(fewer.stdout)["cells"][0]["games"] == 2
    assert "holds 3 seeds; this is about the first 2." in fewer.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_fresh_seeds_are_the_same_in_all_cells_and_in_those_that_are_added(tmp_path: Path) -> None:
    for decks in ("red,blue", "ghost"):
        run("--decks", decks, "--seed-set", "fresh", "--out", str(tmp_path))
    seeds = [json.loads(path.read_text())["seeds"] for path in tmp_path.glob("cells/*/config.json")]
    assert len(seeds) == 3
    assert seeds[0] == seeds[1] == seeds[2]


def test_a_stopped_matrix_shows_what_it_has_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add, left = Store.add, [4]

    def interrupted(store: Store, row: Episode) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        add(store, row)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "add", interrupted)
        stopped = run("--decks", "red,blue,ghost", "--out", str(tmp_path))
    assert stopped.exit_code == 130
    assert "Blue Deck · White Stake: only 1 of 3 runs were played." in stopped.stdout
    assert "Stopped. The same command continues." in stopped.stderr
    whole = json.loads(run("--decks", "red,blue,ghost", "--out", str(tmp_path), "--json").stdout)
    assert [cell["games"] for cell in whole["cells"]] == [3, 3, 3]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--decks", "rde"], 'Did you mean "red"?'),
        (["--stakes", "white,godl"], 'Did you mean "gold"?'),
        (["--decks", "red,"], "deck"),
        (["--effort", "2"], "has no options"),
        (["--out", "/dev/null/x"], "cannot be used"),
        (["--seed-set", "dev"], "no seed set"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert complaint in " ".join(result.stderr.split())


def test_a_folder_of_another_agent_or_of_something_else_is_refused(tmp_path: Path) -> None:
    run("--decks", "red", "--out", str(tmp_path / "kept"))
    arguments = ["eval-matrix", "--agent", "random", "--decks", "blue", "--seeds", "3", "--out", str(tmp_path / "kept")]
    other = CliRunner().invoke(app, arguments)
    assert other.exit_code == 2
    assert "other settings (agent)" in other.stderr
    assert not (tmp_path / "kept" / "cells" / "b_blue-stake_white").exists()
    (tmp_path / "thesis.tex").write_text("mine")
    refused = run("--decks", "red", "--out", str(tmp_path))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "holds other files" in refused.stderr
