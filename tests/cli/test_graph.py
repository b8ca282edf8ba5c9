"""``jimbo graph`` as people call it: games become a graph, the graph answers and becomes files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jimbo.cli.main import app

pytest.importorskip("ladybug")
runner = CliRunner()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph")
    games = []
    for stake in ("white", "gold"):
        games += ["--games", str(folder / f"{stake}.parquet")]
        played = ["rollout", "--agent", "fast", "--set", "rollouts=2", "--stake", stake, "--games", "15"]
        result = runner.invoke(app, [*played, "--workers", "1", "--out", games[-1]])
        assert result.exit_code == 0, result.output
    out = folder / "knowledge.lbug"
    result = runner.invoke(app, ["graph", "build", *games, "--trials", "30", "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["games"] == 30
    assert told["sizes"]["GameSession"] == 30
    assert told["sizes"]["Joker"] == 150
    assert Path(told["embedding"]).exists()
    return out


def asked(*arguments: str) -> tuple[int, str, str]:
    result = runner.invoke(app, ["graph", *arguments])
    return result.exit_code, result.stdout, " ".join(result.output.split())


def test_every_question_is_answered_in_json_and_in_a_table(built: Path) -> None:
    for question, given in (
        ("synergies", ["--owned", "baron,Sock and Buskin,j_mime"]),
        ("paths", ["--owned", "baron"]),
        ("best-additions", ["--owned", "j_baron,j_mime", "--budget", "8"]),
        ("required-cards", ["--owned", "baron"]),
        ("jokers-for-deck", ["--cards", "kings,Steel cards"]),
        ("jokers-for-hand", ["--hands", "flush,Two Pair"]),
        ("clusters", []),
        ("triangles", []),
        ("anti-synergies", ["--owned", "stencil"]),
        ("transitions", []),
    ):
        code, out, said = asked("ask", question, *given, "--least", "0", "--graph", str(built), "--json")
        assert code == 0, said
        data = json.loads(out)
        assert (data["question"], data["stake"]) == (question, "stake_white")
        code, out, said = asked("ask", question, *given, "--least", "0", "--graph", str(built), "--stake", "gold")
        assert code == 0, said
        assert out.strip()


def test_the_graph_becomes_a_page_and_files(built: Path) -> None:
    for name, more in (("page.md", "page-white-graph.svg"), ("graph.cypher", ""), ("small.json", ""), ("tables", "")):
        out = built.with_name(name)
        code, _, said = asked("export", "--graph", str(built), "--out", str(out))
        assert code == 0, said
        assert f"Written: {built.parent}" in said
        assert out.exists()
        assert not more or built.with_name(more).read_text().startswith("<svg")
    page = built.with_name("page.md").read_text()
    assert "## White Stake" in page
    assert "From 15 games of `fast rollouts=2`" in page
    assert json.loads(built.with_name("small.json").read_text())["stakes"][0]["games"] == 15
    assert (built.with_name("tables") / "SYNERGIZES_WITH.parquet").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask", "synergies"], "synergies needs --owned."),
        (["ask", "riddles"], 'There is no question "riddles". Choose one of synergies, paths'),
        (["ask", "synergies", "--owned", "barron"], 'There is no joker "barron".'),
        (["ask", "synergies", "--owned", ","], "--owned names no joker"),
        (["ask", "synergies", "--owned", "v_blank"], 'There is no joker "v_blank".'),
        (["ask", "jokers-for-deck", "--cards", "stars"], 'There is no kind of cards "stars".'),
        (["ask", "jokers-for-hand", "--hands", "full"], 'There is no poker hand "full".'),
        (["ask", "synergies", "--owned", "baron", "--stake", "platinum"], "platinum"),
        (["export", "--out", "page.txt"], "ends neither in .cypher, .json nor .md"),
        (["export", "--out", "nowhere/page.md"], "There is not a folder nowhere"),
        (["serve-check", "--url", "localhost"], "There is no graph localhost."),
        (["serve-check", "--url", "bolt://127.0.0.1:9"], "does not answer"),
    ],
)
def test_what_cannot_be_is_told(arguments: list[str], words: str, built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(built.parent)
    code, _, said = asked(*arguments)
    assert code == 2
    assert words in said
    assert not Path("page.txt").exists()


def test_without_a_graph_or_games_a_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments, words in (
        (["ask", "clusters"], "There is no graph knowledge.lbug. Make one with jimbo graph build"),
        (["build", "--games", "none.parquet"], "none.parquet cannot be read"),
        (["build", "--games", "none.parquet", "--out", "nowhere/x.lbug"], "nowhere"),
    ):
        code, _, said = asked(*arguments)
        assert code == 2, said
        assert words in said
    assert not list(tmp_path.iterdir())
