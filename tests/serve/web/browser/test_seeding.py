"""Seeds in a browser: labels, lines, routes, searches."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from jimbo.data.game_files import game_in
from serve.web.serving import serving, settings_for

LINE = "?seed=TESTSEED&line=beat.beat"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture
def one(page: Any, url: str) -> Any:
    page.goto(f"{url}/seeds{LINE}")
    page.get_by_role("region", name="Your line").wait_for()
    return page


def line(page: Any) -> Any:
    return page.get_by_role("region", name="Your line")


def test_labels_say_what_an_item_depends_on(page: Any, url: str) -> None:
    page.goto(f"{url}/seeds?seed=TESTSEED")
    ante = page.get_by_role("region", name="Ante 1", exact=True)
    ante.get_by_role("button", name="The Head: certain", exact=True).click()
    ante.get_by_text("Certain, whatever you do.").wait_for()
    ante.get_by_role("button", name="Splash: certain unless you have it already").click()
    ante.get_by_text("having Splash already").wait_for()
    assert ante.get_by_role("note").inner_text().count("Sly Joker") == 1
    ante.get_by_role("button", name=re.compile("^Smeared Joker Holographic: depends")).click()
    ante.get_by_text("a Glass Card in the deck").wait_for()


def test_steps_update_the_rest_and_stand_in_the_address(one: Any) -> None:
    line(one).get_by_role("button", name="Buy Smeared Joker for $10").click()
    line(one).get_by_text("Jokers: Smeared Joker").wait_for()
    assert one.url.endswith("line=beat.beat.buy2")
    line(one).get_by_text("Cost: $10, no reroll, no skip").wait_for()
    one.reload()
    line(one).get_by_text("Jokers: Smeared Joker").wait_for()
    line(one).get_by_role("button", name="Undo").click()
    line(one).get_by_role("button", name="Buy Smeared Joker for $10").wait_for()
    one.go_back()
    line(one).get_by_text("Jokers: Smeared Joker").wait_for()
    line(one).get_by_role("button", name="Back to step 1").click()
    line(one).get_by_text("Shop, ante 1, $7").wait_for()


def test_what_cannot_be_paid_for_is_not_offered(one: Any) -> None:
    line(one).get_by_role("button", name="Buy Smeared Joker for $10").click()
    line(one).get_by_text("Jokers: Smeared Joker").wait_for()
    assert line(one).get_by_role("button", name=re.compile("^Reroll")).is_disabled()


def test_a_pack_is_opened_and_left(page: Any, url: str) -> None:
    page.goto(f"{url}/seeds?seed=TESTSEED&line=beat")
    line(page).get_by_role("button", name="Open Buffoon Pack for $4").click()
    line(page).get_by_role("button", name="Take Abstract Joker").click()
    line(page).get_by_text("Jokers: Abstract Joker").wait_for()
    line(page).get_by_role("button", name=re.compile("^Skip Big Blind for the")).click()
    line(page).get_by_text("Choose a blind, ante 1").wait_for()


def test_steps_by_keyboard_alone(one: Any) -> None:
    button = line(one).get_by_role("button", name="Buy Smeared Joker for $10")
    button.focus()
    one.keyboard.press("Enter")
    line(one).get_by_text("Jokers: Smeared Joker").wait_for()


def test_an_address_with_a_bad_line_says_why(page: Any, url: str, watch: Any) -> None:
    watch.allowed = ("400",)
    page.goto(f"{url}/seeds?seed=TESTSEED&line=beat.buy9")
    page.get_by_role("alert").get_by_text('Step 2: "buy9" cannot be done').wait_for()


def test_a_route_is_found_done_and_saved(page: Any, url: str) -> None:
    page.goto(f"{url}/seeds?seed=TESTSEED")
    route = page.get_by_role("region", name="Route")
    route.get_by_label("What do you want?").fill("smeared joker @ 1\nperkeo")
    route.get_by_role("button", name="Find the cheapest line").click()
    route.get_by_text("$10, no reroll, no skip; $2 left").wait_for(timeout=60_000)
    route.get_by_text("Perkeo: it turns up nowhere on the way").wait_for()
    route.get_by_text("counted as beaten").wait_for()
    route.get_by_role("button", name="Do these 3 steps").click()
    line(page).get_by_text("Jokers: Smeared Joker").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save as a run").click()
    game = game_in(Path(saved.value.path()).read_bytes(), "the run")
    assert game.run
    assert game.run.joker_keys == ["j_smeared"]


def test_a_line_is_played_on(one: Any) -> None:
    line(one).get_by_role("button", name="Buy Smeared Joker for $10").click()
    line(one).get_by_text("Jokers: Smeared Joker").wait_for()
    one.get_by_role("button", name="Play it").click()
    one.get_by_role("heading", name="Shop", exact=True).first.wait_for()
    one.get_by_role("button", name=re.compile("Smeared Joker")).first.wait_for()


def test_odds_then_a_search_then_its_best_seed(page: Any, url: str) -> None:
    page.goto(f"{url}/seeds")
    page.get_by_role("link", name="Find seeds").click()
    page.get_by_label("Must turn up").fill("blueprint @ 1\nnegative tag @ 2")
    page.get_by_label("Seeds to find").fill("7")
    page.get_by_role("button", name="Odds").click()
    odds = page.get_by_role("region", name="The odds")
    odds.get_by_role("row", name=re.compile("^Blueprint @ 1 .*rarest")).wait_for(timeout=30_000)
    odds.get_by_role("row", name="Negative Tag @ 2 1 in 12 (exact)").wait_for()
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("status").get_by_text("done").wait_for(timeout=60_000)
    page.get_by_text("7 / 7").wait_for()
    page.reload()
    page.get_by_text("7 / 7").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("link", name="CSV").click()
    table = Path(saved.value.path()).read_text().splitlines()
    assert len(table) == 8
    best = table[1].split(",")[1]
    page.get_by_role("link", name=best).click()
    page.get_by_role("heading", name=re.compile(best)).wait_for()


def test_a_search_is_paused_and_resumed(page: Any, url: str) -> None:
    page.goto(f"{url}/seeds?find=")
    page.get_by_label("Must turn up").fill("negative perkeo @ 1\nnegative blueprint @ 1")
    page.get_by_role("button", name="Search", exact=True).click()
    page.get_by_role("button", name="Pause").click(timeout=60_000)
    page.get_by_role("button", name="Resume").click(timeout=30_000)
    page.get_by_role("button", name="Pause").click(timeout=30_000)
    page.get_by_role("button", name="Resume").wait_for(timeout=30_000)
    page.get_by_role("button", name="Remove").click()
    page.get_by_text("No search was kept yet.").wait_for()


def test_a_filter_of_motely_is_sent(page: Any, url: str, tmp_path: Path) -> None:
    page.goto(f"{url}/seeds?find=")
    page.get_by_text("filters of Motely (JAML)").click()
    file = tmp_path / "my.jaml"
    file.write_text("name: Mine\nmust:\n  - joker: Blueprint\n    antes: [1]\n  - luckyMoney: [0]\n")
    page.get_by_label("or a file").set_input_files(file)
    page.get_by_role("button", name="Odds").click()
    page.get_by_text('must 2 is left out: "luckymoney" does not map.').wait_for(timeout=30_000)
    page.get_by_role("row", name=re.compile("^Blueprint @ 1")).wait_for()


def test_a_server_that_comes_back_has_the_search(page: Any, tmp_path: Path, watch: Any) -> None:
    watch.allowed = ("ERR_CONNECTION", "ERR_INCOMPLETE", "404", "Failed to fetch", "ERR_EMPTY")
    (tmp_path / "own").mkdir()
    with serving(settings_for(tmp_path / "own")) as first:
        port = int(first.rsplit(":", 1)[1])
        page.goto(f"{first}/seeds?find=")
        page.get_by_label("Must turn up").fill("negative perkeo @ 1\nnegative blueprint @ 1")
        page.get_by_role("button", name="Search", exact=True).click()
        page.get_by_role("button", name="Pause").wait_for(timeout=60_000)
    kept = json.loads(next((tmp_path / "own" / "games" / "searches").glob("*.json")).read_text())
    assert kept["progress"]["state"] == "paused"
    with serving(settings_for(tmp_path / "own"), port):
        page.get_by_role("button", name="Resume").wait_for(timeout=30_000)
        page.goto("about:blank")


@pytest.mark.parametrize("path", [f"/seeds{LINE}", "/seeds?find="])
def test_seeds_fit_into_a_small_screen(page: Any, url: str, path: str) -> None:
    page.set_viewport_size({"width": 380, "height": 700})
    page.goto(f"{url}{path}")
    page.get_by_role("heading", name="Your line" if "line" in path else "Your searches").wait_for()
    assert page.evaluate(FITS)
