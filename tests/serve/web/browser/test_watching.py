"""Trainings, models and the health of the machine in a browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from jimbo.league.champion import DECIDED
from jimbo.run_folder import RunFolder
from serve.web.serving import serving, settings_for
from serve.web.test_models import made
from serve.web.test_trainings import loop, paced, rows, training


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


def test_an_empty_folder_says_what_fills_it(runs: Path, page: Any, url: str) -> None:
    page.goto(f"{url}/training")
    page.get_by_text("There is none below this folder yet").wait_for()


def test_runs_are_chosen_and_compared(runs: Path, page: Any, url: str) -> None:
    training(runs / "one", 3)
    training(runs / "two", 4)
    page.goto(f"{url}/training")
    page.get_by_role("checkbox", name="Show one").check()
    page.get_by_role("figure", name="train/loss: 1").wait_for()
    page.get_by_role("checkbox", name="Show two").check()
    page.get_by_role("figure", name="train/loss: 1, 0.75").wait_for()
    assert page.url.endswith("?run=one&run=two")
    page.reload()
    page.get_by_role("figure", name="train/loss: 1, 0.75").wait_for()
    page.go_back()
    page.get_by_role("figure", name="train/loss: 1", exact=True).wait_for()


def test_curves_grow_while_a_training_runs(runs: Path, page: Any, url: str) -> None:
    folder = training(runs / "live", 1)
    page.goto(f"{url}/training?run=live")
    page.get_by_role("figure", name="train/loss: 3").wait_for()
    for epochs, loss in ((2, "1.5"), (4, "0.75")):
        rows(RunFolder(folder), epochs)
        page.get_by_role("figure", name=f"train/loss: {loss}").wait_for()


def test_speed_memory_and_strength_of_several_runs(runs: Path, page: Any, url: str) -> None:
    training(runs / "pv", 2)
    paced(runs / "pv", 0, 5, 15)
    loop(runs / "loop")
    paced(runs / "loop", 0, 20)
    page.goto(f"{url}/training?run=pv&run=loop")
    speed = page.get_by_role("region", name="Speed and memory")
    speed.get_by_role("figure", name="games per hour: 3600, 7200").wait_for()
    speed.get_by_role("figure", name="memory (MB): 202, 201").wait_for()
    page.get_by_role("region", name="Strength by judged games").get_by_text("60.0 % (31.3 to 83.2)").wait_for()
    page.get_by_role("row", name=re.compile("^Show loop loop .*7,200 games per hour, .*201 MB")).wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV of speed and memory").click()
    assert Path(saved.value.path()).read_text().startswith("run,minutes,memory (MB),")
    with page.expect_download() as saved:
        speed.get_by_role("button", name="PNG: games per hour").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    paced(runs / "pv", 0, 5, 15, 35)
    speed.get_by_role("figure", name="games per hour: 7200, 7200").wait_for()


def test_smoothing_is_kept_and_tables_and_pictures_are_saved(runs: Path, page: Any, url: str) -> None:
    loop(runs / "loop", 50)
    page.goto(f"{url}/training?run=loop")
    page.get_by_role("figure", name=re.compile("^total_loss")).wait_for()
    page.get_by_label("Smoothing").fill("0.9")
    page.get_by_label("Logarithmic").check()
    page.reload()
    page.get_by_role("figure", name=re.compile("^total_loss")).wait_for()
    assert page.get_by_label("Smoothing").input_value() == "0.9"
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    assert Path(saved.value.path()).read_text().startswith("run,x,total_loss")
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG: total_loss").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_runs_are_found_by_a_word(runs: Path, page: Any, url: str) -> None:
    training(runs / "alpha", 1)
    training(runs / "beta", 1)
    page.goto(f"{url}/training")
    page.get_by_role("searchbox", name="Filter").fill("bet")
    page.get_by_role("link", name="alpha").wait_for(state="detached")
    page.get_by_role("link", name="beta").click()
    page.get_by_role("figure", name="train/loss: 3").wait_for()


def test_a_damaged_run_is_named(runs: Path, page: Any, url: str) -> None:
    (runs / "bad").mkdir()
    (runs / "bad" / "stats.json").write_text("no json")
    page.goto(f"{url}/training?run=bad")
    page.get_by_text("stats.json is not what such a run writes.").first.wait_for()


def test_trainings_fit_into_a_small_screen(runs: Path, page: Any, url: str) -> None:
    training(runs / "a-name-that-is-rather-long" / "and-longer-still-below-it", 3)
    page.set_viewport_size({"width": 380, "height": 700})
    page.goto(f"{url}/training")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("figure").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_health_of_the_machine(page: Any, url: str) -> None:
    page.goto(f"{url}/health")
    page.get_by_role("row", name=re.compile("^engine ok jimbo")).wait_for()
    page.get_by_role("status").get_by_text(re.compile("needed is")).wait_for()
    page.get_by_text("Signature of the rules").wait_for()
    page.get_by_role("button", name="Look again").click()
    page.get_by_role("row", name=re.compile("^engine ok jimbo")).wait_for()
    page.set_viewport_size({"width": 380, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_page_that_there_is_not(page: Any, url: str, watch: Any) -> None:
    watch.allowed = ("404",)
    answer = page.goto(f"{url}/nothing")
    assert answer.status == 404


def test_what_was_registered_and_where_it_comes_from(page: Any, tmp_path: Path) -> None:
    registry = made(tmp_path)
    with serving(settings_for(tmp_path, registry=registry.folder)) as address:
        page.goto(f"{address}/models")
        entries = page.get_by_role("region", name="Entries")
        entries.get_by_text("plain").first.click()
        entries.get_by_role("region", name="What it is").get_by_text("greedy").wait_for()
        entries.get_by_role("region", name="Made from").get_by_role("link", name="games").click()
        entries.get_by_role("region", name="Files").get_by_text("games.bin").wait_for()
        page.reload()
        entries.get_by_role("region", name="Files").get_by_text("games.bin").wait_for()
        page.go_back()
        entries.get_by_role("region", name="Made from").wait_for()
        page.get_by_role("combobox", name="Kind").select_option(label="dataset")
        page.get_by_role("region", name="Made from").wait_for()  # what the address names stays
        page.get_by_role("region", name="Champions").get_by_text("it is the first champion").wait_for()
        page.set_viewport_size({"width": 380, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_gates_and_who_wins_where(page: Any, tmp_path: Path) -> None:
    registry = made(tmp_path)
    games, plain = registry.entries()
    sides = {
        name: {"name": entry.name, "entry": entry.id} for name, entry in (("challenger", games), ("champion", plain))
    }
    stage = {"name": "full", "pairs": 40, "points": 2.5, "ci95": [-1.0, 6.0], "llr": 1.25, "bounds": [-2.94, 2.94]}
    told = {"gate": "quick", "verdict": "continue", "reason": "no answer yet", "guards": [], **sides}
    registry.note(DECIDED, {**told, "stages": [{**stage, "line": "LLR 1.25"}]})
    spec = {"settings": {"agent": "expert", "options": {}, "deck": "b_blue", "stake": "stake_gold"}}
    results = {"results": {"wins": 60, "games": 100, "win_rate": 0.6}}
    registry.add("games-of-it", kind="evaluation", spec=spec, files={}, about=results)
    with serving(settings_for(tmp_path, registry=registry.folder)) as address:
        page.goto(f"{address}/models")
        gates = page.get_by_role("region", name="Gates", exact=True)
        gates.get_by_role("img", name="log likelihood ratio 1.25 between -2.94 and 2.94").wait_for()
        gates.get_by_text("games against plain").wait_for()
        cells = page.get_by_role("region", name="Decks and stakes")
        cells.get_by_role("row", name=re.compile("^Blue Deck 60.0 % 50.2 to 69.1 100 games")).wait_for()
        cells.get_by_role("columnheader", name="Gold Stake").wait_for()


def test_what_a_seed_holds_and_a_run_of_it(page: Any, url: str) -> None:
    page.goto(f"{url}/seeds")
    page.get_by_label("Seed").fill("testseed")
    page.get_by_role("button", name="Show").click()
    ante = page.get_by_role("region", name="Ante 1", exact=True)
    ante.get_by_role("button", name="The Head").wait_for()
    page.set_viewport_size({"width": 380, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.reload()
    ante.get_by_role("button", name="The Head").wait_for()
    assert page.get_by_label("Seed").input_value() == "testseed"
    page.get_by_role("button", name="Play it").click()
    page.get_by_role("heading", name="Choose a blind").wait_for()
