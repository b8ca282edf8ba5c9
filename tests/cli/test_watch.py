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

from jimbo.agents import Considered, Decision
from jimbo.agents.expert import ExpertAgent
from jimbo.cli.main import app
from jimbo.data import Ending
from jimbo.engine import Action, PublicState, Run
from jimbo.rollout import Moment, Rollout
from jimbo.serve.terminal.decision import ending_text, moment_text


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["watch", *arguments], env={"COLUMNS": "80"})


class Sure:
    """An agent with reasons, which fails when it is told to."""

    clairvoyant = False
    fails = False

    def act(self, state: PublicState) -> Decision:
        if state.phase == "blind_select":
            return Decision(Action("select_blind"))
        if self.fails:
            raise KeyError("gone")
        play, other = Action("play", cards=[0]), Action("discard", cards=[1, 2])
        considered = (Considered(play, 0.91, "", 0.9, 0.012), Considered(other, 0.5, "hopes", 0.25))
        return Decision(play, considered, "I am sure", measure="clear")


SURE = f"{Sure.__module__}:Sure"


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


def test_reasons_are_shown() -> None:
    text = run("--agent", SURE, "--seed", "TESTSEED").stdout
    assert "I am sure" in text
    lines = text.split("  I am sure\n")[1].splitlines()[:3]
    assert lines[0].split() == ["value", "clears", "considered,", "by", "clears", "and", "what", "they", "leave"]
    assert lines[1].startswith("  ▶  0.910  90.0 % +/- 1.2  play A♥")
    assert lines[2].startswith("     0.500          25.0 %  discard K♥ Q♦   hopes")
    assert "High Card: " in text


def considered(text: str) -> Iterator[tuple[str, list[str]]]:
    """The tables of what was considered: what their values are, and their lines."""
    for table in text.split("  considered, by ")[1:]:
        meaning, *lines = table.splitlines()
        yield meaning.strip(), list(itertools.takewhile(lambda line: line.startswith("  "), lines))


def test_the_expert_tells_its_reasons_best_first() -> None:
    text = run("--agent", "expert", "--seed", "ALEEB", "--until-ante", "2", "--effort", "0.12").stdout
    tables = list(considered(text))
    units = {
        "clears and what they leave": r"\d\.\d{3} ",
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
    assert re.search(r"  Keeps .*: .* or better\s+\d+\s%\s+of\s+the\s+time", text)
    assert "Nothing else can be done here." in text


def test_greedy_tells_scores() -> None:
    meaning, lines = next(considered(run("--agent", "greedy", "--seed", "TESTSEED").stdout))
    assert meaning == "the expected score"
    assert lines[0].split() == ["▶", "96", "play", "9♠", "9♣", "5♣", "5♦", "Two", "Pair"]


def test_the_chosen_one_is_always_listed() -> None:
    """It may be one of many, and not the best; its first action may be that of others, too."""
    now = Run(seed="TESTSEED").public_state()
    action = Action("select_blind")
    many = tuple(Considered(action, -place, f"way {place}", chosen=place == 9) for place in range(12))
    console = Console(file=io.StringIO(), width=80)
    console.print(moment_text(Moment(1, now, Decision(action, many), (), now), 80))
    assert isinstance(console.file, io.StringIO)
    lines = next(considered(console.file.getvalue()))[1]
    assert [line.split()[-1] for line in lines] == ["0", "1", "2", "3", "4", "5", "9"]
    assert [line for line in lines if "▶" in line] == [lines[-1]]


def test_a_won_run_is_won_in_ante_8() -> None:
    """Beating its boss begins ante 9, where nobody has won anything."""
    end = Ending(result="win", ante=9, round=24, steps=1, public_hash="0")
    assert str(ending_text(end)) == "The run is won in ante 8, round 24, after 1 decision."
    assert str(ending_text(replace(end, result="loss"))) == "The run is lost in ante 9, round 24, after 1 decision."


def test_a_failing_agent_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Sure, "fails", True)
    result = run("--agent", SURE, "--seed", "TESTSEED", "--record", str(tmp_path / "run.jsonl"))
    assert result.exit_code == 1
    assert f"The agent {SURE} failed in decision 2: KeyError: 'gone'" in result.stderr
    assert '"result": "open"' in (tmp_path / "run.jsonl").read_text()


