"""``jimbo bench real`` and ``jimbo bench sweep`` at our own server: running already, or started by them."""

import csv
import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.rollout.instances import Elsewhere
from serve.balatrobot.running import running
from wire.test_launching import STAND_IN, free_ports

FEW = ("--steps-per-instance", "8")


def jimbo(*words: str) -> Result:
    return CliRunner().invoke(app, list(words), env={"COLUMNS": "200"})


@pytest.fixture
def urls(tmp_path: Path) -> Iterator[str]:
    with running(tmp_path / "saves", instances=2) as ports:
        yield ",".join(f"http://127.0.0.1:{port}" for port in ports)


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open()))


# --- jimbo bench real -------------------------------------------------------------------------------------------------


def test_one_instance_and_two(urls: str) -> None:
    done = jimbo("bench", "real", "--base-urls", urls, *FEW, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["urls"] == urls.split(",")
    assert [(one["instances"], one["steps"], one["mode"]) for one in told["measured"]] == [
        (1, 8, "rl_step"),
        (2, 16, "rl_step"),
    ]
    assert told["measured"][0]["latency"]["play"].keys() == {"calls", "mean", "p50", "p95", "p99", "max"}


def test_a_table_for_people(urls: str) -> None:
    done = jimbo("bench", "real", "--base-urls", urls, *FEW, "--instances", "2", "--mode", "action_only")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["milliseconds", "calls", "mean", "p50", "p95", "p99", "max"]
    assert "play" in {line.split()[0] for line in lines if line}
    assert "Calls of 2 instances; a step is action_only, 8 for each." in done.stdout
    (last,) = (line.replace(",", "").split() for line in lines if line.startswith("2 "))
    assert (last[0], last[3]) == ("2", "1.00")
    assert float(last[1]) == pytest.approx(2 * float(last[2]), abs=0.11)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--instances", "3"), "there are 2"),
        (("--instances", "0,1"), "not a list of numbers"),
        (("--instances", "1,1"), "each once"),
        (("--instances", "all"), "such as 1,2,4"),
        (("--timeout", "0.1", "--steps", "100000"), "did not end in time"),
        (("--launch-instances", "3"), "leave the number out"),
    ],
)
def test_what_cannot_be_measured_is_told(urls: str, words: tuple[str, ...], said: str) -> None:
    done = jimbo("bench", "real", "--base-urls", urls, *words)
    assert (done.exit_code, said in done.stderr) == (2, True), done.output


def test_a_sweep_starts_games_at_ports_of_its_own(urls: str) -> None:
    done = jimbo("bench", "sweep", "--base-urls", urls, "--launch-instances")
    assert (done.exit_code, "leave --base-urls out" in done.stderr) == (2, True), done.output


def test_options_of_the_engines_bench_are_not_those_of_the_game() -> None:
    done = jimbo("bench", "--threads", "2", "real")
    assert done.exit_code == 2
    assert "unexpected extra argument(s) (real)" in done.stderr


# --- jimbo bench sweep ------------------------------------------------------------------------------------------------


def test_a_sweep_over_instances_modes_and_repeats(tmp_path: Path, urls: str) -> None:
    out, raw = tmp_path / "new" / "s.csv", tmp_path / "raw"
    done = jimbo(
        "bench", "sweep", "--base-urls", urls, *FEW, "--repeats", "2", "--csv-out", str(out), "--raw-dir", str(raw)
    )
    assert done.exit_code == 0, done.output
    kinds = [(row["instances"], row["mode"], row["repeat"]) for row in rows(out)]
    assert kinds == [(n, mode, r) for n in "12" for mode in ("action_only", "rl_step") for r in "12"]
    assert all(float(row["steps_s_total"]) > 0 and row["returncode"] == "0" for row in rows(out))
    summary = rows(out.with_name("s_summary.csv"))
    assert [(row["mode"], row["instances"], row["repeats"]) for row in summary] == [
        *(("action_only", "1", "2"), ("action_only", "2", "2"), ("rl_step", "1", "2"), ("rl_step", "2", "2")),
    ]
    assert out.with_suffix(".svg").read_text().startswith("<svg")
    kept = json.loads((raw / "rl_step_2_1.json").read_text())
    assert round(kept["measured"]["steps_s_total"], 3) == float(rows(out)[6]["steps_s_total"])
    again = jimbo(*shlex.split(rows(out)[-1]["cmd"])[1:], "--json")
    (measured,) = json.loads(again.stdout)["measured"]
    assert (measured["mode"], measured["instances"], measured["steps"]) == ("rl_step", 2, 16)
    before = out.read_text()
    refused = jimbo("sweep", "--base-urls", urls, *FEW, "--csv-out", str(out))
    assert (refused.exit_code, out.read_text()) == (2, before)
    assert "is there already" in refused.stderr


def sweep_of_launched(how: str, out: Path, port: int) -> Result:
    return jimbo(
        *(
            "bench",
            "sweep",
            "--launch-instances",
            "1",
            "--launcher",
            "direct",
            "--base-port",
            str(port),
            "--repeats",
            "1",
        ),
        *("--balatrobot-cmd", f"{sys.executable} {STAND_IN} {how}", *FEW, "--mode", "action_only"),
        *("--csv-out", str(out), "--json"),
    )


def test_games_are_started_for_it(tmp_path: Path) -> None:
    out, port = tmp_path / "s.csv", free_ports()
    done = sweep_of_launched("game", out, port)
    assert done.exit_code == 0, done.output
    assert not Elsewhere(f"http://127.0.0.1:{port}").answers()
    (row,) = rows(out)
    assert (row["base_port_used"], row["returncode"]) == (str(port), "0")
    assert f"--launch-instances 1 --launcher direct --balatrobot-cmd '{sys.executable} {STAND_IN} game'" in row["cmd"]
    again = jimbo(*shlex.split(row["cmd"])[1:], "--json")
    assert json.loads(again.stdout)["urls"] == [f"http://127.0.0.1:{port}"]
    assert not Elsewhere(f"http://127.0.0.1:{port}").answers()
    (told,) = json.loads(done.stdout)["summary"]
    assert (told["mean"], told["stdev"]) == (float(row["steps_s_total"]), None)


def test_games_that_do_not_start_are_a_result(tmp_path: Path) -> None:
    out = tmp_path / "s.csv"
    done = sweep_of_launched("dies", out, free_ports())
    assert done.exit_code == 1
    assert "Lovely was not found" in done.stderr
    assert [(row["returncode"], row["steps_s_total"]) for row in rows(out)] == [("1", "")]


def test_a_game_that_does_not_answer_is_told_before_anything_is_written(tmp_path: Path) -> None:
    out = tmp_path / "s.csv"
    done = jimbo("bench", "sweep", "--base-urls", f"http://127.0.0.1:{free_ports()}", "--csv-out", str(out))
    assert (done.exit_code, out.exists()) == (2, False)
    assert "nobody answers there" in done.stderr


def test_a_measurement_that_takes_too_long_is_kept_with_its_code(tmp_path: Path, urls: str) -> None:
    out, words = tmp_path / "s.csv", ("--steps", "100000", "--repeats", "1", "--timeout", "0.1", "--instances", "1")
    done = jimbo("bench", "sweep", "--base-urls", urls, *words, "--csv-out", str(out))
    assert done.exit_code == 1
    assert [(row["mode"], row["returncode"]) for row in rows(out)] == [("action_only", "124"), ("rl_step", "124")]
    assert [row["repeats"] for row in rows(out.with_name("s_summary.csv"))] == ["0", "0"]
