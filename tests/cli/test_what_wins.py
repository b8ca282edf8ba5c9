"""``jimbo what-wins`` as people call it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli.main import app
from jimbo.eval import worths

runner = CliRunner()


def test_a_page_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worths, "PER_ANTE", 1)
    out = tmp_path / "page.md"
    result = runner.invoke(app, ["what-wins", "--out", str(out), "--games", "1", "--stakes", "gold", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["files"][0] == str(out)
    assert "jimbo what-wins --games 1 --stakes gold" in out.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "nowhere/page.md"], "There is not a folder nowhere"),
        (["--out", "page.md", "--stakes", "platinum"], "platinum"),
        (["--out", "page.md", "--games", "1", "--model", "none.safetensors"], "cannot be read"),
    ],
)
def test_what_cannot_be_is_told(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = runner.invoke(app, ["what-wins", *arguments])
    assert result.exit_code not in (0, 1)
    assert words in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())
