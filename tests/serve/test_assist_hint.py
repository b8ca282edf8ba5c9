"""``hint`` in ``jimbo play``."""

from typer.testing import CliRunner

from jimbo.cli.main import app


def play(*lines: str) -> str:
    typed = "".join(f"{line}\n" for line in (*lines, "q", "n"))
    result = CliRunner().invoke(app, ["play", "--seed", "TESTSEED"], input=typed, env={"COLUMNS": "80"})
    assert result.exit_code == 0, result.exception
    return result.stdout


def test_a_hint_tells_what_the_expert_would_do_and_changes_nothing() -> None:
    output = play("hint", "n", "hint", "")
    _, blind, hand = output.split("> hint\n")
    hand, look = hand.split("\n> \n")
    assert blind.startswith("expert suggests   Ante 1 · Choose a blind   chance to win")
    assert "▶1" in blind
    assert hand.startswith("expert suggests   Ante 1 · Small Blind\n")
    assert " clears " in hand
    assert "0 of 300" in look


def test_the_help_has_a_word_about_it() -> None:
    assert "hint       what the expert would do, and why" in play("?")
