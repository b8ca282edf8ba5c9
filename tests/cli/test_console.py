"""What consoles make of colours and characters, on every terminal."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.color import Color
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

import jimbo
from jimbo import colours
from jimbo.ascii_signs import ascii_text
from jimbo.cli.main import app
from jimbo.console import THEME, make_console, make_progress

SOURCES = Path(jimbo.__file__).parent
PALETTE = {name: style for name, style in vars(colours).items() if name.isupper() and name != "PLAIN"}


# --- Colours ----------------------------------------------------------------------------------------------------------


def luminance(style: str) -> float:
    """As the Web Content Accessibility Guidelines have it, of the colour that terminals show by this number."""
    parts = (part / 255 for part in Color.parse(style).get_truecolor())
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", PALETTE)
@pytest.mark.parametrize("background", ["#000000", "#ffffff", "#1e1e1e", "#fdf6e3"])
def test_every_colour_can_be_read_on_dark_and_on_light(name: str, background: str) -> None:
    dark, light = sorted((luminance(PALETTE[name]), luminance(background)))
    assert (light + 0.05) / (dark + 0.05) >= (3.3 if background in ("#000000", "#ffffff") else 3.0)


def test_no_other_colours_are_used() -> None:
    """A named colour is whatever the terminal makes of it. ("white" is a stake.)"""
    words = "bold|not|italic|strike|dim|(?:bright_)?(?:red|green|yellow|blue|magenta|cyan|white|black)"
    styles = re.compile(rf'"((?:{words})(?: (?:{words}))*)"')
    for path in (*(SOURCES / "cli").rglob("*.py"), *(SOURCES / "serve").rglob("*.py")):
        for style in styles.findall(path.read_text(encoding="utf-8")):
            assert style == "white" or not set(style.split()) - {"bold", "not", "italic", "strike"}, path


def test_colours_reach_terminals_of_few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers say "xterm" and mean "xterm-256color"."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("COLORTERM", raising=False)
    for term, system in (("xterm", "256"), ("screen", "256"), ("xterm-256color", "256"), ("linux", "standard")):
        monkeypatch.setenv("TERM", term)
        assert make_console().color_system == system
    monkeypatch.setenv("TERM", "dumb")
    assert make_console().color_system is None


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    style = f"underline {colours.RED}"  # used nowhere else: rich keeps the codes of a style that it has shown
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    make_console().print(Text("A♥", style=style))
    assert capsys.readouterr().out == "\x1b[4;38;5;196mA♥\x1b[0m\n"
    monkeypatch.setenv("NO_COLOR", "1")
    make_console().print(Text("A♥", style=style))
    assert capsys.readouterr().out == "\x1b[4mA♥\x1b[0m\n"


# --- Characters -------------------------------------------------------------------------------------------------------


def test_every_character_has_a_likeness_of_its_width() -> None:
    drawn = set("".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")))
    for char in sorted(drawn - set(map(chr, range(128)))):
        likeness = ascii_text(char)
        assert likeness.isascii()
        assert len(likeness) == 1
        assert likeness != "?", f"{char} has no likeness in jimbo.ascii_signs"
    assert ascii_text("10♥ é 日") == "10H ? ??"


@pytest.mark.parametrize("total", [None, 8])
def test_bars_are_ascii_where_nothing_else_is_shown(total: int | None) -> None:
    for encoding in ("utf-8", "ascii"):
        written = io.BytesIO()
        out = io.TextIOWrapper(written, encoding=encoding)
        console = Console(file=out, force_terminal=True, width=100, legacy_windows=False, theme=THEME)
        with make_progress(console, "{task.completed:.0f} seeds") as bars:
            bars.update(bars.add_task("Games", total=total), completed=3, refresh=True)
        out.flush()
        shown = written.getvalue().decode(encoding)
        assert "3 seeds" in Text.from_ansi(shown).plain
        assert shown.isascii() == (encoding == "ascii")


PLAIN_TERMINALS: tuple[dict[str, str], ...] = (
    {"LANG": "C"},
    {"LC_ALL": "POSIX"},
    {"LANG": "en_US.ISO-8859-1"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "cp437"},
)
FIRST_STEPS = "n\np 4567\ni 1\n?\nl\ndk\nsort suit\np 9\nq\nn\n"


def jimbo_command(arguments: list[str], stdin: str = "", **environment: str) -> tuple[int, str, str]:
    """In a process of its own: the streams of this one belong to the tests."""
    command = [sys.executable, "-c", "from jimbo.cli.main import app; app()", *arguments]
    done = subprocess.run(
        command,
        input=stdin.encode(),
        capture_output=True,
        env={**os.environ, "COLUMNS": "80", **environment},
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_terminal_without_utf8_gets_ascii() -> None:
    """Line by line what others see, with one character for another: nothing is lost, and columns stay in line."""
    code, out, err = jimbo_command(["play", "--seed", "TESTSEED"], FIRST_STEPS)
    assert "│  9♠ │" in out
    for environment in PLAIN_TERMINALS:
        plain = jimbo_command(["play", "--seed", "TESTSEED"], FIRST_STEPS, **environment)
        assert plain == (code, ascii_text(out), err), environment


@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "utf-8"}, {"PYTHONUTF8": "1"}, {"LC_CTYPE": "C.UTF-8"}])
def test_who_asks_for_utf8_gets_it(environment: dict[str, str]) -> None:
    locale = {} if "LC_CTYPE" in environment else {"LANG": "C"}
    assert "♥" in jimbo_command(["play", "--seed", "TESTSEED"], "n\n", **{**locale, **environment})[1]


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A recorded run."""
    watch = ["watch", "--agent", "greedy", "--seed", "CXQGWN36", "--record", str(tmp_path / "run.jsonl")]
    assert jimbo_command(watch)[0] == 0
    return tmp_path


