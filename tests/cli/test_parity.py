"""``jimbo parity``."""

import gzip
import json
from pathlib import Path

from typer.testing import CliRunner

from jimbo.cli.main import app
from parity.other_games import TOO_MANY, OtherMoney, OtherPrices, OtherRules, served
from serve.balatrobot.running import called, running

runner = CliRunner()


def run(*words: object) -> tuple[int, str, str]:
    result = runner.invoke(app, ["parity", *map(str, words)])
    return result.exit_code, result.stdout, result.stderr


def test_agreement(tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        given = ("--base-url", f"http://127.0.0.1:{port}", "--settle", 0, "--out", tmp_path / "out")
        code, told, _ = run(*given, "--only", "j_egg,point_bull", "--json")
        assert code == 0
        assert run(*given, "--only", "m_gold")[0] == 0
    report = json.loads(told)
    assert [(each["item"], each["status"]) for each in report["items"]] == [
        ("j_egg", "passed"),
        ("point_bull", "passed"),
    ]
    assert [each["name"] for each in report["fixtures"]] == ["j_egg", "point_bull", "point_bull#2"]
    assert report["totals"]["jokers"] == {"passed": 1, "failed": 0, "not exercised": 0}


def test_a_difference(tmp_path: Path) -> None:
    """It is told with path, values and seed, in words, as a page, and in the one file to send."""
    with served(OtherRules) as game:
        code, told, _ = run("--base-url", game.url, "--settle", 0, "--only", "j_hack,j_joker", "--out", tmp_path)
    assert code == 1
    assert "j_hack differs at step" in told
    report = json.loads((tmp_path / "report.json").read_text())
    found = next(each for each in report["fixtures"] if each["status"] == "failed")
    game_chips, own_chips = found["difference"]["game"], found["difference"]["simulator"]
    assert game_chips == own_chips + TOO_MANY
    for text in (told, (tmp_path / "report.html").read_text()):
        for part in ("$.chips", str(game_chips), str(own_chips), found["seed"]):
            assert part in text
    sent = json.loads(gzip.decompress((tmp_path / "result.json.gz").read_bytes()))
    assert sent["report"] == report
    assert [*sent["traces"]] == ["j_hack"]
    assert sent["traces"]["j_hack"][-1]["method"] == "play"


def test_a_difference_elsewhere_is_one(tmp_path: Path) -> None:
    """The items do what they should; what every joker sells for is wrong."""
    with served(OtherPrices) as game:
        code, told, _ = run("--base-url", game.url, "--settle", 0, "--only", "j_joker,j_hack", "--out", tmp_path)
    assert code == 1
    words = " ".join(told.split())
    assert "2 fixtures differ elsewhere than in what they compare; the first is j_joker at step " in words
    assert "$.everything.jokers.cards[0].cost.sell" in told
    assert f"{game.url}: 2" in told
    assert "simulator: 1" in told
    report = json.loads((tmp_path / "report.json").read_text())
    assert {each["status"] for each in report["fixtures"]} == {"passed"}


def test_what_can_still_be_done_stands_above_what_passed(tmp_path: Path) -> None:
    with running(tmp_path) as (port,):
        given = ("--base-url", f"http://127.0.0.1:{port}", "--settle", 0, "--out", tmp_path)
        assert run(*given, "--only", "j_egg,v_retcon")[0] == 0
    page = (tmp_path / "report.html").read_text()
    assert page.index("add --by-hand and sit at the game") < page.index("1 of 1 passed.") < page.index("0 of 1 passed.")


def by_greedy(path: Path) -> Path:
    given = ("--agent", "greedy", "--seed", "RUN7", "--record", str(path))
    assert runner.invoke(app, ["watch", *given]).exit_code == 0
    return path


def test_a_run_is_played_in_both(tmp_path: Path) -> None:
    path = by_greedy(tmp_path / "run.jsonl")
    with running(tmp_path) as (port,):
        url = ("--base-url", f"http://127.0.0.1:{port}", "--settle", 0, "--out", tmp_path / "out")
        code, told, _ = run(*url, "--run", path)
        assert (code, "No difference in " in told) == (0, True)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["equal"]
    assert report["steps"][0] == report["steps"][1] >= 5
    with served(OtherMoney) as game:
        code, told, _ = run("--base-url", game.url, "--settle", 0, "--run", path, "--out", tmp_path / "other", "--json")
    first = json.loads(told)["differences"][0]
    assert (code, first["path"], first["values"][1] - first["values"][0]) == (1, "$.everything.money", 1)
    assert {each.name for each in (tmp_path / "other").iterdir()} == {
        *("report.json", "a.json", "b.json", "a.jsonl.gz", "b.jsonl.gz")
    }


def test_only_whole_runs_can_be_played_in_both(tmp_path: Path) -> None:
    later = tmp_path / "later.run"
    assert runner.invoke(app, ["play", "--load", "hand: As Kd"], input=f"p 1\nsave {later}\nq\n").exit_code == 0
    with running(tmp_path) as (port,):
        url = ("--base-url", f"http://127.0.0.1:{port}", "--settle", 0, "--out", tmp_path / "out")
        for given, why in (
            (("--run", later), "A run is compared from its start with a deck: this one begins later"),
            (("--run", "hand: As Kd"), "hand: As Kd holds no steps."),
            (("--run", later, "--only", "j_egg"), "--run compares one run, and --only and --by-hand are about"),
        ):
            code, _, said = run(*url, *given)
            assert (code, why in said) == (2, True)
            assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_bad_input(tmp_path: Path) -> None:
    out = ("--out", tmp_path / "out")
    (tmp_path / "file").write_text("")
    code, _, told = run("--base-url", "http://127.0.0.1:9", "--only", "j_egg", "--out", tmp_path / "file")
    assert (code, "file cannot be written: Not a directory" in told) == (2, True)
    with running(tmp_path) as (port,):
        url = ("--base-url", f"http://127.0.0.1:{port}")
        for only, why in (("j_nobody", 'no fixture of "j_nobody"'), ("v_retcon", "nobody is at this terminal")):
            code, _, told = run(*url, *out, "--only", only, *(("--by-hand",) if only == "v_retcon" else ()))
            assert (code, why in told) == (2, True)
        called(port, "start", deck="RED", stake="WHITE", seed="MINE")
        code, _, told = run(*url, *out, "--only", "j_egg")
        assert (code, "A run is being played" in told) == (2, True)
    code, _, told = run(*url, *out, "--only", "j_egg")
    assert (code, "Start the game" in told) == (2, True)
    assert not (tmp_path / "out").exists()
