"""``jimbo watch``."""

import io
import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from rich.console import Console
from typer.testing import CliRunner

from jimbo.agents import Candidate, Decision
from jimbo.backends import PublicView
from jimbo.cli import watch
from jimbo.cli.main import app
from jimbo.cli.watch_text import ending_text, moment_text
from jimbo.cli.watch_words import action_words
from jimbo.engine import action_kinds
from jimbo.engine.run import Action, Run, view
from jimbo.eval import seed_set
from jimbo.eval.recording import Ending, Moment


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["watch", *arguments], env={"COLUMNS": "80"})


class Sure:
    """An agent with reasons, which fails when it is told to."""

    name = "sure"
    fails = False

    def reset(self, nonce: int) -> None:
        self.nonce = nonce

    def act(self, view: PublicView) -> Decision:
        if view.phase == "blind_select":
            return Decision(Action("select_blind"))
        if self.fails:
            raise KeyError("gone")
        play, other = Action("play", cards=[0]), Action("discard", cards=[1, 2])
        candidates = (Candidate(play, 0.91, "", 0.9, 0.012), Candidate(other, 0.5, "hopes", 0.25))
        return Decision(play, candidates, "I am sure", measure="clear")


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> type[Sure]:
    monkeypatch.setattr(watch, "checked_agent", lambda name, options: Sure())
    return Sure


def test_a_run_is_told() -> None:
    result = run("--agent", "greedy", "--seed", "CXQGWN36")
    assert result.exit_code == 0
    for part in (
        "greedy plays CXQGWN36",
        "▶ play Small Blind",
        "▶ buy Certificate for $6",
        "buys Certificate",
        "Packs    Buffoon Pack $4,  Mega Celestial Pack $8",
        "Jokers   Certificate",
        "▶ cash out $",
        "The run is lost in ante 1, round 3",
    ):
        assert part in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_reasons_are_shown(sure: type[Sure]) -> None:
    text = run("--agent", "sure", "--seed", "TESTSEED").stdout
    assert "I am sure" in text
    lines = text.split("  I am sure\n")[1].splitlines()[:3]
    assert lines[0].split() == ["value", "clears", "considered,", "by", "the", "chance", "to", "clear", "and", "money"]
    assert lines[1].startswith("  ▶  0.910  90.0 % +/- 1.2  play A♥")
    assert lines[2].startswith("     0.500          25.0 %  discard K♥ Q♦   hopes")
    assert "High Card: " in text


def considered(text: str) -> Iterator[tuple[str, list[str]]]:
    """The tables of candidates in what was shown: what their values are, and their lines."""
    for table in text.split("  considered, by ")[1:]:
        meaning, *lines = table.splitlines()
        yield meaning.strip(), list(itertools.takewhile(lambda line: line.startswith("  "), lines))


def test_the_expert_tells_its_reasons_best_first() -> None:
    text = run("--agent", "expert", "--seed", "ALEEB", "--until-ante", "2", "--budget-ms", "3").stdout
    tables = list(considered(text))
    units = {
        "the chance to clear and money": r"\d\.\d{3} ",
        "what it adds to the chance to win": r"[+-]?\d+\.\d+ points ",
    }
    assert {meaning for meaning, _ in tables} == set(units)
    for meaning, lines in tables:
        assert sum("▶" in line for line in lines) == 1
        found = [re.match(units[meaning], line[5:].lstrip()) for line in lines]
        values = [float(match[0].split()[0]) for match in found if match]
        assert len(values) == len(lines) > 1
        assert values == sorted(values, reverse=True)
    assert re.search(r"▶ +\+\d+\.\d points  (open|take|buy) ", text)
    assert re.search(r"points on a chance to win of \d+\.\d %\n", text)


def test_greedy_tells_scores() -> None:
    meaning, lines = next(considered(run("--agent", "greedy", "--seed", "TESTSEED").stdout))
    assert meaning == "the score expected"
    assert lines[0].split() == ["▶", "96", "play", "9♠", "9♣", "5♣", "5♦", "Two", "Pair"]