def without_times(text: str) -> str:
    """Speeds differ from one run to the next, and with them the width of their columns."""
    return " ".join(re.sub(r"[\d.,]*\d", "0", text).split())


@pytest.mark.parametrize(
    ("arguments", "timed"),
    [
        (["watch", "--agent", "greedy", "--seed", "CXQGWN36"], False),
        (["watch", "--agent", "expert", "--seed", "ALEEB", "--until-ante", "2", "--effort", "0.04"], False),
        (["watch", "--agent", "greedy", "--seed", "CXQGWN36", "--json"], True),
        (["replay", "run.jsonl"], False),
        (["replay", "run.jsonl", "--json"], False),
        (["seed", "show", "66HETU9", "--antes", "1-2"], False),
        (["seed", "find", "--has", "j_blueprint", "--limit", "2"], True),
        (["seed", "find", "--has", "j_blueprnt"], False),
        (["eval", "--agent", "greedy", "--seeds", "2", "--workers", "1"], True),
        (["--help"], False),
    ],
    ids=lambda value: " ".join(value[:3]) if isinstance(value, list) else "",
)
def test_every_verb_degrades(arguments: list[str], timed: bool, inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inputs)
    code, out, err = jimbo_command(arguments)
    plain_code, plain_out, plain_err = jimbo_command(arguments, LANG="C")
    assert plain_code == code
    assert (plain_out + plain_err).isascii()
    assert "Traceback" not in plain_err
    same = without_times if timed else str
    assert same(plain_out) == same(ascii_text(out))
    assert same(plain_err) == same(ascii_text(err))


@pytest.mark.parametrize("verb", ["bench", "eval", "play", "replay", "seed find", "seed show", "watch"])
def test_help_degrades(verb: str) -> None:
    result = CliRunner().invoke(app, [*verb.split(), "--help"], env={"LANG": "C", "COLUMNS": "80"})
    assert result.exit_code == 0
    assert result.output.isascii()
    assert "\nOptions:\n" in result.output


# --- Bars -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("terminal", [True, False])
def test_bars_tell_how_far_work_is_on_terminals_alone(terminal: bool) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=100, legacy_windows=False)
    with make_progress(console, "{task.completed:.0f} of {task.total:.0f} [{task.fields[what]}]") as bars:
        bars.update(bars.add_task("Games [1]", total=8, what="played"), completed=3, refresh=True)
    shown = Text.from_ansi(out.getvalue()).plain
    assert ("Games [1]" in shown and "3 of 8 [played]" in shown) == terminal
    assert terminal or shown == ""
