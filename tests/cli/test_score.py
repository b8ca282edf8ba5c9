"""``jimbo score``."""

import json

import pytest
from click.testing import Result
from typer.testing import CliRunner

from jimbo.cli.main import app


def score(*words: str) -> Result:
    result = CliRunner().invoke(app, ["score", *words], env={"COLUMNS": "100"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_a_play_is_broken_down_and_judged() -> None:
    lines = score("hand: As Ad Kd 9h; jokers: Cavendish, Joker", "--cards", "As").stdout.splitlines()
    assert lines[0] == "High Card: A♠"
    assert "High Card: 16 x 7 = 112" in lines
    assert "Needs 188 more to beat the Small Blind: 300 needed." in lines
    assert "Better order of the jokers: Joker, Cavendish, 240 instead of 112." in lines
    assert "Best play: A♠ A♦, Pair, 320." in lines


def test_without_cards_the_best_play_is_scored() -> None:
    lines = score("hand: As Ad Kd 9h; jokers: Joker, Cavendish").stdout.splitlines()
    assert lines[0] == "Pair: A♠ A♦"
    assert "Beats the Small Blind: 300 needed." in lines
    assert lines[-1] == "No other play is expected to score more."


def test_chance_is_told_with_its_error() -> None:
    text = " ".join(score("hand: As Ad; jokers: Misprint; blind: The Hook").stdout.split())
    assert "Beats The Hook in " in text
    assert "By chance at most " in text
    assert " of 1,000 worlds." in text


def test_the_table_can_be_changed() -> None:
    words = ("--mute", "Cavendish", "--set", "Ride the Bus: mult 12")
    assert "Pair: 32 x 15 = 480" in score("hand: As Ad; jokers: Cavendish, Ride the Bus", *words).stdout


def test_programs_get_json() -> None:
    data = json.loads(score("hand: As Ad Kd; jokers: Cavendish, Joker", "--cards", "Kd", "--json").stdout)
    assert (data["schema"], data["cards"], data["hand"]) == ("score_v1", ["K♦"], "High Card")
    assert (data["expected"], data["missing"], data["beats"], data["worlds"]) == (105.0, 195.0, 0.0, 0)
    assert data["best"]["cards"] == ["A♠", "A♦"]
    assert data["orders"][0]["words"] == "Joker, Cavendish"
    assert data["breakdown"][0] == {"who": "High Card", "what": "level 1", "chips": 5.0, "mult": 1.0}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("hand: As", "--cards", "Kx"), '"Kx" (character 1, in cards) is no playing card. Write As, Kd, 10h or 2c.'),
        (("hand: As", "--cards", "Kd"), "There is no Kd left in the hand, which is A♠."),
        (("hand: As", "--cards", ""), "Select at least one card of the hand"),
        (("jokers: Baron",), "Cards are scored in a blind, and nothing is held while you are choosing a blind."),
        (("hand: As", "--at", "3"), "--at is for runs with their steps, and the position holds one state."),
        (("none.json",), "none.json cannot be read: No such file or directory."),
        (("hand: As Kd", "--mute", "Mime"), "Mime is not among the jokers."),
    ],
)
def test_what_cannot_be_scored_gets_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = score(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"jimbo: {sentence}")
