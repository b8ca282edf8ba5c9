"""Reviews in a browser: a file, its graph, its worst decisions, choosing again, playing on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from jimbo.serve.web.app import make_app
from serve.web.serving import LOCAL, serving, settings_for
from serve.web.test_reviews import JUDGE, played


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with serving(settings_for(tmp_path, judge=JUDGE)) as address:
        yield address


@pytest.fixture
def run(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    with TestClient(make_app(settings_for(tmp_path / "elsewhere")), base_url=LOCAL) as client:
        path = tmp_path / "lost one.jsonl"
        path.write_bytes(client.get(f"/api/games/{played(client)}/record").content)
    return path


@pytest.fixture
def reviewed(page: Any, url: str, run: Path) -> Any:
    """The page of a run that is judged to its end."""
    page.goto(f"{url}/review")
    page.get_by_label("Choose a file").set_input_files(run)
    page.get_by_role("link", name="Page (HTML)").wait_for(timeout=120_000)  # judging gives way to what else runs
    return page


def worst(page: Any) -> Any:
    return page.get_by_role("region", name="The worst decisions").get_by_role("button")


def test_a_file_is_reviewed_and_a_click_leads_to_the_position(reviewed: Any, run: Path) -> None:
    page = reviewed
    assert "/review/lost-one-" in page.url
    page.get_by_text("lost in ante 1").wait_for()
    page.get_by_role("img", name=re.compile("^The chance to win, from .* to 0.0 %")).wait_for()
    page.get_by_role("option").first.click()
    page.get_by_role("region", name="Decision 1", exact=True).get_by_text("Choose a blind").first.wait_for()
    worst(page).first.click()
    at = re.search(r"\?at=(\d+)", page.url)
    assert at
    here = page.get_by_role("region", name=f"Decision {at[1]}", exact=True)
    here.get_by_text("gave up").wait_for()
    page.reload()
    here.get_by_role("region", name="Hand").wait_for()
    page.go_back()
    page.get_by_role("region", name="Decision 1", exact=True).wait_for()


def test_a_click_in_the_graph_leads_to_the_decision(reviewed: Any) -> None:
    box = reviewed.get_by_role("img", name=re.compile("^The chance to win")).bounding_box()
    reviewed.mouse.click(box["x"] + 46, box["y"] + 80)
    reviewed.get_by_role("region", name="Decision 1", exact=True).wait_for()


def test_keys_walk_through_decisions_and_losses(reviewed: Any) -> None:
    reviewed.get_by_role("option").first.click()
    reviewed.keyboard.press("j")
    reviewed.get_by_role("region", name="Decision 2", exact=True).wait_for()
    reviewed.keyboard.press("k")
    reviewed.get_by_role("region", name="Decision 1", exact=True).wait_for()
    reviewed.keyboard.press("n")
    reviewed.get_by_text(re.compile(r"^gave up [\d.]+ points")).first.wait_for()
    reviewed.get_by_role("listbox").focus()
    reviewed.keyboard.press("End")
    assert reviewed.get_by_role("option").last.get_attribute("aria-selected") == "true"


def test_mistakes_are_chosen_again_by_keys(reviewed: Any) -> None:
    page = reviewed
    mistakes = worst(page).count()
    page.get_by_role("button", name="Learn from your mistakes").focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=re.compile(f"^Mistake 1 of {mistakes}")).wait_for()
    assert not page.get_by_text("In the run").count(), "the answer is not shown before"
    page.get_by_role("region", name="Hand").wait_for()
    page.keyboard.press("1")
    page.get_by_role("button", name=re.compile("^play ")).wait_for()
    page.keyboard.press("p")
    page.get_by_text(re.compile("^(It gives up|Nothing better was found)")).wait_for()
    page.get_by_text(re.compile("of 1 found so far")).wait_for()
    if (show := page.get_by_role("button", name="Show me")).count():
        show.click()
    page.get_by_text("In the run").wait_for()
    page.get_by_role("button", name="Back to the review").click()
    page.get_by_role("region", name="Every decision").wait_for()


def test_a_decision_is_played_on_from(reviewed: Any) -> None:
    reviewed.get_by_role("option").nth(1).click()
    reviewed.get_by_role("region", name="Decision 2", exact=True).get_by_role(
        "button", name="Play on from here"
    ).click()
    reviewed.wait_for_url("**/play/ALEEB-*")
    reviewed.get_by_role("region", name="Hand").wait_for()
    reviewed.get_by_role("link", name="Review").last.click()
    reviewed.get_by_text("left in ante 1").wait_for()


def test_the_page_that_is_saved_needs_nothing_else(reviewed: Any, browser: Any, tmp_path: Path) -> None:
    with reviewed.expect_download() as saved:
        reviewed.get_by_role("link", name="Page (HTML)").click()
    path = tmp_path / "saved.html"
    saved.value.save_as(path)
    alone = browser.new_context(offline=True)
    page, asked = alone.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    page.get_by_role("heading", name="Review of a run").wait_for()
    assert asked == [path.as_uri()]
    alone.close()
    with reviewed.expect_download() as saved:
        reviewed.get_by_role("link", name="JSON").click()
    assert json.loads(Path(saved.value.path()).read_text())["schema"] == "review_v1"


def test_it_fits_a_small_screen(reviewed: Any) -> None:
    reviewed.set_viewport_size({"width": 380, "height": 760})
    assert reviewed.evaluate("document.documentElement.scrollWidth") <= 380
    reviewed.get_by_role("button", name="Learn from your mistakes").click()
    reviewed.get_by_text("What would you do here?").wait_for()
    assert reviewed.evaluate("document.documentElement.scrollWidth") <= 380


def test_a_file_that_is_no_run_is_named(page: Any, url: str, watch: Any, tmp_path: Path) -> None:
    watch.allowed = ("400",)
    (tmp_path / "notes.txt").write_text("buy milk")
    page.goto(f"{url}/review")
    page.get_by_label("Choose a file").set_input_files(tmp_path / "notes.txt")
    page.get_by_role("alert").get_by_text("is not a run").wait_for()
    assert str(tmp_path) not in page.content()


def test_a_run_of_100_000_decisions_scrolls(reviewed: Any, watch: Any) -> None:
    """Its rows are those of the server, many times over."""
    page = reviewed
    address = page.url
    watch.allowed = ("Failed to load",)

    def many(route: Any) -> None:
        row = {"ante": 1, "where": "Ante 1", "done": "play", "cards": [], "move": False, "win": 0.5}
        row |= {"win_text": "50 %", "gave_up": "", "luck": "", "better": "", "grade": "", "lost": False}
        rows = [{**row, "step": step} for step in range(1, 100_001)]
        view = {"first": 0, "rows": rows, "of": 100_000, "judged": 100_000, "done": True, "worst": [], "notes": []}
        view |= {"about": "", "seed": "", "judge": "", "effort": 1, "trouble": "", "headlines": [], "end": 0}
        text = f"id: 1\nevent: view\ndata: {json.dumps({**view, 'end_text': ''})}\n\n"
        route.fulfill(content_type="text/event-stream", body=text)

    page.route("**/events", many)
    page.route("**/look", lambda route: route.abort())
    page.goto(address.partition("?")[0])
    page.get_by_role("listbox").focus(timeout=60_000)
    page.keyboard.press("End")
    page.locator("#d100000").wait_for()
    assert page.get_by_role("option").count() < 40
