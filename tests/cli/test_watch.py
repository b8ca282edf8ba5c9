"""``jimbo watch``."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.agents import Candidate, Decision, registry
from jimbo.backends import PublicView
from jimbo.cli.main import app
from jimbo.cli.watch_text import ending_text
from jimbo.cli.watch_words import action_words
from jimbo.engine import action_kinds
from jimbo.engine.run import Action, Run, view
from jimbo.eval import recording, seed_set


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["watch", *arguments], env={"COLUMNS": "80"})


class Sure:
    """An agent with reasons, which fails when it is told to."""

    name = "sure"
    clairvoyant = False
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
        return Decision(play, candidates, "I am sure")


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> type[Sure]:
    monkeypatch.setitem(registry._AGENTS, "sure", (registry.NoOptions, lambda _: Sure()))
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
    assert "90.0 ± 1.2 %" in text
    assert "0.910" in text
    assert "25.0 %" in text
    assert "hopes" in text
    assert "High Card: " in text


def test_a_failing_agent_is_named(sure: type[Sure], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sure, "fails", True)
    result = run("--agent", "sure", "--seed", "TESTSEED", "--record", str(tmp_path / "run.jsonl"))
    assert result.exit_code == 1
    assert "The agent failed in decision 2: KeyError: 'gone'" in result.stderr
    assert '"result": "open"' in (tmp_path / "run.jsonl").read_text()


def test_only_an_agent_that_cheats_sees_what_is_hidden(sure: type[Sure], monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(sure, "act", lambda _, view: seen.append(view.seen.to_json()) or Decision(Action("play")))
    for cheats in (True, False):
        monkeypatch.setattr(sure, "clairvoyant", cheats)
        run("--agent", "sure", "--seed", "TESTSEED")
    assert [text == Run(seed="TESTSEED").to_json() for text in seen] == [True, False]


def test_json_is_the_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    result = run("--agent", "random", "--seed", "CXQGWN36", "--nonce", "3", "--record", str(path), "--json")
    assert result.stdout == path.read_text()
    header, *decisions, end = map(json.loads, result.stdout.splitlines())
    assert (header["seed"], header["agent"], header["nonce"]) == ("CXQGWN36", "random", 3)
    assert decisions[0].keys() == {"step", "action", "explanation", "seconds", "candidates"}
    assert end["end"]["steps"] == len(decisions)


def test_a_challenge_is_watched_and_recorded(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    arguments = ("--agent", "greedy", "--seed", "TESTSEED", "--challenge", "five_card", "--record", str(path))
    assert "greedy plays TESTSEED   Five-Card Draw · White Stake" in run(*arguments).stdout
    header = json.loads(path.read_text().splitlines()[0])
    assert (header["challenge"], header["deck"]) == ("c_five_card_1", "b_challenge")
    replayed = CliRunner().invoke(app, ["replay", str(path)])
    assert replayed.exit_code == 0
    assert "Confirmed: all " in replayed.stderr


def test_an_agent_that_is_shown_everything_is_shown_it_here_too(
    sure: type[Sure], monkeypatch: pytest.MonkeyPatch
) -> None:
    def play_the_seed(self: Sure, view: PublicView) -> Decision:
        assert json.loads(view.seen.to_json())["rng"]["seed"] == "TESTSEED"
        return Decision(Action("select_blind") if view.phase == "blind_select" else Action("play", cards=[0]))

    monkeypatch.setattr(sure, "act", play_the_seed)
    assert run("--agent", "sure", "--seed", "TESTSEED").exit_code == 1
    monkeypatch.setattr(sure, "clairvoyant", True)
    assert run("--agent", "sure", "--seed", "TESTSEED").exit_code == 0


def test_an_agent_without_end_is_stopped(sure: type[Sure], monkeypatch: pytest.MonkeyPatch) -> None:
    def sort(self: Sure, view: PublicView) -> Decision:
        return Decision(Action("select_blind" if view.phase == "blind_select" else "sort_hand_by_rank"))

    monkeypatch.setattr(sure, "act", sort)
    monkeypatch.setattr(recording, "MOST_STEPS", 10)
    result = run("--agent", "sure", "--seed", "TESTSEED")
    assert result.exit_code == 0
    assert "The run is left in ante 1, round 1, after 10 decisions." in result.stdout


def test_a_won_run_is_won_in_ante_8() -> None:
    end = recording.Ending(result="win", ante=9, round=24, steps=300, state_hash="0")
    assert ending_text(end).plain == "The run is won in ante 8, round 24, after 300 decisions."


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
        (["--agent", "greedy", "--challenge", "omelete"], 'Did you mean "omelette"?'),
        (["--agent", "greedy", "--challenge", "omelette", "--deck", "red"], "A challenge brings its own deck"),
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
