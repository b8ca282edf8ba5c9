"""The command line as a whole."""

import pytest
import typer
from typer.testing import CliRunner

import jimbo
from jimbo.cli.errors import fail
from jimbo.cli.main import app


def test_version_prints_the_installed_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output == f"jimbo {jimbo.__version__}\n"


def test_unknown_verb_is_an_input_error() -> None:
    result = CliRunner().invoke(app, ["no-such-verb"])
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("there is none", "there is none."),
        ("Allowed are red, erratic..", "Allowed are red, erratic."),
        ('Did you mean "red"?', 'Did you mean "red"?'),
    ],
)
def test_complaints_end_with_one_full_stop(message: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        fail(message)
    assert capsys.readouterr().err == f"jimbo: {told}\n"
