"""docs/review.md and its picture show the review as it is."""

import importlib.util
import re
from pathlib import Path

import pytest

from jimbo.serve.review import Judge, explained, review_data, review_run

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawn() -> object:
    spec = importlib.util.spec_from_file_location("picture", ROOT / "docs" / "picture.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_shows_the_review_as_it_is(drawn: object) -> None:
    """``python docs/picture.py`` draws it anew."""
    assert drawn.review_picture() == (ROOT / "docs" / "review.svg").read_text(encoding="utf-8")  # type: ignore[attr-defined]


def test_its_fields_are_those_of_the_json(drawn: object) -> None:
    run = drawn.reviewed_run()  # type: ignore[attr-defined]
    made = review_run(run, Judge("fast", {}, 0.01))
    data = review_data(made, explained(made, 1))
    section = PAGE.partition("## JSON")[2].partition("## In Python")[0]
    heads = {
        name
        for line in section.splitlines()
        for name in re.findall(r"`(\w+)`", line.split("|")[1] if "|" in line else "")
    }
    assert heads == set(data) - {"schema"}
    rows = {line.split("|")[1].strip(" `"): line for line in section.splitlines() if line.startswith("| `")}
    for name in ("worst", "decisions"):
        assert set(data[name][0]) <= set(re.findall(r"`(\w+)`", rows[name]))


def test_its_python_prints_what_the_picture_shows(
    drawn: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from jimbo.data.record import Header
    from jimbo.data.record_files import RecordFile

    run = drawn.reviewed_run()  # type: ignore[attr-defined]
    monkeypatch.chdir(tmp_path)
    with RecordFile.create(
        Path("run.jsonl"), Header(seed="ALEEB", deck="b_red", stake="stake_gold", agent="fast")
    ) as file:
        for step, decision in enumerate(run.taken(), 1):
            file.add(step, decision)
    code = PAGE.partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "docs/review.md", "exec"), {})
    assert capsys.readouterr().out == "88% [230, 163, 83]\n"
