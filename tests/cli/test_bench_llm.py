"""``jimbo bench-llm``: games of a model, kept and resumed, and what they took."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from jimbo.cli.main import app
from llm.conftest import nothing_of_the_user  # noqa: F401  (the fixture applies here, too)
from llm.stand_in import Service, first_option, plays, service


@pytest.fixture
def model() -> Iterator[Service]:
    pytest.importorskip("anthropic")
    with service(plays) as made:
        yield made


def bench(model: Service, out: Path, *more: str, games: int = 2) -> Result:
    line = ["bench-llm", "--base-url", model.url, "--model", "m", "--games", str(games), "--out", str(out), *more]
    return CliRunner().invoke(app, line)


def data(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_games_are_played_counted_and_kept(model: Service, tmp_path: Path) -> None:
    out = tmp_path / "bench"
    found = data(bench(model, out, "--price", "1,5", "--json"))
    numbers, sent = found["llm"], len(model.seen)
    assert (numbers["games"], numbers["wins"], numbers["calls"]) == (2, 0, sent)
    assert numbers["mean_final_round"] == found["mean_round"] > 0
    assert (numbers["input_tokens"], numbers["output_tokens"]) == (1200 * sent, 80 * sent)
    assert numbers["dollars"] == pytest.approx(sent * (1200 + 5 * 80) / 1e6)
    assert (numbers["illegal_calls"], numbers["failed_calls"], numbers["fallbacks"]) == (0, 0, 0)
    assert found["options"]["model"] == "m"
    assert json.loads((out / "bench.json").read_text()) == found
    records = sorted((out / "records").iterdir())
    assert [record.name for record in records] == [
        f"000{n}-{run['seed']}.jsonl" for n, run in enumerate(found["runs"], 1)
    ]
    for record, run in zip(records, found["runs"], strict=True):
        assert run["watch"] == f"jimbo replay {record}"
        shown = CliRunner().invoke(app, ["replay", str(record)])
        assert shown.exit_code == 0, shown.output
        assert "Confirmed: all actions" in shown.output
    assert "The model" in (out / "report.html").read_text()


def test_the_report_for_people(model: Service, tmp_path: Path) -> None:
    shown = bench(model, tmp_path / "bench").stdout
    for words in ("mean final round", "illegal", "tokens in", "cost", "seconds for each call"):
        assert words in shown


def test_the_same_command_goes_on(model: Service, tmp_path: Path) -> None:
    out = tmp_path / "bench"
    first = data(bench(model, out, "--json", games=1))
    sent = len(model.seen)
    again = data(bench(model, out, "--json", games=1))
    assert len(model.seen) == sent
    assert {**again["llm"]} == {**first["llm"]}
    more = data(bench(model, out, "--json", games=2))
    assert more["games"] == 2
    assert len(model.seen) > sent


def test_money_that_runs_out_can_be_added(model: Service, tmp_path: Path) -> None:
    """The calls of the game that was left are not paid for again."""
    out = tmp_path / "bench"
    short = bench(model, out, "--price", "100,0", "--budget", "1", games=3)
    assert short.exit_code == 2
    assert "Raise the option budget" in " ".join(short.stderr.split())
    sent = len(model.seen)
    assert sent * 1200 * 100 / 1e6 <= 1
    found = data(bench(model, out, "--price", "100,0", "--budget", "100", "--json", games=3))
    assert found["llm"]["games"] == 3
    assert found["llm"]["calls"] == len(model.seen)
    assert found["llm"]["dollars"] == pytest.approx(len(model.seen) * 0.12)


def test_workers_share_the_budget(model: Service, tmp_path: Path) -> None:
    bench(model, tmp_path / "bench", "--price", "100,0", "--budget", "1.5", "--workers", "3", games=6)
    assert 0 < len(model.seen) * 0.12 <= 1.5


def test_the_adviser_is_measured_too(model: Service, tmp_path: Path) -> None:
    model.choose = first_option
    more = ["--agent", "claude", "--set", "agent=fast", "--set", "confidence=0.9", "--json"]
    found = data(bench(model, tmp_path / "bench", *more, games=3))
    assert found["llm"]["calls"] == len(model.seen) > 0
    assert found["llm"]["consultation_rate"] <= 0.05


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--agent", "greedy"), "The agent greedy asks no model. Choose one of llm, claude."),
        (("--price", "3"), '--price is two numbers, such as 3,15, not "3".'),
        (("--price=-1,2",), "price[0] must be"),
        (("--price", "nan,2"), "price[0] must be"),
        (("--budget", "nan"), "Invalid value for '--budget'"),
        (("--api", "telnet"), "api must be"),
        (("--set", "store=x"), "The option store is set by jimbo bench-llm: use --out and --budget."),
        (("--set", "nonsense=1"), "has no option nonsense"),
        (("--base-url", "http://models.example.org"), "wants a key"),
    ],
)
def test_bad_input_gets_a_sentence(model: Service, tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    refused = bench(model, tmp_path / "bench", *more)
    assert refused.exit_code == 2
    assert said in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.output
    assert not (tmp_path / "bench").exists()


def test_a_folder_of_another_model_is_refused(model: Service, tmp_path: Path) -> None:
    out = tmp_path / "bench"
    bench(model, out, games=1)
    refused = bench(model, out, "--model", "other", games=1)
    assert refused.exit_code == 2
    assert "other settings (options)" in refused.stderr


def test_a_service_that_is_gone_ends_no_game_but_is_told(model: Service, tmp_path: Path) -> None:
    model.faults = ["broken"]
    found = bench(model, tmp_path / "bench", "--set", "patience=0", "--set", "attempts=1", "--json", games=1)
    numbers = data(found)["llm"]
    assert numbers["fallbacks"] > 0
    assert numbers["failed_calls"] == numbers["calls"] > 0
