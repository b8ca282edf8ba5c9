"""docs/coverage.csv and docs/coverage.md say what is there, and claim nothing that is not."""

from __future__ import annotations

import csv
import io
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

import coverage_page as page
import mechanics_evidence as evidence
from conformance.hand_setup import HandSetup, SetupCard, SetupJoker
from jimbo.engine import Action, Run
from rules.scene import Live, Scene

REFERENCE = page.ROOT / os.environ.get("JIMBO_CONFORMANCE", "../shared/conformance")
needs_reference = pytest.mark.skipif(not REFERENCE.is_dir(), reason=f"{REFERENCE} is not there")


@pytest.fixture(scope="module")
def made() -> list[page.Mechanic]:
    return page.mechanics(page.known(page.TABLE.read_text(encoding="utf-8")))


def test_both_files_are_up_to_date(made: list[page.Mechanic]) -> None:
    """If not: python tools/coverage_page.py."""
    assert page.TABLE.read_text(encoding="utf-8") == page.as_csv(made)
    assert page.PAGE.read_text(encoding="utf-8") == page.as_page(made)


def test_every_item_is_there_and_has_a_scenario(made: list[page.Mechanic]) -> None:
    assert len(made) == sum(len(facts) for facts, _ in page.KINDS.values()) - 2
    assert [row.key for row in made if "scenario" not in row.evidence] == []
    assert all((page.ROOT / "engine" / file).is_file() for row in made for file in row.rule.split())
    assert all((page.ROOT / "tests" / "rules" / file).is_file() for row in made for file in row.test_files.split())


def test_nothing_is_claimed_without_its_evidence(made: list[page.Mechanic]) -> None:
    rows = list(csv.DictReader(io.StringIO(page.TABLE.read_text(encoding="utf-8"))))
    for row in rows:
        claimed = row["evidence"].split()
        assert ("recording" in claimed) == (int(row["recorded"]) > 0)
        assert ("corpus" in claimed) == (int(row["scored"]) + int(row["traced"]) > 0)
        assert ("scenario" in claimed) == (int(row["failing_without"]) > 0)
        assert ("hypothesis" in claimed) == bool(row["hypotheses"])
    bare = replace(made[0], failing_without=0, recorded=0, scored=0, traced=0, hypotheses="")
    assert bare.evidence == []


def test_open_points_belong_to_the_items_that_they_name(made: list[page.Mechanic]) -> None:
    points = {row.name: row.hypotheses for row in made}
    assert points["Marble Joker"] == "Marble Joker"
    assert points["Joker"] == ""
    assert points["Cryptid"].count(";") == 1
    assert points["Grim"] == "Cryptid, Grim, Familiar, Incantation"


def test_what_acts_in_a_step() -> None:
    scene = Live(Scene(jokers=["j_joker", "j_four_fingers"], hand="KS/glass KH#Gold 2D", blind="bl_small"))
    with evidence.watched() as seen:
        scene.play("KS KH")
    assert {"j_joker", "m_glass", "seal_gold", "Pair"} <= seen.keys()
    assert "j_four_fingers" not in seen
    with evidence.watched() as seen:
        Run(deck="b_red", stake="white", seed="A").step(Action("select_blind"))
    assert dict(seen) == {"bl_small": 1}


def test_what_matters_in_a_scored_hand() -> None:
    cards = [SetupCard("S_K", ("m_glass", "seal_purple")), SetupCard("H_2")]
    jokers = [SetupJoker(key) for key in ("j_joker", "j_egg", "j_abstract", "j_greedy_joker")]
    setup = HandSetup(played=cards, jokers=jokers)
    found = evidence._that_matter(setup, "none", evidence.Counts())
    assert {*found} == {"High Card", "m_glass", "j_joker", "j_abstract"}


@needs_reference
def test_what_recordings_show(made: list[page.Mechanic]) -> None:
    recorded = evidence.recorded(REFERENCE)
    assert {row.key: row.recorded for row in made if row.recorded} == dict(recorded)


@needs_reference
@pytest.mark.slow
def test_what_scored_hands_show(made: list[page.Mechanic]) -> None:
    scored = evidence.calculated(REFERENCE)
    assert {row.key: row.scored for row in made if row.scored} == dict(scored)


@needs_reference
def test_a_recording_that_differs_counts_for_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "real_runs"
    folder.mkdir()
    name = "run_red_white_seed2426.json"
    text = (REFERENCE / "real_runs" / name).read_text()
    (folder / name).write_text(text)
    assert evidence.recorded(tmp_path)["b_red"] == 1
    other = re.sub(r'"chips":\s*304', '"chips": 305', text)
    assert other != text
    (folder / name).write_text(other)
    assert evidence.recorded(tmp_path) == evidence.Counts()
