"""Every page for people who use a screen reader or keys alone, and on screens of every size: axe-core finds nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from serve.web.browser.test_playing import play_blind, wide
from serve.web.serving import serving, settings_for
from serve.web.test_models import made
from serve.web.test_trainings import loop, paced, training

POSITION = quote(
    "hand: As Kd(steel, red seal) 10h 10c 9h 8c; jokers: Ride the Bus (mult 12), Misprint; consumables: The Fool"
)
PLACES = {
    "start": "/play",
    "reviews": "/review",
    "board": f"/board?p={POSITION}&cards=2,3",
    "seeds": "/seeds?seed=ALEEB",
    "training": "/training?run=pv&run=loop",
    "models": "/models",
    "health": "/health",
}
SIZES = [(380, 700), (1280, 900), (2560, 1440), (3840, 2160)]


@pytest.fixture
def filled(tmp_path: Path) -> Any:
    """A server with something on every page."""
    registry = made(tmp_path)
    settings = settings_for(tmp_path, registry=registry.folder)
    training(tmp_path / "runs" / "pv")
    paced(tmp_path / "runs" / "pv", 0, 5, 15)
    loop(tmp_path / "runs" / "loop")
    with serving(settings) as address:
        yield address


def check(page: Any, where: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="install .[dev] to look for barriers")
    found = axe.Axe().run(page)
    told = [
        f"{where}: {one['id']} ({one['impact']}): {one['help']}: "
        + "; ".join(node["html"][:160] for node in one["nodes"][:4])
        for one in found.response["violations"]
    ]
    assert told == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_barrier(browser: Any, watch: Any, filled: str, theme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=theme, locale="en-GB")
    context.on("page", watch.page)
    page = context.new_page()
    for name, path in PLACES.items():
        page.goto(f"{filled}{path}")
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle") if name not in ("training",) else page.get_by_role(
            "figure"
        ).first.wait_for()
        check(page, f"{name}, {theme}")
    page.goto(f"{filled}/play")
    page.get_by_label("Seed").fill("ALEEB")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("combobox", name="Suggestions").select_option(label="always")
    play_blind(page)
    page.get_by_role("list", name="Suggestions, best first").wait_for()
    page.keyboard.press("1")
    check(page, f"play, {theme}")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    check(page, f"keys, {theme}")
    context.close()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_page_fits_every_screen(browser: Any, watch: Any, filled: str, width: int, height: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    context.on("page", watch.page)
    page = context.new_page()
    for name, path in PLACES.items():
        page.goto(f"{filled}{path}")
        page.get_by_role("heading", level=1).wait_for()
        assert not wide(page), name
        share = page.evaluate("document.querySelector('main').getBoundingClientRect().width / innerWidth")
        assert share > 0.7, f"{name} uses {share:.0%} of {width} pixels"
    context.close()
