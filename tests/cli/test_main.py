"""The command line as a whole."""

from typer.testing import CliRunner

import jimbo
from jimbo.cli.main import app


def test_version_prints_the_installed_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output == f"jimbo {jimbo.__version__}\n"


def test_unknown_verb_is_an_input_error() -> None:
    result = CliRunner().invoke(app, ["no-such-verb"])
    assert result.exit_code == 2
