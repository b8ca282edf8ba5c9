"""``jimbo assist``."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.agents import Considered, Decision
from jimbo.cli.main import app
from jimbo.data import read_record
from jimbo.data.game_files import read_game
from jimbo.engine import Action, PublicState

COMMAND = [sys.executable, "-c", "from jimbo.cli.entry import run; run()", "assist", "--seed", "TESTSEED"]


def run(*arguments: str, lines: str = "") -> Result:
    result = CliRunner().invoke(app, ["assist", *arguments], input=lines, env={"COLUMNS": "80"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


class Chooser:
    """Chooses by chance, as a network does; fails when it is told to."""

    fails = False

    def act(self, state: PublicState) -> Decision:
        if self.fails:
            raise KeyError("gone")
        legal = state.legal_actions()
        listed = tuple(Considered(action, 0.6 / 2**place, "", 0.5) for place, action in enumerate(legal[:4]))
        return Decision(legal[0], listed, measure="choice", win=0.25)


CHOOSER = f"{Chooser.__module__}:Chooser"


def test_once_tells_the_suggestions_and_ends() -> None:
    result = run("--once", "--seed", "TESTSEED", "--effort", "0.2")
    assert result.exit_code == 0
    text = result.stdout
    for part in (
        "expert effort=0.2 plays TESTSEED",
        "expert suggests",
        "chance to win",
        "▶1",
        "play Small Blind",
        "2  ",
    ):
        assert part in text
    assert "Economy Tag" in text
    assert max(map(len, text.splitlines())) <= 80


def test_probabilities_of_a_network_are_shown() -> None:
    text = run("--once", "--seed", "TESTSEED", "--agent", CHOOSER, "--topk", "1").stdout
    assert "chance to win 25.0 %" in " ".join(text.split())
    (row,) = (line for line in text.splitlines() if line.startswith("▶1"))
    assert row.split()[1:5] == ["60.0", "%", "50.0", "%"]


def test_once_as_json_is_one_line_with_the_state() -> None:
    (line,) = run("--once", "--json", "--seed", "TESTSEED", "--agent", CHOOSER, "--topk", "2").stdout.splitlines()
    data = json.loads(line)
    assert (data["schema"], data["win"], data["measure"]) == ("advice_v1", 0.25, "choice")
    assert [one["probability"] for one in data["suggestions"]] == [0.6, 0.3]
    assert PublicState.from_data(data["state"]).phase == "blind_select"


def test_execute_plays_to_the_end() -> None:
    text = run("--execute", "--agent", "greedy", "--seed", "CXQGWN36").stdout
    for part in ("▶ play Small Blind", "▶ buy Certificate for $6", "The Goad: not beaten", "The run is lost in ante 1"):
        assert part in text
    assert text.count("greedy suggests") == 16


def test_execute_as_json_tells_every_state_and_the_end() -> None:
    lines = run("--execute", "--json", "--agent", "greedy", "--seed", "CXQGWN36").stdout.splitlines()
    first, *states, end = map(json.loads, lines)
    assert first["done"] == []
    assert [len(state["done"]) for state in states] == [1] * 16
    assert states[-1]["over"]
    assert (end["end"]["result"], end["end"]["steps"]) == ("loss", 16)


def test_once_and_execute_carry_out_one_suggestion() -> None:
    text = run("--once", "--execute", "--agent", "greedy", "--seed", "CXQGWN36").stdout
    assert text.count("▶ ") == 1
    assert "▶ play Small Blind" in text
    first, second = map(json.loads, run("--once", "--execute", "--json", "--agent", "greedy").stdout.splitlines())
    assert (first["phase"], second["phase"]) == ("blind_select", "selecting_hand")


def test_lines_are_answered_without_a_terminal() -> None:
    result = run("--agent", "greedy", "--seed", "TESTSEED", lines="accept\nfoo\naccept\nundo\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("phase", "error") for answer in answers] == [
        "blind_select",
        "selecting_hand",
        "error",
        "selecting_hand",
        "selecting_hand",
    ]
    assert answers[1]["state"] == answers[4]["state"]


@pytest.mark.parametrize("end", ["", "q\n"])
@pytest.mark.parametrize("lesson", [(), ("--teach",), ("--teach", "--json")])
def test_a_run_that_is_played_by_lines_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lesson: tuple[str, ...], end: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    given = (*lesson, "--agent", "greedy", "--seed", "TESTSEED")
    told = run(*given, lines=f"n\nsave {tmp_path / 'mine.run'}\n{end}")
    assert read_game(tmp_path / "mine.run").state.phase == "selecting_hand"
    assert str(tmp_path / "mine.run") in told.stdout
    assert (told.stderr, (tmp_path / "state").exists()) == ("", False)  # nothing happened since
    told = run(*given, lines=f"n\n{end}")
    saved = tmp_path / "state" / "jimbo" / "TESTSEED.run"
    assert told.stderr.endswith(f"Resume with: jimbo play --load {saved}\n")
    assert [one.action.kind for one in read_game(saved).decisions] == ["select_blind"]
    assert run("--once", "--load", str(saved), "--agent", "greedy").exit_code == 0


def test_a_name_that_cannot_be_saved_in_is_answered(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    told = run("--agent", "greedy", lines=f"save {tmp_path / 'there'}\n").stdout.splitlines()
    assert "exists and is not a saved run, so it is left alone" in json.loads(told[-1])["error"]


def test_a_seed_may_be_typed_in_lower_case() -> None:
    assert "greedy plays TESTSEED" in run("--once", "--agent", "greedy", "--seed", "testseed").stdout


def test_a_lesson_compares_every_choice_and_sums_up() -> None:
    """The pair of nines and the one of fives are what greedy plays: 96; 16 for the ace gives much of it up."""
    text = run("--teach", "--agent", "greedy", "--seed", "TESTSEED", lines="n\naccept\np 1\nfoo\nl\nq\n").stdout
    for part in (
        "You chose: play Small Blind.",
        "The agent would have done the same.",
        "In a lesson you choose first",
        "You chose: play A♥.",
        "The agent would have chosen: play 9♠ 9♣ 5♣ 5♦.",
        '"foo" is not a command.',
        "Two Pair",
        "2 choices: 1 as the agent's",
        "Given up in all: ",
    ):
        assert part in " ".join(text.split()), part


def test_a_lesson_for_programs_hides_what_the_agent_thinks() -> None:
    answers = run("--teach", "--json", "--agent", CHOOSER, "--seed", "TESTSEED", lines="x\naccept\n").stdout
    first, second, refused, summary = map(json.loads, answers.splitlines())
    assert (first["suggestions"], first["win"], first["done"]) == ([], None, [])
    (done,) = second["done"]
    compared = done["compared"]
    assert (done["words"].split()[0], compared["best"], compared["same"]) == ("skip", "play Small Blind", False)
    assert compared["points"] == pytest.approx(summary["points"])
    assert "choose first" in refused["error"]
    assert (summary["schema"], summary["choices"], summary["same"]) == ("lesson_v1", 1, 0)


def test_a_record_can_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run("--agent", "greedy", "--seed", "TESTSEED", "--record", str(path), lines="accept\naccept 2\nd 1 2\nundo\n")
    record = read_record(path)
    assert [decision.action.kind for decision in record.decisions] == ["select_blind", "play", "discard"]
    assert [one.chosen for one in record.decisions[1].considered][:3] == [False, True, False]
    assert record.decisions[2].explanation == "the player's own choice"
    assert record.end
    assert (record.end.steps, record.end.result) == (3, "open")
    replayed = CliRunner().invoke(app, ["replay", str(path)])
    assert replayed.exit_code == 0
    assert "Confirmed" in replayed.stderr
    again = run("--once", "--record", str(path))
    assert (again.exit_code, again.stderr.endswith("already exists and is left alone. Choose another name.\n")) == (
        2,
        True,
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--backend", "real", "--execute"), "add --arm to say that you want that."),
        (
            ("--backend", "real", "--arm"),
            "--arm allows --execute and the keys of the screen to play, and does nothing without either.",
        ),
        (("--backend", "real", "--arm", "--execute", "--interval", "0.1"), "--interval must be at least 0.5"),
        (("--backend", "real", "--record", "x.rec"), "--record keeps what is carried out: add --execute, and --arm."),
        (("--backend", "real", "--seed", "A"), "--seed is about a new run, and --backend real continues the one"),
        (("--arm",), "--arm is about the real game: add --backend real."),
        (("--base-url", "127.0.0.1:9"), "--base-url is about the real game: add --backend real."),
        (("--backend", "real", "--base-url", "http://"), '"http://" is not an address such as http://127.0.0.1:12346.'),
        (("--backend", "moon"), 'There is no backend "moon". Choose sim, the simulator, or real.'),
        (("--agent", "greedy", "--model", "x.onnx"), "--model is about the agent network, not about greedy."),
        (("--agent", "nobody"), 'There is no agent "nobody".'),
        (("--teach",), "--teach leaves the choices to you: leave --once and --execute out."),
        (("--teach", "--backend", "real"), "--teach is about a run that is played here"),
        (("--teach", "--save", "x"), "--teach is about a run that is played here"),
        (("--interval", "-1"), "--interval takes seconds, a number from 0 to 3600, not -1."),
        (("--interval", "nan"), "--interval takes seconds, a number from 0 to 3600, not nan."),
        (("--seed", "no seed" * 5), "a seed of 35 bytes is not valid"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    result = run("--once", *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stdout == ""


def test_a_model_is_played_by_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def make(name: str, texts: list[str], effort: float | None) -> None:
        asked.append((name, texts, effort))
        raise ValueError("Enough.")

    monkeypatch.setattr("jimbo.cli.agent_flags.agent_from_flags", make)
    run("--once", "--model", "a/best.onnx", "--option", "x=1")
    run("--once", "--agent", "network", "--model", "b.onnx")
    run("--once")
    assert asked == [
        ("network", ["x=1", "model=a/best.onnx"], None),
        ("network", ["model=b.onnx"], None),
        ("expert", [], None),
    ]


def test_a_failing_agent_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Chooser, "fails", True)
    result = run("--execute", "--agent", CHOOSER, "--record", str(tmp_path / "run.jsonl"))
    assert result.exit_code == 1
    assert f"The agent {CHOOSER} failed in decision 1: KeyError: 'gone'" in result.stderr
    assert '"result": "open"' in (tmp_path / "run.jsonl").read_text()


def test_ctrl_c_keeps_what_was_done(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    options = ("--execute", "--agent", "greedy", "--interval", "30", "--record", str(path))
    process = subprocess.Popen([*COMMAND, *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _wait(lambda: path.exists() and len(path.read_text().splitlines()) > 1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (130, b"")
    record = read_record(path)
    assert [decision.action for decision in record.decisions] == [Action("select_blind")]
    assert record.end


# --- On a terminal ----------------------------------------------------------------------------------------------------


def _wait(true: object) -> None:
    ends = time.monotonic() + 30
    while not true():  # type: ignore[operator]
        assert time.monotonic() < ends, "nothing happened"
        time.sleep(0.05)


def on_terminal(keys: bytes, *options: str, without: str = "") -> tuple[int, str]:
    """The exit code and what came after the screen was given back, or all if there was none."""
    hidden = f"import sys; sys.modules[{without!r}] = None\n" if without else ""
    code = f"{hidden}from jimbo.cli.entry import run; run()"
    process, fd = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(sys.executable, [sys.executable, "-c", code, *COMMAND[3:], *options])
    output, pressed, ends = b"", False, time.monotonic() + 30
    while time.monotonic() < ends:
        if not select.select([fd], [], [], 0.2)[0]:
            continue
        try:
            output += os.read(fd, 65536)
        except OSError:  # the other end is closed
            break
        if not pressed and b"suggests" in output:
            pressed = True
            for key in keys:  # what a key does may open what the next is for
                os.write(fd, bytes([key]))
                time.sleep(0.7 if len(keys) > 1 else 0.0)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return status, output.decode(errors="replace").rpartition("\x1b[?1049l")[2]


def test_a_terminal_is_filled_until_q() -> None:
    status, after = on_terminal(b"q", "--agent", "greedy")
    assert status == 0
    assert "The run was left in ante 1, round 0, after 0 decisions." in after


@pytest.mark.parametrize(("keys", "status", "saved"), [(b"\rqy", 0, True), (b"\rqn", 0, False), (b"\r\x03", 130, True)])
def test_a_run_on_the_screen_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: bytes, status: int, saved: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found, after = on_terminal(keys, "--agent", "greedy")
    assert found == status
    path = tmp_path / "jimbo" / "TESTSEED.run"
    assert path.exists() is saved
    assert ("Resume with: jimbo play --load" in after) is saved
    if saved:
        assert read_game(path).state.phase == "selecting_hand"


def test_ctrl_c_leaves_the_screen() -> None:
    status, after = on_terminal(b"\x03", "--agent", "greedy")
    assert status == 130
    assert "Traceback" not in after


def test_without_textual_there_is_a_sentence() -> None:
    status, said = on_terminal(b"", without="textual")
    assert status == 2
    assert (
        'jimbo: textual is not installed: pip install ".[tui]" in a clone of Jimbo. '
        "Or choose --once, --execute or --json, which need nothing more." in said.replace("\r\n", " ").strip()
    )