def test_only_an_agent_that_cheats_sees_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(
        Sure, "act", lambda _, state: seen.append(state.imagine(0).to_json()) or Decision(Action("play"))
    )
    for cheats in (True, False):
        monkeypatch.setattr(Sure, "clairvoyant", cheats)
        run("--agent", SURE, "--seed", "TESTSEED")
    assert [text == Run(seed="TESTSEED").to_json() for text in seen] == [True, False]


def test_json_is_the_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    result = run("--agent", "random", "--seed", "CXQGWN36", "--nonce", "3", "--record", str(path), "--json")
    assert result.stdout == path.read_text()
    header, *decisions, end = map(json.loads, result.stdout.splitlines())
    assert (header["seed"], header["agent"], header["nonce"]) == ("CXQGWN36", "random", 3)
    assert decisions[0].keys() == {"step", "action", "explanation", "seconds", "measure", "win", "candidates"}
    assert end["end"]["steps"] == len(decisions)


def test_deck_and_stake_are_those_that_were_asked_for() -> None:
    result = run("--agent", "random", "--seed", "TESTSEED", "--deck", "magic", "--stake", "gold", "--json")
    header = json.loads(result.stdout.splitlines()[0])
    assert (header["deck"], header["stake"]) == ("b_magic", "stake_gold")


def test_a_challenge_is_watched_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    arguments = ("--agent", "greedy", "--seed", "TESTSEED", "--challenge", "five_card", "--record", str(path))
    assert "greedy plays TESTSEED   Five-Card Draw · White Stake" in run(*arguments).stdout
    header = json.loads(path.read_text().splitlines()[0])
    assert (header["challenge"], header["deck"]) == ("c_five_card_1", "b_challenge")
    replayed = CliRunner().invoke(app, ["replay", str(path)])
    assert replayed.exit_code == 0
    assert "Confirmed: all " in replayed.stderr


def test_an_agent_that_is_shown_everything_is_shown_it_here_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def play_the_seed(self: Sure, state: PublicState) -> Decision:
        assert state.imagine(0).seed == "TESTSEED"
        return Decision(Action("select_blind") if state.phase == "blind_select" else Action("play", cards=[0]))

    monkeypatch.setattr(Sure, "act", play_the_seed)
    assert run("--agent", SURE, "--seed", "TESTSEED").exit_code == 1
    monkeypatch.setattr(Sure, "clairvoyant", True)
    assert run("--agent", SURE, "--seed", "TESTSEED").exit_code == 0


def test_the_expert_is_shown_what_is_hidden_by_its_option_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def look(self: ExpertAgent, state: PublicState, /) -> Decision:
        seen.append(state.imagine(0).to_json())
        raise KeyError("seen enough")

    monkeypatch.setattr(ExpertAgent, "act", look)
    for option in ("clairvoyant=true", "clairvoyant=false", "effort=1"):
        assert run("--agent", "expert", "--seed", "TESTSEED", "--option", option).exit_code == 1
    assert [text == Run(seed="TESTSEED").to_json() for text in seen] == [True, False, False]


def test_an_agent_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def sort(self: Sure, state: PublicState) -> Decision:
        return Decision(Action("select_blind" if state.phase == "blind_select" else "sort_hand_by_rank"))

    monkeypatch.setattr(Sure, "act", sort)
    monkeypatch.setitem(Rollout.play.__kwdefaults__, "max_steps", 10)
    result = run("--agent", SURE, "--seed", "TESTSEED")
    assert result.exit_code == 0
    assert "The run was left in ante 1, round 1, after 10 decisions." in result.stdout