def test_the_chosen_one_is_always_listed() -> None:
    """It may be one of many, and not the best; its first action may be that of others, too."""
    now = view(Run(seed="TESTSEED"))
    action = Action("select_blind")
    candidates = tuple(Candidate(action, -place, f"way {place}", chosen=place == 9) for place in range(12))
    console = Console(file=io.StringIO(), width=80)
    console.print(moment_text(Moment(1, now, Decision(action, candidates), (), now), 80))
    assert isinstance(console.file, io.StringIO)
    lines = next(considered(console.file.getvalue()))[1]
    assert [line.split()[-1] for line in lines] == ["0", "1", "2", "3", "4", "5", "9"]
    assert [line for line in lines if "▶" in line] == [lines[-1]]


def test_a_won_run_is_won_in_ante_8() -> None:
    """Beating its boss begins ante 9, where nobody has won anything."""
    end = Ending(result="win", ante=9, round=24, steps=1, state_hash="")
    assert str(ending_text(end)) == "The run is won in ante 8, round 24, after 1 decision."
    assert str(ending_text(replace(end, result="loss"))) == "The run is lost in ante 9, round 24, after 1 decision."


def test_a_failing_agent_is_named(sure: type[Sure], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sure, "fails", True)
    result = run("--agent", "sure", "--seed", "TESTSEED", "--record", str(tmp_path / "run.jsonl"))
    assert result.exit_code == 1
    assert "The agent failed in decision 2: KeyError: 'gone'" in result.stderr
    assert '"result": "open"' in (tmp_path / "run.jsonl").read_text()


def test_json_is_the_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    result = run("--agent", "random", "--seed", "CXQGWN36", "--nonce", "3", "--record", str(path), "--json")
    assert result.stdout == path.read_text()
    header, *decisions, end = map(json.loads, result.stdout.splitlines())
    assert (header["seed"], header["agent"], header["nonce"]) == ("CXQGWN36", "random", 3)
    assert decisions[0].keys() == {"step", "action", "explanation", "seconds", "measure", "candidates"}
    assert end["end"]["steps"] == len(decisions)


def test_it_stops_at_an_ante() -> None:
    arguments = ("--agent", "greedy", "--seed", seed_set("dev-100").seeds[5], "--json")
    text, whole = run(*arguments, "--until-ante", "2").stdout, run(*arguments).stdout
    end = json.loads(text.splitlines()[-1])["end"]
    assert (end["result"], end["ante"]) == ("open", 2)
    assert whole.startswith(text.rsplit("\n", 2)[0])


def test_every_kind_of_action_has_words() -> None:
    run = Run(seed="TESTSEED")
    run.debug_add_joker("j_joker")
    run.debug_add_consumable("c_fool")
    now = view(run)
    for kind in action_kinds():
        words = action_words(Action(kind), now)
        assert words
        assert "_" not in words
    assert action_words(Action("sell_joker"), now) == "sell Joker for $1"
    assert action_words(Action("skip_blind"), now) == "skip Small Blind for the Economy Tag"
    assert action_words(Action("buy", index=9), now) == "buy"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agent", "nobody"], 'no agent "nobody"'),
        (["--agent", "greedy", "--seed", "testseed"], 'Did you mean "TESTSEED"?'),
        (["--agent", "greedy", "--deck", "rde"], 'Did you mean "red"?'),
        (["--agent", "greedy", "--budget-ms", "5"], "has no options"),
        (["--agent", "greedy", "--delay", "1", "--step"], "either --delay or --step"),
        (["--agent", "greedy", "--record", "/no/such/folder/x"], "cannot be written"),
        (["--agent", "greedy", "--record", __file__], "left alone"),
        ([], "--agent"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: list[str], complaint: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert complaint in " ".join(result.stderr.split())
