"""``jimbo review``: text, JSON, the page, retries."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli import review as verb
from jimbo.cli.main import app
from jimbo.data.game_files import read_game
from jimbo.data.record import public_hash
from jimbo.serve.review import judgements, read_run

RUN = ("watch", "--agent", "random", "--seed", "REVIEW1", "--json", "--record")
QUICK = ("--effort", "0.05", "--workers", "1")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run.jsonl"
    assert CliRunner().invoke(app, [*RUN, str(path)]).exit_code == 0
    return path


def run(*words: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["review", *map(str, words)])
    return done.exit_code, done.stdout, done.stderr


def test_the_summary_and_the_worst_decisions(record: Path) -> None:
    code, out, _ = run(record, "--top", 2, *QUICK)
    text = " ".join(out.split())
    assert code == 0
    assert "lost in ante 1, 7 decisions" in text
    assert re.search(r"skill the choices gave up \d+\.\d points luck the cards gave", text)
    assert re.search(r"7 Ante 1 · Small Blind: gave up \d+\.\d points \+/- \d+\.\d of \d+\.\d %, a blunder", text)
    assert text.count(" done ") == 2
    assert " better " in text
    assert " why " in text


def test_json_is_the_review_and_nothing_else(record: Path) -> None:
    code, out, _ = run(record, "--json", "--top", 0, *QUICK)
    data = json.loads(out)
    assert code == 0
    assert data["schema"] == "review_v1"
    assert data["worst"] == []
    assert len(data["decisions"]) == 7


def test_nothing_is_said_of_the_worst_where_none_is_asked_for(record: Path) -> None:
    _, out, _ = run(record, "--top", 0, *QUICK)
    assert "a blunder" in run(record, "--top", 1, *QUICK)[1]
    assert "No decision gave anything up" not in " ".join(out.split())


def test_the_page_needs_nothing_else(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    code, _, err = run(record, "--html", page, *QUICK)
    text = page.read_text()
    assert code == 0
    assert f"The page is {page}." in err
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert not re.search(r"\bsrc=|<link|@import|url\(|fetch\(|XMLHttpRequest", text)
    links = set(re.findall(r'href="#(\w+)"', text))
    names = set(re.findall(r'id="(\w+)"', text))
    assert links
    assert links <= names
    assert re.findall(r'href="(?!#)', text) == []
    assert "prefers-color-scheme: dark" in text
    assert "keydown" in text
    assert text.count('<circle cx="') == text.count('data-lost="1"') > 0


def test_what_a_file_says_cannot_become_part_of_the_page(record: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text(record.read_text().replace('"agent": "random"', '"agent": "<script>alert(1)</script>"'))
    page = tmp_path / "review.html"
    assert run(odd, "--html", page, *QUICK)[0] == 0
    assert "<script>alert" not in page.read_text()
    assert "&lt;script&gt;alert" in page.read_text()


def test_a_run_is_retried_from_a_decision(record: Path, tmp_path: Path) -> None:
    out = tmp_path / "retry.run"
    code, told, _ = run(record, "--retry", 5, "--out", out)
    assert code == 0
    assert f"jimbo play --load {out}" in told
    there = read_run(record).positions[4].state
    assert public_hash(read_game(out).state) == public_hash(there)
    code, _, err = run(record, "--retry", 5, "--out", out)
    assert code == 2
    assert "retry.run exists and holds another game, so it is left alone" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--retry", "8"), "there is no decision 8: the run has 1 to 7"),
        (("--out", "x.run"), "--out says where --retry saves the run"),
        (("--game", "2"), "holds one run. Leave --game out."),
        (("--set", "clairvoyant=true"), "must see what is hidden"),
        (("--agent", "nobody"), 'There is no agent "nobody"'),
        (("--html", "/nowhere/at/all/x.html", "--top", "0"), "/nowhere"),
    ],
)
def test_bad_input_gets_a_sentence(record: Path, words: tuple[str, ...], says: str) -> None:
    code, out, err = run(record, *words)
    assert code == 2
    assert out == ""
    assert says in " ".join(err.split())


def test_other_agents_can_say_what_is_better(record: Path) -> None:
    for agent in ("fast", "greedy"):
        code, out, _ = run(record, "--agent", agent, "--json", *QUICK)
        assert code == 0
        assert json.loads(out)["agent"] == agent


def test_what_is_done_is_shown_when_it_is_stopped(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> object:
        for number, one in enumerate(judgements(*given)):  # type: ignore[arg-type]
            if number == 3:
                raise KeyboardInterrupt
            yield one

    monkeypatch.setattr(verb, "judgements", interrupted)
    code, out, _ = run(record, "--top", 0, *QUICK)
    assert code == 130
    assert "The first 2 of 7 decisions are reviewed" in " ".join(out.split())
